import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Sent, type ServiceUnderTest, enginesOf, serviceUnderTest } from '@lyceum/testkit-service';
import { disagreements } from '@lyceum/web';
import { content } from '../../module.ts';
import { formIds, shownForms } from '../../testing/shown-forms.ts';
import { submissionRejections } from './submission.reading.ts';

const engines = enginesOf(content);
let service: ServiceUnderTest;
beforeAll(async () => {
  service = await serviceUnderTest(content, { engines, given: { school_1: shownForms } });
});
afterAll(() => service.close());
let senders = 0;
beforeEach(() => void (senders += 1));

const contact = `/api/forms/${formIds.contact}/submissions`;
const member = { role: 'member', subject: 'account_ada', scopes: ['account:write'] } as const;
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

describe('a form that is sent', () => {
  test('rejects with the statuses of the error table', () => expect(disagreements(submissionRejections)).toEqual([]));

  test('is read by the staff with what was asked, and the sender reads nothing of what became of it', async () => {
    const text = message();
    const got = await send({ name: 'Ada', email: 'Ada@example.org', topic: 'courses', message: text });
    expect([got.status, got.body]).toEqual([
      201,
      {
        object: 'submission_receipt',
        form_id: formIds.contact,
        message: 'Thank you.',
        created_at: expect.any(String),
        view: 'anonymous',
      },
    ]);
    await service.settled();
    const { body } = await service.call('GET', `${contact}?email=ADA@example.org&limit=1`, { as: head });
    expect(body.data[0]).toMatchObject({
      object: 'submission',
      email: 'Ada@example.org',
      answers: [
        { key: 'name', label: 'Your name', value: 'Ada' },
        { key: 'email', label: 'Your address', value: 'Ada@example.org' },
        { key: 'topic', label: 'Topic', value: 'courses' },
        { key: 'message', label: 'Message', value: text },
      ],
      consent: null,
      member_id: null,
      state: 'accepted',
      spam_score: 0,
      ip_hash: expect.stringMatching(/^[0-9a-f]{32}$/),
      view: 'staff',
    });
    expect(JSON.stringify(body)).not.toContain('192.0.2.');
    expect((await service.call('GET', `${contact}/${body.data[0].id}`, { as: head })).body).toEqual(body.data[0]);
  });

  test('with the token of a member is known as theirs', async () => {
    expect((await sent({}, {}, { as: member })).member_id).toBe('account_ada');
    const refused = await send(
      { email: 'a@b.test', message: 'x' },
      {},
      { as: { ...member, scopes: ['account:read'] } },
    );
    expect(refused.body.error).toBe('insufficient_scope');
  });

  test.each([
    ['what it requires is missing', { message: 'x' }, 422, 'answers.email', 'required'],
    [
      'it is asked for nothing like that',
      { email: 'a@b.test', message: 'x', age: '5' },
      422,
      'answers.age',
      'unknown_field',
    ],
    ['an address is none', { email: 'nobody', message: 'x' }, 422, 'answers.email', 'invalid_answer'],
    ['a text has a NUL', { email: 'a@b.test', message: 'x\u0000' }, 422, 'answers.message', 'invalid_answer'],
  ])('is refused when %s', async (_what, answers, status, path, code) => {
    const got = await send(answers);
    expect([got.status, got.body.details]).toEqual([status, [expect.objectContaining({ path, code })]]);
  });

  test('is refused with members that no body has, or with more than 64 KiB', async () => {
    expect((await send({ email: 'a@b.test', message: 'x' }, { page: 1 })).status).toBe(422);
    const big = { answers: { email: 'a@b.test', message: 'x'.repeat(66_000) } };
    expect((await send({}, big)).status).toBe(413);
  });

  test('is not there when no page shows it, or in another school', async () => {
    const body = { answers: { email: 'a@b.test' } };
    for (const [id, school] of [
      [formIds.retired, 'school_1'],
      [formIds.contact, 'school_2'],
      ['form_0195a3c2-7d10-7abc-8def-0123456789ab', 'school_1'],
    ] as const) {
      const got = await service.call('POST', `/api/forms/${id}/submissions`, { as: 'anonymous', body, school });
      expect(got.status).toBe(404);
    }
  });

  test('is sent by one address five times in a minute, and by others too', async () => {
    const answers = () => ({ email: 'a@b.test', message: message() });
    const statuses = [];
    for (let times = 0; times < 6; times += 1) statuses.push((await send(answers())).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    senders += 1;
    expect((await send(answers())).status).toBe(201);
  });

  test('with the same Idempotency-Key is sent once', async () => {
    const headers = { 'idempotency-key': 'the-same', 'x-client-address': `192.0.2.${senders}` };
    await service.settled();
    const before = (await list('limit=100')).length;
    const answers = { email: 'a@b.test', message: message() };
    for (let times = 0; times < 2; times += 1) expect((await send(answers, {}, { headers })).status).toBe(201);
    await service.settled();
    expect((await list('limit=100')).length).toBe(before + 1);
  });
});

describe('what looks like spam', () => {
  const stateOf = async (more: object, text = message()) => {
    expect((await send({ email: 'spam@example.org', message: text }, more)).status).toBe(201);
    await service.settled();
    const find = async (state: string) =>
      (await service.call('GET', `${contact}?state=${state}&limit=100`, { as: head })).body.data;
    const all = (await Promise.all(['received', 'accepted', 'spam'].map(find))).flat();
    return all
      .filter(({ answers }: { answers: { value: string }[] }) => answers.some(({ value }) => value === text))
      .map(({ state }: { state: string }) => state)
      .toSorted();
  };

  test('is kept apart from what a person should look at, and from the rest', async () => {
    expect(await stateOf({})).toEqual(['accepted']);
    expect(await stateOf({ website: 'https://spam.test' })).toEqual(['spam']);
    expect(await stateOf({}, message('https://a.test https://b.test https://c.test'))).toEqual(['received']);
    expect(await stateOf({ shown_at: new Date(service.clock.now()).toISOString() })).toEqual(['received']);
    expect(await stateOf({ shown_at: new Date(service.clock.now() - 60_000).toISOString() })).toEqual(['accepted']);
  });

  test('is also what was sent a moment ago', async () => {
    const text = message();
    expect(await stateOf({}, text)).toEqual(['accepted']);
    expect(await stateOf({}, ` ${text.toUpperCase()}`.trim())).toEqual(['spam']);
  });

  test('is not what many people answer alike', async () => {
    const newsletter = `/api/forms/${formIds.newsletter}/submissions`;
    const body = { answers: { name: 'Ada', email: 'ada.lovelace@a-long-name.example.org' } };
    for (let times = 0; times < 3; times += 1) {
      const headers = { 'x-client-address': `198.51.100.${times}` };
      expect((await service.call('POST', newsletter, { as: 'anonymous', body, headers })).status).toBe(201);
    }
    await service.settled();
    const { data } = (await service.call('GET', `${newsletter}?limit=100`, { as: head })).body;
    expect(data.map(({ state }: { state: string }) => state)).toEqual(['accepted', 'accepted', 'accepted']);
  });

  test('is left out of the list, and the staff may think otherwise', async () => {
    const { id } = await sent();
    const judge = (below: string, as: Sent['as'] = head) => service.call('POST', `${contact}/${id}/${below}`, { as });
    expect((await judge('spam')).body.state).toBe('spam');
    await service.settled();
    expect(await list('limit=100')).not.toContain(id);
    expect(await list('state=spam&limit=100')).toContain(id);
    expect((await judge('accept')).body.state).toBe('accepted');
    expect((await judge('accept')).body.version).toBe(3);
    const stale = { 'if-match': '"1"' };
    expect((await service.call('POST', `${contact}/${id}/spam`, { as: head, headers: stale })).status).toBe(412);
  });
});
