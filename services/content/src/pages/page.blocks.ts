import { imageInput, line, linkTarget, paragraph, richText } from '@lyceum/contracts';
import { z } from 'zod';
import { formBlock, formsAmong } from '../form-blocks/form-block.ts';
import { sanitizeHtml } from '../values/safe-html.ts';

/** Bytes of all blocks of a page as JSON. */
const mostBytes = 256 * 1024;

const title = line(1, 200).optional().meta({ description: 'Stands above it.' });

/** Ids of what the school offers, in the order that they are shown; or all of it. */
const choice = z
  .union([
    z.literal('all'),
    z
      .array(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id'))
      .min(1)
      .max(50),
  ])
  .meta({ id: 'OfferChoice', description: 'Ids, in the order that they are shown in; or all that are offered.' });

const hero = z
  .strictObject({
    kind: z.literal('hero'),
    heading: line(1, 200),
    text: paragraph(1_000).optional(),
    image: imageInput().optional(),
    alt: line(0, 300).optional(),
    button: z.strictObject({ label: line(1, 60), url: linkTarget() }).optional(),
  })
  .meta({ id: 'HeroBlock', description: 'The head of a page.' });

const text = z.strictObject({ kind: z.literal('text'), text: richText }).meta({ id: 'TextBlock' });

const image = z
  .strictObject({
    kind: z.literal('image'),
    image: imageInput(),
    alt: line(0, 300).meta({ description: 'What it shows, for those who do not see it; empty for decoration.' }),
    caption: line(1, 300).optional(),
  })
  .meta({ id: 'ImageBlock' });

const video = z
  .strictObject({
    kind: z.literal('video'),
    url: z
      .string()
      .max(2_048)
      .refine((value) => URL.canParse(value) && new URL(value).protocol === 'https:', 'must be an https URL')
      .overwrite((value) => (URL.canParse(value) ? new URL(value).href : value))
      .meta({ format: 'uri', description: 'https address of a video, or of its page at YouTube or Vimeo.' }),
    title: line(1, 200).meta({ description: 'What it is about.' }),
  })
  .meta({ id: 'VideoBlock' });

const courseGrid = z
  .strictObject({
    kind: z.literal('course_grid'),
    title,
    courses: choice,
  })
  .meta({ id: 'CourseGridBlock', description: 'Courses that the school offers.' });

const pricing = z
  .strictObject({
    kind: z.literal('pricing'),
    title,
    offers: choice,
  })
  .meta({
    id: 'PricingBlock',
    description: 'What plans, courses and digital products cost, and where they are bought; all = all plans.',
  });

const faq = z
  .strictObject({
    kind: z.literal('faq'),
    title,
    items: z
      .array(z.strictObject({ question: line(1, 300), answer: richText }))
      .min(1)
      .max(50),
  })
  .meta({ id: 'FaqBlock', description: 'Questions and their answers.' });

const html = z
  .strictObject({
    kind: z.literal('html_safe'),
    html: z
      .string()
      .max(64 * 1024)
      .overwrite(sanitizeHtml)
      .meta({ description: 'HTML; what could run, load or take another look is taken out of it.' }),
  })
  .meta({ id: 'HtmlBlock' });

const fits = (value: unknown): boolean => new TextEncoder().encode(JSON.stringify(value)).length <= mostBytes;

const haveOwnKeys = (blocks: readonly { readonly kind: string }[]): boolean => {
  const keys = formsAmong(blocks).map(({ key }) => key);
  return new Set(keys).size === keys.length;
};

/** A block of a page. */
const block = z
  .discriminatedUnion('kind', [hero, text, image, video, courseGrid, pricing, faq, html, formBlock])
  .meta({ id: 'PageBlock', description: 'A block of a page; `kind` tells which.' });

/** The blocks of a page, from its head to its foot. */
export const pageBlocks = z
  .array(block)
  .max(100)
  .refine(fits, 'must be at most 256 KiB')
  .refine(haveOwnKeys, 'must not have two forms with one key')
  .meta({
    description: 'From head to foot. At most 256 KiB as JSON.',
    example: [{ kind: 'hero', heading: 'Paper lanterns' }],
  });

/** A block of a page, after parsing. */
export type Block = z.output<typeof block>;
