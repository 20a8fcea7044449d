import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { OperationRequest, OperationResponse } from '@lyceum/web';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { schoolFrom } from '../routing/school.ts';
import { openForms } from './form-endpoint.ts';
import { formHtml } from './form-html.ts';
import { formLanguages } from './form-texts.ts';

const id = 'form_0195a3c2-7d10-7abc-8def-0123456789ab';
const hostile = `"><script>alert(1)</script><!-- {school} $& ' onload="x`;

const fields = [
  { key: 'name', label: 'Your name', type: 'text', required: false, max: 100, options: [] },
  { key: 'email', label: 'Your address', type: 'email', required: true, max: 254, options: [] },
  { key: 'topic', label: 'Topic', type: 'choice', required: false, max: null, options: ['courses', 'else'] },
  { key: 'news', label: 'Letters', type: 'checkbox', required: false, max: null, options: [] },
  { key: 'message', label: hostile, type: 'text', required: true, max: 5000, options: [] },
];
const form = {
  id,
  object: 'form',
  page_id: 'page_1',
  name: 'Internal',
  fields,
  consent: 'I agree.\nReally.',
  submit_message: hostile,
};

/** The content service of these tests. */
class ContentOfTests {
  readonly seen: OperationRequest[] = [];
  status = 201;
  error: object = {};
  isThere = true;

  readonly answer = async (request: OperationRequest): Promise<OperationResponse> => {
    this.seen.push(request);
    const headers = { 'retry-after': '7' };
    if (!this.isThere) return { status: 404, headers, body: {} };
    if (request.method === 'GET') return { status: 200, headers, body: form };
    return { status: this.status, headers, body: this.error };
  };
}

let content: ContentOfTests;
let base: string;
const logged: string[] = [];
const line = (...said: readonly unknown[]): void => void logged.push(JSON.stringify(said));
const closure = { current: undefined as 'closed' | 'suspended' | undefined };

