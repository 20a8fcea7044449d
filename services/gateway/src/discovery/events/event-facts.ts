import { htmlText } from '../text/html-text.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import type { EventDetail } from './event-detail.ts';
import type { EventTexts } from './event-texts.ts';

type Timed = Pick<EventDetail, 'starts_at' | 'ends_at' | 'timezone'>;
type Placed = Pick<EventDetail, 'mode' | 'venue'>;

/** When something begins and ends, on the clocks of its time zone, as people write it in a language. */
export function spanOf({ starts_at, ends_at, timezone: timeZone }: Timed, language: string): string {
  const form = { dateStyle: 'full', timeStyle: 'short', timeZone } as const;
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeZone });
  const [start, end] = [new Date(starts_at), new Date(ends_at)];
  const zone = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'short' })
    .formatToParts(start)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const until =
    day.format(start) === day.format(end)
      ? new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone }).format(end)
      : new Intl.DateTimeFormat(language, form).format(end);
  return `${new Intl.DateTimeFormat(language, form).format(start)} – ${until} (${zone ?? timeZone})`;
}

/** Where it is. */
export function placeOf({ mode, venue }: Placed, { online }: EventTexts): string {
  const place = venue ? [venue.name, venue.address ?? ''].filter((part) => part !== '').join(', ') : '';
  if (mode === 'in_person') return place;
  return mode === 'online' || place === '' ? online : `${place} · ${online}`;
}

const fact = ([name, value]: readonly [string, string]): string =>
  `<div><dt>${name}</dt><dd><bdi>${htmlText(value)}</bdi></dd></div>`;

/** Facts with their names; those that are empty are left out. */
export const factList = (rows: readonly (readonly [string, string])[]): string =>
  `<dl class="facts">\n${rows
    .filter(([, value]) => value !== '')
    .map(fact)
    .join('\n')}\n</dl>\n`;

/** The frame that pages about an event have. */
export const eventFrame = (
  site: Site,
  said: EventTexts,
  skip: string,
  title: string,
  lead: string,
  main: string,
): string => {
  const all = said.all.replace('{school}', () => `<bdi>${htmlText(site.name)}</bdi>`);
  return `<a class="skip" href="#main">${skip}</a>
<header><div>
<p class="back"><a href="/">${all}</a></p>
<h1><bdi>${htmlText(title)}</bdi></h1>
${lead}</div></header>
<main id="main" tabindex="-1">
${main}</main>`;
};
