import { landingLanguages } from '../../discovery/content/landing-texts.ts';
import type { EventDetail } from '../../discovery/events/event-detail.ts';
import { spanOf } from '../../discovery/events/event-facts.ts';
import { eventLanguages } from '../../discovery/events/event-texts.ts';
import { htmlText } from '../../discovery/text/html-text.ts';
import type { FormShowing } from '../form-html.ts';
import { type FormPage, type Reader, page } from '../form-pages.ts';
import { type FormTexts, formLanguages } from '../form-texts.ts';
import { registrationSection, takesGuests } from './registration-form.ts';
import type { Outcome } from './registration-sending.ts';

/** Why nobody can register. */
export type Closed = 'soldOut' | 'closed' | 'paid' | 'canceled' | 'ended';

/** Why guests cannot register for an event; undefined where they can. */
export function closedFor(event: EventDetail): Closed | undefined {
  if (takesGuests(event)) return undefined;
  const { status, price, registration } = event;
  if (status === 'canceled' || status === 'ended') return status;
  if (registration === 'sold_out') return 'soldOut';
  return price !== null && registration === 'open' ? 'paid' : 'closed';
}

/** A page about an event, which leads back to it. */
function eventPage(reader: Reader, event: EventDetail, main: string, sendsForms: boolean): FormPage {
  const said = eventLanguages[reader.language];
  const back = `<p class="buttons"><a class="button" href="${htmlText(`/events/${event.slug}`)}">${said.toEvent}</a></p>\n`;
  const lead = `<p><bdi>${htmlText(spanOf(event, reader.language))}</bdi></p>\n`;
  const title = htmlText(event.title);
  return page(reader, { title, heading: `<bdi>${title}</bdi>`, lead }, main + back, sendsForms);
}

/** The form for an event alone: with what was typed, and why it was not taken. */
export function guestFormPage(
  reader: Reader,
  event: EventDetail,
  showing: Pick<FormShowing, 'typed' | 'problems'> & { readonly why?: keyof FormTexts } = {},
): FormPage {
  const { why, ...shown } = showing;
  const { language } = reader;
  const note = why ? `<p class="problem" role="alert">${formLanguages[language][why]}</p>\n` : '';
  return eventPage(reader, event, note + registrationSection(event, { ...shown, language }), true);
}

/** Why a guest cannot register: for what costs something, with the way to buy it. */
export function closedPage(reader: Reader, event: EventDetail, why: Closed): FormPage {
  const { buy } = landingLanguages[reader.language];
  const buying =
    why === 'paid'
      ? `<p class="buttons"><a class="button primary" href="${htmlText(`/checkout?item=event:${event.slug}`)}">${buy}</a></p>\n`
      : '';
  const words = eventLanguages[reader.language][why];
  return eventPage(
    reader,
    event,
    `<section><p class="problem" role="status">${words}</p>\n${buying}</section>\n`,
    false,
  );
}

/** What a guest reads who has registered. Where to take part is in the mail only. */
export function registeredPage(reader: Reader, event: EventDetail, outcome: Outcome): FormPage {
  const said = eventLanguages[reader.language];
  const words =
    outcome === 'already'
      ? `<p role="status">${said.already}</p>`
      : `<p role="status"><strong>${said.statuses[outcome]}</strong></p>${outcome === 'pending' ? '' : `\n<p>${said.mailed}</p>`}`;
  const title = `<h2 id="registration">${said.registration}</h2>`;
  return eventPage(reader, event, `<section aria-labelledby="registration">${title}\n${words}\n</section>\n`, false);
}
