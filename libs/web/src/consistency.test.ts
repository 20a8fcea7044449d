import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Collection } from '@lyceum/documents';
import { z } from 'zod';
import { listOf, listQuery, listReply, operation } from './index.ts';
import { type Serving, serving } from './testing/serving.ts';

const things: Collection = { name: 'things', version: 1, fields: {} };

const list = operation({
  id: 'listThings',
  method: 'GET',
  path: '/api/things',
  area: 'things',
  summary: 'List things',
  anonymous: true,
  readModel: things,
  query: z.strictObject(listQuery),
  status: 200,
  reply: listOf(z.object({ id: z.string() })),
  handle: async (call, { documents }) =>
    listReply(await documents.query(things, call.school, call.page), ({ id }) => ({ id })),
});

let service: Serving;
let lane: number;
let at = 0;

/** Brings the read model one position further, with one more thing. */
const project = async (): Promise<void> => {
  const { documents } = service.ports;
  await documents.apply(things, 'test', lane, at, at + 1, [{ tenant: service.school.id, id: `thing_${at}`, body: {} }]);
  at += 1;
};

beforeEach(async () => {
  service = await serving([list]);
  await service.ports.documents.open(things);
  lane = service.ports.log.laneOf(service.school.id);
  at = 0;
});
afterEach(() => service.close());

const ask = (position: number, prefer?: string, of = lane) =>
  service.send('/api/things', {
    headers: { 'consistency-token': `${of}.${position}`, ...(prefer === undefined ? {} : { prefer }) },
  });

const shown = ({ json }: Awaited<ReturnType<typeof ask>>) => (json as unknown as { data: unknown[] }).data.length;

describe('a list over a read model', () => {
  test('answers with the token of what it shows', async () => {
    await project();
    const got = await service.send('/api/things');
    expect([got.headers['consistency-token'], shown(got)]).toEqual([`${lane}.1`, 1]);
    expect(got.headers['preference-applied']).toBeUndefined();
  });

  test('RFC 7240 §4.3: waits for what the caller has seen, and says that it would', async () => {
    const asked = ask(2, 'respond-async, wait=5');
    await project();
    await project();
    const got = await asked;
    expect([got.headers['consistency-token'], shown(got)]).toEqual([`${lane}.2`, 2]);
    expect(got.headers['preference-applied']).toBe('wait=5');
  });

  test('RFC 7240 §2: a wait that is over answers with what is there', async () => {
    await project();
    const began = performance.now();
    const got = await ask(9, 'wait=1');
    expect(performance.now() - began).toBeGreaterThanOrEqual(950);
    expect([got.status, got.headers['consistency-token'], shown(got)]).toEqual([200, `${lane}.1`, 1]);
  });

  test('without a preference it does not wait', async () => {
    const began = performance.now();
    const got = await ask(9);
    expect([got.status, got.headers['preference-applied']]).toEqual([200, undefined]);
    expect(performance.now() - began).toBeLessThan(900);
  });

  test.each(['x', '1', '1.', '.1', '1.-1', '1.1.1', '-1.1', '1.1e3', '0.99999999999999999999'])(
    'a token that is none, such as %s, is 400',
    async (token) => {
      const { status, json } = await service.send('/api/things', { headers: { 'consistency-token': token } });
      expect([status, json['error']]).toEqual([400, 'invalid_request']);
    },
  );

  test('a token of another lane, so of another school, is 400', async () => {
    expect((await ask(1, 'wait=5', lane + 1)).status).toBe(400);
  });
});
