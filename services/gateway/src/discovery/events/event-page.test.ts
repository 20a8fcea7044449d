import { afterEach, describe, expect, test } from '@jest/globals';
import { type UiLanguage, uiLocales } from '@lyceum/contracts';
import { type TestEdge, openTestEdge } from '../../testing/test-edge.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import type { EventDetail, RegistrationDetail } from './event-detail.ts';
import { spanOf } from './event-facts.ts';
import { eventPage } from './event-page.ts';
import { registrationPage } from './registration-page.ts';
import { eventLanguages } from './event-texts.ts';

const site: Site = {
  name: 'School & <Sons>',
  baseUrl: 'https://school.example',
  docsUrl: 'https://docs.example',
  limitFactor: 1,
  hasMcp: false,
};
const times = { starts_at: '2026-03-29T00:30:00.000Z', ends_at: '2026-03-29T02:00:00.000Z', timezone: 'Europe/Berlin' };
const event: EventDetail = {
  title: 'Lantern evening',
  slug: 'lantern-evening',
  summary: null,
  description: [],
  ...times,
  mode: 'online',
  venue: null,
  price: null,
  status: 'published',
  seats: 'available',
  registration: 'open',
  cancel_note: null,
};
const registration: RegistrationDetail = {
  status: 'confirmed',
  waitlist_position: null,
  may_cancel: true,
  event: {
    title: 'Lantern evening',
    slug: 'lantern-evening',
    ...times,
    mode: 'online',
    venue: null,
    status: 'published',
  },
  join_url: 'https://meet.example/x',
};
const code = `0195a3c2-7d10-7abc-8def-0123456789ab-${'A'.repeat(43)}`;

const htmlOf = (more: Partial<EventDetail> = {}, language: UiLanguage = 'en') =>
  eventPage(site, { look: undefined }, { ...event, ...more }, language).body.toString();
const registrationOf = (more: Partial<RegistrationDetail> = {}, language: UiLanguage = 'en') =>
  registrationPage(site, { look: undefined }, { code, registration: { ...registration, ...more } }, language);

describe('the page of an event', () => {
  test('says when it is on the clocks of its place, which go forward meanwhile', () => {
    expect(spanOf(times, 'en').replaceAll(/\s/g, ' ')).toBe('Sunday, March 29, 2026 at 1:30 AM – 4:00 AM (GMT+1)');
    expect(htmlOf()).toContain('Online');
    expect(htmlOf({ mode: 'in_person', venue: { name: 'Loft', address: 'Rua 1' } })).toContain('Loft, Rua 1');
  });

  const form = '<form method="post" action="/register/lantern-evening"';
  test.each([
    [{}, form, '/checkout'],
    [{ price: { amount: 1_500, currency: 'USD' } }, '/checkout?item=event:lantern-evening', form],
    [{ registration: 'waitlist', seats: 'none' }, 'you can join the waitlist', '/checkout'],
    [{ registration: 'waitlist', seats: 'none' }, form, 'with your account'],
    [{ registration: 'sold_out', seats: 'none', price: { amount: 1, currency: 'USD' } }, 'None left', '/checkout'],
    [{ registration: 'sold_out', seats: 'none' }, 'None left', form],
    [{ registration: 'closed' }, 'The time to register is over.', form],
    [{ status: 'ended', registration: 'closed' }, 'This event is over.', form],
    [{ status: 'canceled', registration: 'closed', cancel_note: 'Ill' }, '<bdi>Ill</bdi>', form],
  ])('of %j says %j and not %j', (more, said, notSaid) => {
    const html = htmlOf(more);
    expect(html).toContain(said);
    expect(html).not.toContain(notSaid);
  });

  test('runs and loads nothing, whatever people have written', () => {
    const hostile = `</script><script>alert(1)</script>"'><img src=x onerror=alert(1)>`;
    for (const language of uiLocales) {
      const html = htmlOf(
        {
          title: hostile,
          summary: hostile,
          venue: { name: hostile, address: hostile },
          mode: 'hybrid',
          cancel_note: hostile,
          status: 'canceled',
          description: [
            { type: 'paragraph', text: [{ text: hostile, link: 'javascript:alert(1)' }] },
            { type: hostile, text: hostile },
          ],
        },
        language,
      );
      expect(html).not.toMatch(/<script(?! type="application\/ld\+json")|<img|javascript:/);
      expect(html.match(/<\/script>/g)).toHaveLength(1);
      expect(JSON.parse(/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '')).toMatchObject({ name: hostile });
    }
    const policyOf = (more: Partial<EventDetail>) =>
      eventPage(site, { look: undefined }, { ...event, ...more }, 'en').bodyHeaders['Content-Security-Policy'];
    expect(policyOf({})).toMatch(/default-src 'none'.*form-action 'self'/);
    expect(policyOf({ registration: 'closed' })).toMatch(/default-src 'none'.*form-action 'none'/);
  });

  test('is there in each language, with what is filled in', () => {
    for (const said of Object.values(eventLanguages)) {
      expect(said.all).toContain('{school}');
      expect(said.position).toContain('{count}');
      expect(Object.keys(said.statuses)).toEqual(Object.keys(eventLanguages.en.statuses));
    }
  });
});

describe('the page of a guest’s registration', () => {
  test('shows where to take part, and a button that needs no script; nobody finds it', () => {
    const { body, bodyHeaders: headers, cacheHeaders } = registrationOf();
    const html = body.toString();
    expect(html).toContain('href="https://meet.example/x"');
    expect(html).toContain(`<form method="post" action="/registrations/${code}/cancel">`);
    expect(html).toContain('noindex');
    expect(headers['Content-Security-Policy']).toMatch(/default-src 'none'.*form-action 'self'/);
    expect(cacheHeaders['Cache-Control']).toBe('no-store');
  });

  test('of what is over has no button', () => {
    const html = registrationOf({ status: 'canceled', may_cancel: false, join_url: null }).body.toString();
    expect(html).toContain('Your registration is canceled.');
    expect(html).not.toContain('<form');
  });

  test('says the place on the waitlist', () =>
    expect(registrationOf({ status: 'waitlisted', waitlist_position: 3 }).body.toString()).toContain('waitlist: 3'));
});

describe('at the address of a school', () => {
  let edge: TestEdge;
  afterEach(() => edge.close());
  const open = async () =>
    (edge = await openTestEdge(
      {},
      {
        calendarReading: {
          eventOf: async (_school, slug) => (slug === event.slug ? event : undefined),
          registrationOf: async (_school, asked) => (asked === code ? registration : undefined),
        },
      },
    ));
  const page = (path: string) =>
    fetch(`http://127.0.0.1:${edge.port}${path}`, { headers: { accept: 'text/html', 'accept-language': 'de' } });

  test('people read both, and that there is none', async () => {
    await open();
    const shown = await page('/events/lantern-evening');
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await shown.text()).toContain('Kostenlos');
    expect((await page(`/registrations/${code}`)).status).toBe(200);
    for (const path of ['/events/none', '/registrations/none']) expect((await page(path)).status).toBe(404);
  });
});
