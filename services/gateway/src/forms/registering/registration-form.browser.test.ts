import { afterAll, describe, expect, test } from '@jest/globals';
import { uiLocales } from '@lyceum/contracts';
import { launchBrowser } from '@lyceum/testkit';
import type { OperationRequest, OperationResponse } from '@lyceum/web';
import axe from 'axe-core';
import type { EventDetail } from '../../discovery/events/event-detail.ts';
import { type TestEdge, openTestEdge } from '../../testing/test-edge.ts';
import { openForms } from '../form-endpoint.ts';

const browser = await launchBrowser();
const inBrowser = browser ? describe : describe.skip;

const event: EventDetail = {
  title: 'An evening of lanterns',
  slug: 'lantern-evening',
  summary: 'We fold four lanterns and walk through the old town with them.',
  description: [{ type: 'paragraph', text: [{ text: 'Bring a knife and warm shoes.' }] }],
  starts_at: '2026-03-29T18:30:00.000Z',
  ends_at: '2026-03-29T20:00:00.000Z',
  timezone: 'Europe/Lisbon',
  mode: 'in_person',
  venue: { name: 'Loft', address: 'Rua da Prata 1, Lisboa' },
  price: null,
  status: 'published',
  seats: 'few',
  registration: 'open',
  cancel_note: null,
};
/** Events by their slugs. */
const events: Readonly<Record<string, EventDetail>> = Object.fromEntries(
  [
    event,
    { ...event, slug: 'full', seats: 'none', registration: 'waitlist' },
    { ...event, slug: 'sold-out', seats: 'none', registration: 'sold_out' },
    { ...event, slug: 'paid', price: { amount: 1_500, currency: 'USD' } },
  ].map((each) => [each.slug, each]),
);

const sent: unknown[] = [];

async function answer({ method, path, json }: OperationRequest): Promise<OperationResponse> {
  const found = events[path.split('/')[3] ?? ''];
  if (!found) return { status: 404, headers: {}, body: {} };
  if (method === 'GET') return { status: 200, headers: {}, body: found };
  const { email } = json as { email: string };
  if (!email.includes('.'))
    return { status: 422, headers: {}, body: { error: 'validation_failed', details: [{ path: 'email', code: 'x' }] } };
  sent.push(json);
  return { status: 201, headers: {}, body: { status: found.registration === 'waitlist' ? 'waitlisted' : 'confirmed' } };
}

const forms = openForms({
  school: (id) => edge.hosts.byId(id),
  clientOf: () => ({ ask: answer }),
  clock: { now: () => 0 },
  logger: { info: () => undefined, error: () => undefined },
});
const edge: TestEdge = await openTestEdge(
  { forms: (request, response) => void forms.forward(request, response) },
  {
    calendarReading: {
      eventOf: async (_school, slug) => events[slug],
      registrationOf: async () => undefined,
    },
  },
);
afterAll(async () => {
  await browser?.close();
  await edge.close();
});
const base = `http://127.0.0.1:${edge.port}`;

inBrowser('the form for guests of an event', () => {
  test('registers without scripts, on the page of the event', async () => {
    const page = await browser!.newPage({ javaScriptEnabled: false, locale: 'de' });
    const complaints: string[] = [];
    page.on('console', (message) => void complaints.push(message.text()));
    await page.goto(`${base}/events/lantern-evening`);
    await page.getByLabel('Ihr Name').fill('Rita');
    await page.getByLabel('Ihre E-Mail-Adresse').fill('rita@guests');
    await page.getByRole('button', { name: 'Anmelden' }).click();
    // The form is there again, with what was typed and what is wrong.
    expect(await page.getByLabel('Ihr Name').inputValue()).toBe('Rita');
    expect(await page.getByRole('alert').textContent()).toContain('noch nicht abgeschickt');
    await page.getByLabel('Ihre E-Mail-Adresse').fill('rita@guests.test');
    await page.getByRole('button', { name: 'Anmelden' }).click();
    expect(page.url()).toBe(`${base}/register/lantern-evening/confirmed`);
    expect(await page.getByRole('status').textContent()).toBe('Sie haben einen Platz.');
    expect(sent).toEqual([{ email: 'rita@guests.test', name: 'Rita', language: 'de' }]);
    expect(complaints.filter((each) => !each.includes('status of 422'))).toEqual([]);
    await page.getByRole('link', { name: 'Zur Veranstaltung' }).click();
    expect(page.url()).toBe(`${base}/events/lantern-evening`);
    await page.close();
  });

  test('puts guests on the waitlist of an event that is full', async () => {
    const page = await browser!.newPage({ javaScriptEnabled: false });
    await page.goto(`${base}/events/full`);
    await page.getByLabel('Your e-mail address').fill('otto@guests.test');
    await page.getByRole('button', { name: 'Join the waitlist' }).click();
    expect(page.url()).toBe(`${base}/register/full/waitlisted`);
    await page.close();
  });

  const rules = JSON.stringify(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
  test.each([
    '/events/lantern-evening',
    '/events/full',
    '/events/sold-out',
    '/events/paid',
    '/register/lantern-evening',
    '/register/paid',
    '/register/sold-out',
    '/register/lantern-evening/confirmed',
    '/register/lantern-evening/already',
    'a refusal',
  ])('WCAG 2.2 AA: axe finds nothing in %s, light and dark, wide and narrow', async (path) => {
    const page = await browser!.newPage({ bypassCSP: true });
    await page.goto(base + (path === 'a refusal' ? '/events/lantern-evening' : path));
    if (path === 'a refusal') {
      await page.getByLabel('Your e-mail address').fill('rita@guests');
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByRole('alert').waitFor();
    }
    await page.addScriptTag({ content: axe.source });
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [320, 1_280]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        const found = await page.evaluate(`axe.run({ runOnly: ${rules} }).then(({ violations }) =>
          violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
        expect([path, colorScheme, width, found]).toEqual([path, colorScheme, width, []]);
      }
    await page.close();
  });

  test.each(uiLocales)('fits a narrow screen in %s', async (locale) => {
    const page = await browser!.newPage({ locale, viewport: { width: 320, height: 700 } });
    for (const path of ['/events/lantern-evening', '/events/full', '/register/lantern-evening/waitlisted']) {
      await page.goto(base + path);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    await page.close();
  });
});
