import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execute } from '@lyceum/eventlog';
import { type Decider, type DomainEvent, isRejection, reject } from '@lyceum/kernel';
import { z } from 'zod';
import { idempotencyKey } from './idempotency.ts';
import { operation, problemOf } from '../index.ts';
import { type Sent, type Serving, serving } from '../testing/serving.ts';

type Made = DomainEvent<'ThingMade', { title: string }>;
const decider: Decider<{ title?: string }, { title: string }, Made, 'invalid_state'> = {
  events: { ThingMade: { version: 1, data: z.object({ title: z.string() }) } },
  initial: {},
  decide: ({ title }) => (title === 'no' ? reject('invalid_state', 'No') : [{ type: 'ThingMade', data: { title } }]),
  evolve: (_, { data }) => ({ title: data.title }),
};

let gate: Promise<void> | undefined;
const create = operation({
  id: 'createThing',
  method: 'POST',
  path: '/api/things',
  area: 'courses',
  summary: 'Create a thing',
  anonymous: true,
  status: 201,
  body: z.object({ title: z.string() }),
  async handle(call, { log, ids }) {
    await gate;
    const { school: tenant, at, meta, body: command, commit } = call;
    const done = await execute(log, decider, { tenant, stream: ids.next('thing'), command, at, meta, ...commit });
    if (isRejection(done)) throw problemOf(done, { invalid_state: 409 });
    return { body: { id: done.stream, title: done.state.title }, version: done.version };
  },
});
const other = operation({ ...create, id: 'createOther', path: '/api/others' });

let service: Serving;
beforeAll(async () => {
  service = await serving([create, other]);
});
afterAll(() => service.close());

const post = (key: string | undefined, title: string, more: Sent = {}, path = '/api/things') =>
  service.send(path, {
    method: 'POST',
    body: { title },
    ...more,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });

describe('draft-ietf-httpapi-idempotency-key-header', () => {
  test('§2.1: the key is a structured-field string, or leniently a bare token', () => {
    expect(idempotencyKey('"8e03978e-40d5-43dd"')).toBe('8e03978e-40d5-43dd');
    expect(idempotencyKey('8e03978e-40d5-43dd')).toBe('8e03978e-40d5-43dd');
    expect(idempotencyKey('"a \\"b\\" \\\\"')).toBe('a "b" \\');
    expect(idempotencyKey('')).toBeUndefined();
    expect(idempotencyKey(`"${'k'.repeat(255)}"`)).toHaveLength(255);
  });

  test.each(['""', '"a', 'a b', 'a,b', '"a", "b"', '"a";x=1', '"é"', 'é', '"\\n"', `"${'k'.repeat(256)}"`])(
    '§2.1: %s is refused',
    (header) => {
      expect(() => idempotencyKey(header)).toThrow('Idempotency-Key');
    },
  );

  test('§2.6: a repeat answers as the first time and writes once', async () => {
    const first = await post('"key-1"', 'a');
    const second = await post('"key-1"', 'a');
    expect(first.status).toBe(201);
    expect([second.status, second.json, second.headers.etag]).toEqual([201, first.json, first.headers.etag]);
    const lane = service.ports.log.laneOf('school_1');
    expect(await service.ports.log.head(lane)).toBe(1);
  });

  test('§2.6: without a key, each request is a new one', async () => {
    expect((await post(undefined, 'a')).json['id']).not.toEqual((await post(undefined, 'a')).json['id']);
  });

  test('§2.7: the key with another body is 422 idempotency_key_reused and writes nothing', async () => {
    const as = { client: 'c1', subject: 's1' };
    await post('"key-2"', 'a', { as });
    const { status, json } = await post('"key-2"', 'b', { as });
    expect([status, json['error']]).toEqual([422, 'idempotency_key_reused']);
  });

  test('§2.7: of callers without a token, who are nobody in particular, a key counts with what is asked', async () => {
    const [first, other, again] = [await post('"key-6"', 'a'), await post('"key-6"', 'b'), await post('"key-6"', 'a')];
    expect([first.status, other.status, again.json]).toEqual([201, 201, first.json]);
    expect(other.json['id']).not.toEqual(first.json['id']);
  });

  test('a refused request leaves the key free for a corrected one', async () => {
    expect((await post('"key-3"', 'no')).json['error']).toBe('invalid_state');
    expect((await post('"key-3"', 'yes')).status).toBe(201);
  });

  test('a key belongs to school, client, subject, operation and path', async () => {
    const sent: Sent[] = [
      {},
      { as: { client: 'c1', subject: 's1' } },
      { as: { client: 'c2', subject: 's1' } },
      { as: { client: 'c1', subject: 's2' } },
    ];
    const answers = [
      ...(await Promise.all(sent.map((who) => post('"key-4"', 'a', who)))),
      await post('"key-4"', 'a', {}, '/api/others'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map(({ json }) => json['id'])).size).toBe(5);
  });

  test('§2.7: while a request runs, another with its key is 409 idempotency_in_progress, and free afterwards', async () => {
    let open = () => {};
    gate = new Promise((resolve) => (open = resolve));
    const race = Promise.all(
      [post('"key-5"', 'a'), post('"key-5"', 'a')].map(async (each) => {
        const answer = await each;
        open();
        return answer;
      }),
    );
    const answers = (await race).sort((a, b) => a.status - b.status);
    gate = undefined;
    expect(answers.map(({ status, json }) => [status, json['error']])).toEqual([
      [201, undefined],
      [409, 'idempotency_in_progress'],
    ]);
    expect(answers[1]!.headers['retry-after']).toBe('1');
    expect((await post('"key-5"', 'a')).json).toEqual(answers[0]!.json);
  });

  test('a malformed key is 400', async () => {
    expect((await post('"a', 'a')).json['error']).toBe('invalid_request');
  });
});
