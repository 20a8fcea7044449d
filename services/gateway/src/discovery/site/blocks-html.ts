import { type UiLanguage, isSafeHref, isSafeHtml } from '@lyceum/contracts';
import { z } from 'zod';
import type { LandingTexts } from '../content/landing-texts.ts';
import type { Offer } from '../content/offers.ts';
import { offerCards } from '../pages/offer-cards.ts';
import { htmlText } from '../text/html-text.ts';
import { richTextHtml } from '../text/rich-text-html.ts';
import { formHtml, shownForm } from '../../forms/form-html.ts';
import type { SourceList } from './page-sources.ts';
import type { SiteBlock } from './site-summary.ts';
import { isVideoFile, playerOf } from './videos.ts';

/** What blocks are shown with. */
export interface Showing {
  /** What the school offers; undefined when nobody can tell. */
  readonly offers: readonly Offer[] | undefined;
  readonly said: LandingTexts;
  readonly language: UiLanguage;
  /** Gets what the page loads. */
  readonly sources: SourceList;
}

/** The same for one block; `prefix` tells it from the others. */
interface ShowingBlock extends Showing {
  readonly prefix: string;
}

type Show = (block: SiteBlock, showing: ShowingBlock) => string;

/** Text of the school, whichever way it is written. */
const text = (value: string): string => `<bdi>${htmlText(value)}</bdi>`;

const lines = (value: string): string => htmlText(value).replace(/\r?\n/g, '<br>');

const imageHtml = (address: string, alt: string, { sources }: Showing): string =>
  sources.note('images', address)
    ? `<img src="${htmlText(address)}" alt="${htmlText(alt)}" loading="lazy" referrerpolicy="no-referrer">`
    : '';

/** A block of a kind, where it is one; of what is none nothing shows. */
const shown =
  <Schema extends z.ZodType>(schema: Schema, show: (block: z.output<Schema>, showing: ShowingBlock) => string): Show =>
  (block, showing) => {
    const known = schema.safeParse(block);
    return known.success ? show(known.data, showing) : '';
  };

const hero = shown(
  z.object({
    heading: z.string(),
    text: z.string().optional(),
    image: z.string().optional(),
    alt: z.string().default(''),
    button: z.object({ label: z.string(), url: z.string() }).optional(),
  }),
  ({ heading, text: about, image, alt, button }, showing) => {
    const link =
      button && isSafeHref(button.url)
        ? `<p class="buttons"><a class="button primary" href="${htmlText(button.url)}">${text(button.label)}</a></p>`
        : '';
    const picture = image === undefined ? '' : imageHtml(image, alt, showing);
    return `<section class="hero"><div><h2>${text(heading)}</h2>\n${about ? `<p>${lines(about)}</p>` : ''}${link}</div>${picture}</section>`;
  },
);

const richText = shown(
  z.object({ text: z.unknown() }),
  (block) => `<section><div class="text">${richTextHtml(block.text)}</div></section>`,
);

const image = shown(
  z.object({ image: z.string(), alt: z.string().default(''), caption: z.string().optional() }),
  ({ image: address, alt, caption }, showing) => {
    const picture = imageHtml(address, alt, showing);
    if (picture === '') return '';
    return `<figure>${picture}${caption === undefined ? '' : `<figcaption>${text(caption)}</figcaption>`}</figure>`;
  },
);

const video = shown(z.object({ url: z.string(), title: z.string() }), ({ url, title }, { sources }) => {
  const player = playerOf(url);
  const named = htmlText(title);
  if (player !== undefined && sources.note('frames', player))
    return `<figure class="video"><iframe src="${htmlText(player)}" title="${named}" loading="lazy" sandbox="allow-scripts allow-same-origin allow-presentation allow-popups" allow="fullscreen; picture-in-picture" referrerpolicy="strict-origin-when-cross-origin"></iframe></figure>`;
  if (isVideoFile(url) && sources.note('media', url))
    return `<figure class="video"><video controls preload="metadata" src="${htmlText(url)}" title="${named}"></video></figure>`;
  return isSafeHref(url)
    ? `<p><a href="${htmlText(url)}" rel="noopener noreferrer nofollow">${text(title)}</a></p>`
    : '';
});

/** The offers that a block names, in its order; `every`: those of a kind, where it names none by name. */
function chosenOf(offers: readonly Offer[], wanted: 'all' | readonly string[], every: Offer['kind']): readonly Offer[] {
  if (wanted === 'all') return offers.filter(({ kind }) => kind === every);
  return wanted.flatMap((id) => offers.find((offer) => offer.id === id) ?? []);
}

const choice = z.union([z.literal('all'), z.array(z.string())]);

const headed = (title: string | undefined, inner: string): string =>
  `<section>${title === undefined ? '' : `<h2>${text(title)}</h2>\n`}${inner}</section>`;

const cards = (
  title: string | undefined,
  { offers, said, prefix }: ShowingBlock,
  wanted: z.output<typeof choice>,
  every: Offer['kind'],
): string => headed(title, offerCards(offers && chosenOf(offers, wanted, every), said, prefix));

const courseGrid = shown(z.object({ title: z.string().optional(), courses: choice }), ({ title, courses }, showing) =>
  cards(title, showing, courses, 'course'),
);

const pricing = shown(z.object({ title: z.string().optional(), offers: choice }), ({ title, offers }, showing) =>
  cards(title, showing, offers, 'membership_plan'),
);

const faq = shown(
  z.object({
    title: z.string().optional(),
    items: z.array(z.object({ question: z.string(), answer: z.unknown() })),
  }),
  ({ title, items }) =>
    headed(
      title,
      items
        .map(
          ({ question, answer }) =>
            `<details><summary>${text(question)}</summary><div class="text">${richTextHtml(answer)}</div></details>`,
        )
        .join('\n'),
    ),
);

const form = shown(shownForm, (block, { language, prefix, sources }) => {
  sources.sendsForms = true;
  return formHtml(block, { language, prefix });
});

/** The content service keeps nothing else; a page looks again, since nothing else stands between HTML and a browser. */
const html = shown(z.object({ html: z.string() }), ({ html: written }) =>
  isSafeHtml(written)
    ? `<section><div class="text">${written.replaceAll('<a href="', '<a rel="noopener noreferrer nofollow" href="')}</div></section>`
    : '',
);

const shows: Readonly<Record<string, Show>> = {
  hero,
  text: richText,
  image,
  video,
  course_grid: courseGrid,
  pricing,
  faq,
  html_safe: html,
  form,
};

/** Blocks as HTML: elements of ours around text that is escaped. A block of an unknown kind is left out. */
export const blocksHtml = (blocks: readonly SiteBlock[], showing: Showing): string =>
  blocks
    .map((block, index) =>
      Object.hasOwn(shows, block.kind) ? shows[block.kind]!(block, { ...showing, prefix: `block-${index}-` }) : '',
    )
    .filter((part) => part !== '')
    .join('\n');
