import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { uiLocales } from '@lyceum/contracts';
import type { OperationRequest, OperationResponse } from '@lyceum/web';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventLanguages } from '../../discovery/events/event-texts.ts';
import { schoolFrom } from '../../routing/school.ts';
import { openForms } from '../form-endpoint.ts';
import { formLanguages } from '../form-texts.ts';

const hostile = `"><script>alert(1)</script><!-- {school} $& ' onload="x`;
const joinUrl = 'https://meet.example/secret';
const event = {
  title: 'Lantern & evening',
  slug: 'lantern-evening',
  summary: null,
  description: [],
  starts_at: '2026-03-29T00:30:00.000Z',
  ends_at: '2026-03-29T02:00:00.000Z',
  timezone: 'Europe/Berlin',
  mode: 'online',
  venue: null,
  price: null as object | null,
  status: 'published',
  seats: 'available',
  registration: 'open',
  cancel_note: null,
  // Nothing that the API might say beside what pages show may show.
  join_url: joinUrl,
};

/** The content service of these tests. */
class ContentOfTests {
  readonly seen: OperationRequest[] = [];
  event: object | undefined = event;
  status = 201;
  body: object = { status: 'confirmed' };

  readonly answer = async (request: OperationRequest): Promise<OperationResponse> => {
    this.seen.push(request);
    const headers = { 'retry-after': '7' };
    if (!this.event) return { status: 404, headers, body: {} };
    if (request.path === '/api/events/former-slug')
      return { status: 308, headers: { location: '/api/events/lantern-evening' }, body: {} };
    return request.method === 'GET'
      ? { status: 200, headers, body: this.event }
      : { status: this.status, headers, body: this.body };
  };
}

let content: ContentOfTests;
let base: string;
const logged: string[] = [];
const line = (...said: readonly unknown[]): void => void logged.push(JSON.stringify(said));

const server = createServer((request, response) => {
  request.headers['x-school-id'] = 'school_1';
  request.headers['x-client-address'] = '192.0.2.7';
  void forms.forward(request, response, ['referrer-policy', 'no-referrer']);
});
const forms = openForms({
  school: (id) => schoolFrom({ id, name: 'School & <Sons>', host: '127.0.0.1', base_url: base }),
  clientOf: () => ({ ask: (request) => content.answer(request) }),
  clock: { now: () => 0 },
  logger: { info: line, error: line },
});
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
});
beforeEach(() => void (content = new ContentOfTests()));

const path = '/register/lantern-evening';
const typed = { 'a.name': ' Rita ', 'a.email': 'rita@example.org' };

async function ask(method: string, at: string, sent?: Record<string, string>, headers: Record<string, string> = {}) {
  const body = sent && new URLSearchParams(sent);
  const response = await fetch(base + at, { method, redirect: 'manual', headers, ...(body && { body }) });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const send = (sent: Record<string, string> = typed, headers?: Record<string, string>) =>
  ask('POST', path, sent, headers);
const sentTo = () => content.seen.find(({ method }) => method === 'POST');

/** No markup of what people wrote, and never where to take part. */
function expectHarmless({ text, headers }: { readonly text: string; readonly headers: Headers }) {
  expect(text).not.toMatch(/<script|<!--| onload="x"/);
  expect(text).not.toContain(joinUrl);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action '(self|none)'; frame-ancestors 'none'$/,
  );
  expect(headers.get('cache-control')).toBe('no-store');
}

