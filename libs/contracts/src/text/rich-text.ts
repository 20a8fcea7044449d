import { z } from 'zod';

/*
 * Rich text is a tree of known blocks, never markup: a reader turns each block into its own elements, so nothing that is
 * stored can execute. Strict objects keep unknown blocks, attributes and event handlers out; links are parsed, and only
 * web and mail addresses pass.
 */

/** Largest rich text, in bytes of its JSON as UTF-8. */
export const maxRichTextBytes = 64 * 1024;

const linkSchemes = new Set(['https:', 'http:', 'mailto:']);

const isSafeLink = (value: string): boolean => URL.canParse(value) && linkSchemes.has(new URL(value).protocol);

const link = z
  .string()
  .max(2048)
  .refine(isSafeLink, 'must be an absolute https, http or mailto address')
  // The parser drops tabs, line breaks and odd slashes: what it read is what is kept, so no reader parses it differently.
  .overwrite((value) => (URL.canParse(value) ? new URL(value).href : value));

const plain = z
  .string()
  .min(1)
  .refine((value) => !/[\p{Surrogate}\0]/u.test(value), 'must be valid Unicode text');

const span = z
  .strictObject({
    text: plain,
    marks: z
      .array(z.enum(['bold', 'italic', 'strike', 'code']))
      .max(4)
      .optional(),
    link: link.optional(),
  })
  .meta({ id: 'RichTextSpan', description: 'A run of text with the same marks and the same link.' });

const spans = z.array(span).min(1).max(500);

const named = (name: string) => ({ id: `RichText${name}` });

const block = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('paragraph'), text: spans }).meta(named('Paragraph')),
    z.strictObject({ type: z.literal('heading'), level: z.int().min(2).max(4), text: spans }).meta(named('Heading')),
    z
      .strictObject({ type: z.literal('list'), ordered: z.boolean(), items: z.array(spans).min(1).max(200) })
      .meta(named('List')),
    z.strictObject({ type: z.literal('quote'), text: spans }).meta(named('Quote')),
    z
      .strictObject({
        type: z.literal('code'),
        language: z
          .string()
          .regex(/^[a-z0-9+#-]{1,30}$/)
          .optional(),
        code: plain,
      })
      .meta(named('Code')),
  ])
  .meta({ id: 'RichTextBlock', description: 'A block of rich text; `type` tells which.' });

const fits = (blocks: unknown): boolean => new TextEncoder().encode(JSON.stringify(blocks)).length <= maxRichTextBytes;

/** Rich text as it is kept and answered: blocks in reading order, at most 64 KiB as JSON. */
export const richText = z
  .array(block)
  .max(1000)
  .refine(fits, 'must be at most 64 KiB')
  .meta({
    id: 'RichText',
    description: 'Blocks in reading order: paragraph, heading, list, quote, code. At most 64 KiB as JSON.',
    example: [{ type: 'paragraph', text: [{ text: 'Cut, fold and light ' }, { text: 'paper', marks: ['bold'] }] }],
  });

/** Rich text, after parsing. */
export type RichText = z.output<typeof richText>;

/** Plain text as blocks: an empty line ends a paragraph. Total: the empty text has no blocks. */
export const paragraphs = (text: string): RichText =>
  text
    .split(/\r?\n[ \t]*\r?\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ type: 'paragraph', text: [{ text: part }] }));

const blocksOrPlain = z.union([richText, z.string().max(maxRichTextBytes).transform(paragraphs).pipe(richText)]);
const description =
  'Blocks in reading order, or plain text in which an empty line begins a new paragraph. At most 64 KiB.';

/** Rich text as a client may send it: blocks, or plain text that becomes paragraphs. */
export const richTextInput = blocksOrPlain.meta({ id: 'RichTextOrPlain', description });

/** The same, or null for none. */
export const richTextOrNone = blocksOrPlain.nullable().meta({ id: 'OptionalRichText', description });
