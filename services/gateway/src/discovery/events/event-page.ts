import type { UiLanguage } from '@lyceum/contracts';
import { type Document, document } from '../../http/document.ts';
import type { School } from '../../routing/school.ts';
import { landingLanguages } from '../content/landing-texts.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import { nothingLoaded, pageShell } from '../pages/page-shell.ts';
import { htmlText } from '../text/html-text.ts';
import { money } from '../text/money.ts';
import { richTextHtml } from '../text/rich-text-html.ts';
import { registrationSection } from '../../forms/registering/registration-form.ts';
import { siteStyleWith } from '../site/site-style.ts';
import type { EventDetail } from './event-detail.ts';
import { eventFrame, factList, placeOf, spanOf } from './event-facts.ts';
import { type EventTexts, eventLanguages } from './event-texts.ts';

/** How many seats are left, as far as it is worth saying. */
function seatsOf({ seats, registration }: EventDetail, said: EventTexts): string {
  if (registration === 'waitlist') return said.waitlist;
  if (seats === 'none') return said.none;
  return seats === 'few' ? said.few : '';
}

/** Why nobody can register, in words; nothing while people can. */
function noticeOf({ status, registration, cancel_note }: EventDetail, said: EventTexts): string {
  if (status === 'canceled')
    return `<p role="status"><strong>${said.canceled}</strong>${cancel_note ? ` <bdi>${htmlText(cancel_note)}</bdi>` : ''}</p>\n`;
  if (status === 'ended') return `<p role="status">${said.ended}</p>\n`;
  return registration === 'closed' ? `<p role="status">${said.closed}</p>\n` : '';
}

const isBuyable = ({ status, registration, price }: EventDetail): boolean =>
  status === 'published' && registration === 'open' && price !== null;

function buttonsOf(event: EventDetail, said: EventTexts, buy: string): string {
  const { slug } = event;
  const buying = isBuyable(event)
    ? `<a class="button primary" href="${htmlText(`/checkout?item=event:${slug}`)}">${buy}</a> `
    : '';
  return `<p class="buttons">${buying}<a class="button" href="${htmlText(`/events/${slug}/calendar.ics`)}">${said.calendar}</a></p>\n`;
}

/** Data about an event for search engines: nothing in it can end the element that it stands in. @see schema.org/Event */
function structured({ baseUrl, name }: Site, event: EventDetail): string {
  const { title, summary, slug, starts_at, ends_at, mode, venue, status } = event;
  const attendance = { online: 'Online', in_person: 'Offline', hybrid: 'Mixed' }[mode] ?? 'Offline';
  const url = `${baseUrl}/events/${slug}`;
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: title,
    url,
    startDate: starts_at,
    endDate: ends_at,
    eventStatus: `https://schema.org/${status === 'canceled' ? 'EventCancelled' : 'EventScheduled'}`,
    eventAttendanceMode: `https://schema.org/${attendance}EventAttendanceMode`,
    ...(summary ? { description: summary } : {}),
    location: venue
      ? { '@type': 'Place', name: venue.name, ...(venue.address ? { address: venue.address } : {}) }
      : { '@type': 'VirtualLocation', url },
    organizer: { '@type': 'Organization', name, url: baseUrl },
  };
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

const head = (site: Site, event: EventDetail): string => {
  const url = htmlText(`${site.baseUrl}/events/${event.slug}`);
  const about = event.summary ? `<meta name="description" content="${htmlText(event.summary)}">\n` : '';
  return `${about}<link rel="canonical" href="${url}">
<link rel="alternate" type="text/calendar" href="${url}/calendar.ics">
<script type="application/ld+json">${structured(site, event)}</script>
`;
};

/** The page of an event that everybody may see, in the language of the reader. No script; data for search engines. */
export function eventPage(
  site: Site,
  { look }: Pick<School, 'look'>,
  event: EventDetail,
  language: UiLanguage,
): Document {
  const said = eventLanguages[language];
  const { skip, buy } = landingLanguages[language];
  const rows = [
    [said.when, spanOf(event, language)],
    [said.where, placeOf(event, said)],
    [said.price, event.price === null ? said.free : money(event.price, language)],
    [said.seats, event.status === 'published' ? seatsOf(event, said) : ''],
  ] as const;
  const registering = registrationSection(event, { language });
  const text = richTextHtml(event.description);
  const about = text
    ? `<section aria-labelledby="about"><h2 id="about">${said.about}</h2>\n<div class="text">${text}</div>\n</section>\n`
    : '';
  const main = `<section aria-labelledby="facts"><h2 id="facts">${said.facts}</h2>
${noticeOf(event, said)}${factList(rows)}${buttonsOf(event, said, buy)}</section>
${registering}${about}`;
  const lead = event.summary ? `<p><bdi>${htmlText(event.summary)}</bdi></p>\n` : '';
  const { html, policy } = pageShell(look, {
    language,
    title: `${htmlText(event.title)} · ${htmlText(site.name)}`,
    head: head(site, event),
    body: eventFrame(site, said, skip, event.title, lead, main),
    style: siteStyleWith(''),
    sources: { ...nothingLoaded, sendsForms: registering !== '' },
  });
  return document('text/html; charset=utf-8', html, {
    vary: 'Accept, Accept-Language',
    cache: 'public, no-cache',
    headers: policy,
  });
}