describe('the form for guests of an event', () => {
  test('is shown alone, and asks for a name and an address', async () => {
    const shown = await ask('GET', path);
    expect(shown.status).toBe(200);
    expectHarmless(shown);
    for (const part of [
      `<form method="post" action="${path}"`,
      'type="email" autocomplete="email" id="r-email" name="a.email" required maxlength="254"',
      'type="text" autocomplete="name" id="r-name" name="a.name" maxlength="200"',
      '<p class="trap" aria-hidden="true">',
      'Lantern &amp; evening',
    ])
      expect(shown.text).toContain(part);
    expect(shown.headers.get('content-security-policy')).toContain("form-action 'self'");
  });

  test('is sent for nobody, from the address of the browser, in the language of the reader', async () => {
    const headers = {
      cookie: 'lyceum_session=secret',
      origin: 'https://evil.test',
      authorization: 'Bearer x',
      'accept-language': 'de',
    };
    const got = await send(typed, headers);
    expect([got.status, got.headers.get('location')]).toEqual([303, `${path}/confirmed`]);
    expect(got.headers.getSetCookie()).toEqual([]);
    const sent = sentTo();
    expect(sent?.path).toBe('/api/events/lantern-evening/registrations');
    expect(sent?.json).toEqual({ email: 'rita@example.org', name: 'Rita', language: 'de' });
    expect(sent?.headers).toMatchObject({ 'x-client-address': '192.0.2.7', prefer: 'wait=2' });
    expect(JSON.stringify(sent?.headers)).not.toMatch(/secret|Bearer/);
  });

  test.each([
    [201, { status: 'confirmed' }, 'confirmed', eventLanguages.en.statuses['confirmed']!],
    [201, { status: 'waitlisted' }, 'waitlisted', eventLanguages.en.statuses['waitlisted']!],
    [202, { status: 'pending' }, 'pending', eventLanguages.en.statuses['pending']!],
    [200, { status: 'confirmed' }, 'already', eventLanguages.en.already],
  ])('that is answered %i %j leads to a page that says so', async (status, body, outcome, said) => {
    content.status = status;
    content.body = body;
    const got = await send();
    expect([got.status, got.headers.get('location')]).toEqual([303, `${path}/${outcome}`]);
    const shown = await ask('GET', `${path}/${outcome}`);
    expect(shown.status).toBe(200);
    expectHarmless(shown);
    expect(shown.text).toContain(said);
    expect(shown.text).toContain('href="/events/lantern-evening"');
    expect(shown.text).not.toContain('<form');
  });

  test.each([
    [409, 'sold_out', eventLanguages.en.soldOut],
    [409, 'registration_closed', eventLanguages.en.closed],
    [409, 'started', eventLanguages.en.closed],
    [409, 'invalid_state', 'href="/checkout?item=event:lantern-evening"'],
  ])('that is refused %i %s says why, and asks no more', async (status, error, said) => {
    content.status = status;
    content.body = { error };
    const got = await send();
    expect(got.status).toBe(409);
    expectHarmless(got);
    expect(got.text).toContain(said);
    expect(got.text).not.toContain('<form');
  });

  test.each([
    [{ registration: 'sold_out', seats: 'none' }, eventLanguages.en.soldOut],
    [{ registration: 'closed' }, eventLanguages.en.closed],
    [{ status: 'ended', registration: 'closed' }, eventLanguages.en.ended],
    [{ status: 'canceled', registration: 'closed' }, eventLanguages.en.canceled],
    [{ price: { amount: 1_500, currency: 'USD' } }, '/checkout?item=event:lantern-evening'],
  ])('of an event that is %j is not there, and nothing is sent', async (more, said) => {
    content.event = { ...event, ...more };
    for (const [method, status] of [
      ['GET', 200],
      ['POST', 409],
    ] as const) {
      const got = await ask(method, path, method === 'POST' ? typed : undefined);
      expect(got.status).toBe(status);
      expectHarmless(got);
      expect(got.text).toContain(said);
      expect(got.text).not.toContain('<form');
    }
    expect(sentTo()).toBeUndefined();
  });

  test('of an event without seats is for its waitlist', async () => {
    content.event = { ...event, registration: 'waitlist', seats: 'none' };
    expect((await ask('GET', path)).text).toContain(`>${eventLanguages.en.joinWaitlist}</button>`);
  });

  test('that is refused is shown again with what was typed, and what is wrong with it', async () => {
    content.status = 422;
    content.body = { error: 'validation_failed', details: [{ path: 'email', code: 'invalid' }] };
    const got = await send({ 'a.name': hostile, 'a.email': hostile });
    expect(got.status).toBe(422);
    expectHarmless(got);
    expect(got.text).toContain('aria-invalid="true" aria-describedby="r-email-problem"');
    expect(got.text).toContain(formLanguages.en.wrongAddress);
    expect(got.text).toContain('role="alert"');
    const empty = await send({ 'a.name': 'Rita' });
    expect(empty.status).toBe(422);
    expect(empty.text).toContain(formLanguages.en.missing);
    expect(empty.text).toContain('value="Rita"');
  });

  test.each([
    [429, 429, formLanguages.en.tooOften],
    [500, 503, formLanguages.en.unavailable],
  ])('that is answered %i is shown again with what was typed', async (answered, status, said) => {
    content.status = answered;
    const got = await send();
    expect([got.status, got.headers.get('retry-after')]).toEqual([status, '7']);
    expect(got.text).toContain(said);
    expect(got.text).toContain('value="rita@example.org"');
  });

  test('that fills in the trap registers nobody', async () => {
    const got = await send({ ...typed, website: 'https://spam.example' });
    expect(got.status).toBe(422);
    expect(got.text).not.toContain('spam.example');
    expect(sentTo()).toBeUndefined();
  });

  test('follows an event to its present address', async () => {
    const shown = await ask('GET', '/register/former-slug');
    expect(shown.text).toContain(`action="${path}"`);
    await ask('POST', '/register/former-slug', typed);
    expect(sentTo()?.path).toBe('/api/events/lantern-evening/registrations');
  });

  test('takes no other kinds of bodies, none that is too long, and is nowhere else', async () => {
    const json = await fetch(base + path, {
      method: 'POST',
      body: JSON.stringify(typed),
      headers: { 'content-type': 'application/json' },
    });
    expect(json.status).toBe(400);
    expect((await send({ 'a.name': 'x'.repeat(20_000) })).status).toBe(413);
    for (const other of ['/register', '/register/x', `${path}/nothing`, `${path}/confirmed/x`])
      expect((await ask('GET', other)).status).toBe(404);
    content.event = undefined;
    expect((await ask('GET', path)).status).toBe(404);
    expect(sentTo()).toBeUndefined();
  });

  test('says in its log lines neither who registers nor for what', async () => {
    await send();
    expect(logged.join('\n')).toContain('/register/{event}');
    expect(logged.join('\n')).not.toMatch(/rita@|lantern-evening/);
  });

  test('speaks each language', async () => {
    for (const language of uiLocales) {
      const { text } = await ask('GET', path, undefined, { 'accept-language': language });
      for (const said of [eventLanguages[language].register, eventLanguages[language].guests])
        expect(text).toContain(said);
      expect(Object.keys(eventLanguages[language])).toEqual(Object.keys(eventLanguages.en));
    }
  });
});
