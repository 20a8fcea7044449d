import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Collection } from '@lyceum/documents';
import { z } from 'zod';
import { tokenOf } from './consistency-token.ts';
import { cursorCodec, listOf, listQuery, listReply, operation } from '../index.ts';
import { type Serving, serving } from '../testing/serving.ts';

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

const scope = (of = 'test', epoch: string | undefined = service.ports.log.epoch) => ({
  cursors: cursorCodec('a secret for tests'),
  service: of,
  epoch,
});
const token = (
  position: number,
  { of = lane, ...more }: { of?: number; service?: string; epoch?: string; school?: string } = {},
) => tokenOf(scope(more.service, more.epoch), more.school ?? service.school.id, { lane: of, position })!;

const send = (sent: string, prefer?: string) =>
  service.send('/api/things', { headers: { 'consistency-token': sent, ...(prefer === undefined ? {} : { prefer }) } });
const ask = (position: number, prefer?: string, of?: Parameters<typeof token>[1]) => send(token(position, of), prefer);

const shown = ({ json }: Awaited<ReturnType<typeof ask>>) => (json as unknown as { data: unknown[] }).data.length;

describe('a list over a read model', () => {
  test('answers with the token of what it shows', async () => {
    await project();
    const got = await service.send('/api/things');
    expect([got.headers['consistency-token'], shown(got)]).toEqual([token(1), 1]);
    expect(got.headers['preference-applied']).toBeUndefined();
  });

  test('RFC 7240 §4.3: waits for what the caller has seen, and says that it would', async () => {
    const asked = ask(2, 'respond-async, wait=5');
    await project();
    await project();
    const got = await asked;
    expect([got.headers['consistency-token'], shown(got)]).toEqual([token(2), 2]);
    expect(got.headers['preference-applied']).toBe('wait=5');
  });

  test('RFC 7240 §2: a wait that is over answers with what is there', async () => {
    await project();
    const began = performance.now();
    const got = await ask(9, 'wait=1');
    expect(performance.now() - began).toBeGreaterThanOrEqual(950);
    expect([got.status, got.headers['consistency-token'], shown(got)]).toEqual([200, token(1), 1]);
    expect(got.headers['preference-applied']).toBeUndefined();
  });

  test('RFC 7240 §4.4: with handling=strict a wait that is over is 503, and one that is not is answered', async () => {
    await project();
    const late = await ask(9, 'handling=strict, wait=1');
    expect([late.status, late.json['error'], late.headers['retry-after']]).toEqual([
      503,
      'temporarily_unavailable',
      '1',
    ]);
    const there = await ask(1, 'wait=1; handling=strict');
    expect([there.status, there.headers['preference-applied']]).toEqual([200, 'wait=1']);
  });

  test('E-E2: a token of another service or another log epoch is not waited for, and nothing is said to be applied', async () => {
    await project();
    const began = performance.now();
    for (const other of [{ service: 'catalog' }, { epoch: 'before-the-restore' }]) {
      const got = await ask(9, 'handling=strict, wait=5', other);
      expect([got.status, got.headers['preference-applied'], shown(got)]).toEqual([200, undefined, 1]);
    }
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test('S14: a token tells nothing of the place that it names', async () => {
    const text = Buffer.from(token(123_456), 'base64url').toString('latin1');
    expect(text).not.toMatch(/123456|test/);
  });

  test('a token of the release before is still good', async () => {
    await project();
    const got = await send(`${lane}.1`, 'wait=5');
    expect([got.status, got.headers['preference-applied']]).toEqual([200, 'wait=5']);
    expect((await send(`${lane + 1}.1`)).status).toBe(400);
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
    expect((await ask(1, 'wait=5', { of: lane + 1 })).status).toBe(400);
    expect((await ask(1, 'wait=5', { school: 'school_2' })).status).toBe(400);
  });
});
