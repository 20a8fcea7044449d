import type { Texts } from '../texts/texts.ts';
import { type Html, html } from './html.ts';

/** A time (RFC 3339) as people write it: in the language of the page and the time zone of the school. */
export function moment({ lang }: Texts, time: string, timezone: string): Html {
  return html`<time datetime="${time}">${formatter(lang, timezone).format(new Date(time))}</time>`;
}

/** A zone that this system does not know is better shown as UTC than not at all. */
function formatter(lang: string, timeZone: string): Intl.DateTimeFormat {
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const;
  try {
    return new Intl.DateTimeFormat(lang, { ...style, timeZone });
  } catch {
    return new Intl.DateTimeFormat(lang, { ...style, timeZone: 'UTC' });
  }
}
