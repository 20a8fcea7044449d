import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Client, type System, call, startSystem, until } from '@lyceum/testkit';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asAnother, fileOf, hostile, mutate } from '../../testing/attacks/hostile-files.ts';

/** Mutated exports; ten thousand in the long form, which takes most of an hour. */
const mutations = Number(process.env['IMPORT_MUTATIONS'] ?? 60);
jest.setTimeout(120_000 + 500 * mutations);

const seed = Number(process.env['IMPORT_SEED'] ?? Date.now() % 1_000_000);

/** @see mulberry32, by Tommy Ettinger, public domain */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe('exported schools as an enemy writes them', () => {
  let [system, dataDir, text, jwks]: [System, string, string, unknown] = [undefined as never, '', '', undefined];
  let client: Client;
  const keys = async (base: string) => (await call(`${base}/api/oauth/jwks`)).body;
  const operator = () => ({ authorization: `Bearer ${system.operatorToken}` });

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lyceum-hostile-'));
    system = await startSystem({ dataDir });
    const school = (await call(`${system.baseUrl}/api/school`)).body.id as string;
    const url = `${system.operatorUrl}/internal/schools/${school}/export`;
    text = await (await fetch(url, { headers: operator() })).text();
    client = await Client.register(system.northQuayUrl);
    await client.tokens('owner@northquay.test', system.password, 'openid');
    jwks = await keys(system.northQuayUrl);
  });
  afterAll(async () => {
    await system.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const send = async (body: string, confirm = '') => {
    const headers = { ...operator(), 'content-type': 'application/x-ndjson' };
    const answer = await fetch(`${system.operatorUrl}/internal/schools/import${confirm}`, {
      method: 'POST',
      headers,
      body,
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const fresh = (number: number) =>
    asAnother(text, `moved-${number}`, `http://moved-${number}.localhost:${system.port}`);
  const schools = async () =>
    (await call(`${system.operatorUrl}/internal/schools?limit=100`, { token: system.operatorToken })).body.data
      .length as number;

  /** What a hostile school could have done to another one. */
  async function othersAreWell(): Promise<void> {
    const at = await call(`${system.northQuayUrl}/.well-known/openid-configuration`);
    expect(at.body.issuer).toBe(system.northQuayUrl);
    expect(await keys(system.northQuayUrl)).toEqual(jwks);
    const { access_token: token } = await client.tokens(
      'owner@northquay.test',
      system.password,
      'openid courses:write courses:read',
    );
    expect((await call(`${system.northQuayUrl}/api/courses`, { token })).status).toBe(200);
    await client.revoke(token);
    const isRevoked = async () => (await call(`${system.northQuayUrl}/api/courses`, { token })).status === 401;
    await until(isRevoked, 'the revocation');
    expect((await call(`${system.northQuayUrl}/api/changes`)).status).toBe(200);
  }

  test.each(Object.keys(hostile))('%s is refused, and nothing is written', async (name) => {
    const lines = fresh(0);
    const before = await schools();
    hostile[name]!(lines, { base_url: system.northQuayUrl });
    const body = fileOf(lines);
    const refused = await send(body);
    expect([name, refused.status, typeof refused.body['error_description']]).toEqual([
      name,
      refused.status === 409 ? 409 : 422,
      'string',
    ]);
    const digest = /"sha256":"(\w{64})"\}\}\n$/.exec(body)![1]!;
    expect((await send(body, `?confirm=${digest}`)).status).toBe(refused.status);
    expect(await schools()).toBe(before);
    expect(await readdir(join(dataDir, 'arrivals')).catch(() => [])).toEqual([]);
  });

  test('a summary tells what would come and writes nothing; only the digest of that very file confirms it', async () => {
    const body = fileOf(fresh(1));
    const before = await schools();
    const told = await send(body);
    expect([told.status, told.body]).toMatchObject([
      200,
      {
        object: 'arrival_summary',
        place: { slug: 'moved-1', host: `moved-1.localhost:${system.port}` },
        claims: [
          { kind: 'school-slug', value: 'moved-1' },
          { kind: 'school-host', value: `moved-1.localhost:${system.port}` },
        ],
      },
    ]);
    expect(await schools()).toBe(before);
    expect((await send(body, `?confirm=${'0'.repeat(64)}`)).status).toBe(409);
    expect(await schools()).toBe(before);
    const arrived = await send(body, `?confirm=${String(told.body['digest'])}`);
    expect([arrived.status, arrived.body]).toMatchObject([201, { object: 'arrival' }]);
    expect(await schools()).toBe(before + 1);
    expect((await call(`http://moved-1.localhost:${system.port}/api/school`)).status).toBe(200);
  });

  test(`${mutations} mutated exports: each is refused, or becomes a school that harms nobody; and the process starts again`, async () => {
    const random = randomFrom(seed);
    const outcomes = new Map<number, number>();
    for (let number = 0; number < mutations; number += 1) {
      const body = fileOf(mutate(fresh(1_000 + number), random));
      const told = await send(body);
      const done = told.status === 200 ? await send(body, `?confirm=${String(told.body['digest'])}`) : told;
      const context = `seed ${seed}, mutation ${number}: ${JSON.stringify(done.body).slice(0, 300)}`;
      expect([context, done.status < 500, done.status === 200]).toEqual([context, true, false]);
      outcomes.set(done.status, (outcomes.get(done.status) ?? 0) + 1);
      if (number % 200 === 199) await othersAreWell();
    }
    expect(outcomes.get(201) ?? 0).toBeGreaterThan(0);
    await othersAreWell();
    const alarms = (await call(`${system.operatorUrl}/internal/withheld`, { token: system.operatorToken })).body.data;
    expect([seed, alarms]).toEqual([seed, []]);
    await system.kill();
    system = await startSystem({ dataDir, port: system.port });
    await othersAreWell();
  });
});