const server = createServer((request, response) => {
  request.headers['x-school-id'] ??= 'school_1';
  request.headers['x-client-address'] = '192.0.2.7';
  void forms.forward(request, response, ['referrer-policy', 'no-referrer']);
});
const forms = openForms({
  school: (school) =>
    school === 'school_1'
      ? schoolFrom({ id: school, name: 'School & <Sons>', host: '127.0.0.1', base_url: base, closure: closure.current })
      : undefined,
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

const typed = { 'a.email': 'ada@example.org', 'a.message': 'Hello\r\nthere', 'a.topic': '', consent: 'true' };

async function ask(
  method: string,
  path: string,
  body?: string | URLSearchParams,
  headers: Record<string, string> = {},
) {
  const response = await fetch(base + path, {
    method,
    redirect: 'manual',
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const send = (sent: Record<string, string> = typed) => ask('POST', `/forms/${id}`, new URLSearchParams(sent));
const sentTo = () => content.seen.find(({ method }) => method === 'POST');

/** Markup of what people wrote, if anything let it. */
function expectHarmless({ text, headers }: { readonly text: string; readonly headers: Headers }) {
  expect(text).not.toMatch(/<script|<!--| onload="x"/);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action '(self|none)'; frame-ancestors 'none'$/,
  );
  expect(headers.get('cache-control')).toBe('no-store');
}

describe('a form of a page', () => {
  test('is shown alone, with what it asks for, and sends itself to the school only', async () => {
    const page = await ask('GET', `/forms/${id}`);
    expect(page.status).toBe(200);
    expectHarmless(page);
    for (const part of [
      `<form method="post" action="/forms/${id}"`,
      'type="email" autocomplete="email" id="f-email" name="a.email" required',
      '<option value="courses">courses</option>',
      '<textarea rows="6" id="f-message" name="a.message" required maxlength="5000">',
      'I agree.<br>Really.',
      '<p class="trap" aria-hidden="true">',
    ])
      expect(page.text).toContain(part);
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(page.text).not.toContain('Internal');
  });

  test('is sent for nobody, from the address of the browser, and leads to a page that may be loaded again', async () => {
    const headers = { cookie: 'lyceum_session=secret', origin: 'https://evil.test', authorization: 'Bearer x' };
    const got = await ask(
      'POST',
      `/forms/${id}`,
      new URLSearchParams({ ...typed, 'a.news': 'true', other: 'x' }),
      headers,
    );
    expect([got.status, got.headers.get('location')]).toEqual([303, `/forms/${id}/sent`]);
    expect(got.headers.getSetCookie()).toEqual([]);
    const sent = sentTo();
    expect(sent?.json).toEqual({
      answers: { email: 'ada@example.org', topic: '', news: true, message: 'Hello\nthere' },
      consent: true,
      website: '',
    });
    expect(sent?.headers).toMatchObject({ 'x-client-address': '192.0.2.7', 'x-school-id': 'school_1' });
    expect(JSON.stringify(sent?.headers)).not.toMatch(/secret|Bearer/);
    const thanks = await ask('GET', `/forms/${id}/sent`);
    expect(thanks.text).toContain('&lt;script&gt;');
    expectHarmless(thanks);
  });

  test('that is refused is shown again with what was typed, and what is wrong with it', async () => {
    content.status = 422;
    content.error = {
      error: 'validation_failed',
      details: [
        { path: 'answers.email', code: 'invalid_answer' },
        { path: 'answers.message', code: 'required' },
      ],
    };
    const got = await send({ ...typed, 'a.email': hostile, 'a.message': hostile });
    expect(got.status).toBe(422);
    expectHarmless(got);
    expect(got.text).toContain('aria-invalid="true" aria-describedby="f-email-problem"');
    expect(got.text).toContain(formLanguages.en.wrongAddress);
    expect(got.text).toContain(formLanguages.en.missing);
    expect(got.text).toContain('name="consent" value="true" checked');
  });

  test.each([
    [429, 429, formLanguages.en.tooOften],
    [500, 503, formLanguages.en.unavailable],
  ])('that is answered %i is shown again with what was typed', async (answered, status, said) => {
    content.status = answered;
    const got = await send();
    expect([got.status, got.headers.get('retry-after')]).toEqual([status, '7']);
    expect(got.text).toContain(said);
    expect(got.text).toContain('value="ada@example.org"');
  });

  test('is not there where no public page shows it, at other addresses, and in a closed school', async () => {
    content.isThere = false;
    for (const [method, path] of [
      ['GET', `/forms/${id}`],
      ['POST', `/forms/${id}`],
      ['GET', `/forms/${id}/sent`],
      ['GET', '/forms'],
      ['GET', '/forms/form_x'],
    ] as const)
      expect((await ask(method, path, method === 'POST' ? new URLSearchParams(typed) : undefined)).status).toBe(404);
    closure.current = 'suspended';
    expect((await ask('GET', `/forms/${id}`)).status).toBe(503);
    closure.current = undefined;
    expect((await ask('GET', `/forms/${id}`, undefined, { 'x-school-id': 'school_2' })).status).toBe(404);
  });

  test('takes no other kinds of bodies, none that is too long, and no other methods', async () => {
    const json = await ask('POST', `/forms/${id}`, JSON.stringify(typed), { 'content-type': 'application/json' });
    expect(json.status).toBe(400);
    expect(
      (await ask('POST', `/forms/${id}`, new URLSearchParams({ 'a.message': 'x'.repeat(210 * 1024) }))).status,
    ).toBe(413);
    expect((await ask('DELETE', `/forms/${id}`)).status).toBe(405);
    expect(sentTo()).toBeUndefined();
  });

  test('says in its log lines neither which form it is nor what was sent', async () => {
    await send();
    expect(logged.join('\n')).toContain('/forms/{form}');
    expect(logged.join('\n')).not.toMatch(/ada@example|0195a3c2/);
  });
});

test('a form speaks each language', () => {
  const { id: form_id, ...rest } = form;
  for (const [language, said] of Object.entries(formLanguages)) {
    const html = formHtml({ form_id, ...rest }, { language: language as keyof typeof formLanguages, prefix: 'x-' });
    expect(html).toContain(said.send);
    expect(new Set(Object.keys(said))).toEqual(new Set(Object.keys(formLanguages.en)));
  }
});
