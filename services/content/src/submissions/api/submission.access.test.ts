import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { type Sent, type ServiceUnderTest, enginesOf, serviceUnderTest } from '@lyceum/testkit-service';
import { content } from '../../module.ts';
import { formIds, shownForms } from '../../testing/shown-forms.ts';

const engines = enginesOf(content);
let service: ServiceUnderTest;
beforeAll(async () => {
  service = await serviceUnderTest(content, { engines, given: { school_1: shownForms } });
});
afterAll(() => service.close());
let senders = 0;
beforeEach(() => void (senders += 1));

const contact = `/api/forms/${formIds.contact}/submissions`;
const head = { role: 'admin', scopes: ['forms:read', 'pages:write'] } as const;
let messages = 0;

/** A message that nobody has sent before. */
const message = (text = 'When does the next course begin?') => `${text} ${(messages += 1)}`;

const send = (answers: object, more: object = {}, sent: Sent = {}) =>
  service.call('POST', contact, {
    as: 'anonymous',
    body: { answers, ...more },
    headers: { 'x-client-address': `192.0.2.${senders}` },
    ...sent,
  });

const sent = async (answers: object = {}, more: object = {}, as: Sent = {}) => {
  const text = message();
  const got = await send({ email: 'ada@example.org', message: text, ...answers }, more, as);
  expect(got.status).toBe(201);
  await service.settled();
  const { body } = await service.call('GET', `${contact}?limit=1&sort=-created_at`, { as: head });
  return body.data[0];
};

const list = async (query = '', as: Sent['as'] = head) =>
  (await service.call('GET', `${contact}?${query}`, { as })).body.data.map(({ id }: { id: string }) => id);

describe('submissions', () => {
  test.each<[string, Sent['as'], number, string | undefined]>([
    ['owner', { role: 'owner' }, 200, undefined],
    ['admin', { role: 'admin' }, 200, undefined],
    ['lecturer', { role: 'lecturer', scopes: ['forms:read', 'pages:write'] }, 403, 'access_denied'],
    ['member', { role: 'member', scopes: ['forms:read', 'pages:write'] }, 403, 'access_denied'],
    ['admin without the scopes', { role: 'admin', scopes: ['courses:read'] }, 403, 'insufficient_scope'],
  ])('are read and judged by an %s as far as the role allows', async (_who, as, status, error) => {
    const { id } = await sent();
    for (const [method, at] of [
      ['GET', contact],
      ['GET', `${contact}/export`],
      ['GET', `${contact}/${id}`],
      ['POST', `${contact}/${id}/spam`],
      ['POST', `${contact}/${id}/accept`],
    ] as const) {
      const got = await service.call(method, at, as ? { as } : {});
      expect([at, got.status, got.body?.error]).toEqual([at, status, error]);
    }
    const removed = await service.call('DELETE', `${contact}/${id}`, as ? { as } : {});
    expect([removed.status, removed.body?.error]).toEqual(error ? [403, error] : [204, undefined]);
  });

  test('are nothing to visitors, to other forms and to other schools', async () => {
    const { id } = await sent();
    expect(await list('', 'anonymous')).toEqual([]);
    expect((await service.call('GET', `${contact}/${id}`, { as: 'anonymous' })).status).toBe(404);
    expect((await service.call('GET', `${contact}/export`, { as: 'anonymous' })).status).toBe(404);
    expect((await service.call('DELETE', `${contact}/${id}`, { as: 'anonymous' })).body.error).toBe('access_denied');
    const other = `/api/forms/${formIds.newsletter}/submissions/${id}`;
    expect((await service.call('GET', other, { as: head })).status).toBe(404);
    expect((await service.call('DELETE', other, { as: head })).status).toBe(404);
    expect((await service.call('GET', `${contact}/${id}`, { as: head, school: 'school_2' })).status).toBe(404);
    expect((await service.call('DELETE', `${contact}/${id}`, { as: head, school: 'school_2' })).status).toBe(404);
  });

  test('are exported as CSV that no spreadsheet calculates', async () => {
    const formula = '=HYPERLINK("https://evil.test","click")';
    const { id } = await sent({ name: formula, message: message('+1,"two"\nlines') });
    const { status, body, headers } = await service.call('GET', `${contact}/export`, { as: head });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const rows: Record<string, string>[] = parse(body, { columns: true });
    const row = rows.find((each) => each['id'] === id);
    expect(row).toMatchObject({ 'Your name': `'${formula}`, email: 'ada@example.org', state: 'accepted' });
    expect(row?.['Message']).toMatch(/^'\+1,"two"\nlines \d+$/);
    expect(Object.keys(row ?? {})).toEqual([
      'id',
      'sent_at',
      'state',
      'member_id',
      'email',
      'consent_at',
      'spam_score',
      'Your name',
      'Your address',
      'Topic',
      'Message',
      'other_answers',
    ]);
  });
});
