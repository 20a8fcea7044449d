import { type BackingServer, type FaultProxy, availability, startFaultProxy } from '@lyceum/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { mongodbEventLog } from './mongodb.ts';
import { ConcurrencyConflict, OutcomeUnknown, Unavailable } from '../errors.ts';
import type { EventLog } from '../port.ts';
import { checkHistory } from '../testing/mongodb-history.ts';
import { noted, sampleAppend, tenantsApart } from '../testing/sample.ts';

const found = await Promise.all([availability('mongodb'), availability('mongodb-indexed')]);
const own = found.flatMap(({ engines }) => engines.filter(({ origin }) => origin !== 'given'));
for (const { engines, reason } of found)
  if (engines.every(({ origin }) => origin === 'given'))
    test.skip(`faults of MongoDB-wire servers: ${reason || 'the server is given'}`, () => undefined);

/** What a client of the log was told. */
interface Told {
  readonly acknowledged: string[];
  readonly unknown: string[];
  conflicts: number;
  unavailable: number;
  /** Why the last one that was not written was not. */
  why: unknown;
}

/** Callers that append to shared streams until they are told to stop, each with or without an expectation. */
async function callers(log: EventLog, count: number, going: () => boolean, told: Told): Promise<void> {
  const tenants = tenantsApart(log, log.lanes);
  const caller = async (index: number): Promise<void> => {
    for (let n = 0; going(); n += 1) {
      const stream = `shared-${n % 3}`;
      const expected = n % 2 ? [{ stream, version: n }] : [];
      const tenant = tenants[(index + n) % tenants.length]!;
      await attempt(log, sampleAppend({ tenant, expectations: expected, events: [noted(stream)] }), told);
    }
  };
  await Promise.all(Array.from({ length: count }, (_, index) => caller(index)));
}

async function attempt(log: EventLog, append: ReturnType<typeof sampleAppend>, told: Told): Promise<void> {
  try {
    const { commit } = await log.append(append);
    told.acknowledged.push(`${commit.lane} ${commit.position} ${commit.commitId}`);
  } catch (error) {
    if (error instanceof ConcurrencyConflict) told.conflicts += 1;
    else if (error instanceof Unavailable) [told.unavailable, told.why] = [told.unavailable + 1, error.cause];
    else if (error instanceof OutcomeUnknown) told.unknown.push(append.commitId);
    else throw error;
  }
}

const nothing = (): Told => ({ acknowledged: [], unknown: [], conflicts: 0, unavailable: 0, why: '' });

describe.each(own)('$title', (engine) => {
  let server: BackingServer;
  let proxy: FaultProxy;
  let database: string;
  beforeAll(async () => {
    server = await engine.start();
    proxy = await startFaultProxy(server.url);
  }, 180_000);
  afterAll(async () => {
    await proxy.stop();
    await server.stop();
  });
  const open = (url: string, lanes = 2): Promise<EventLog> =>
    mongodbEventLog({ url, database, lanes, ...(engine.usedAs && { engine: engine.usedAs }) });
  const named = (name: string): string => (database = `${name}_${randomUUID().slice(0, 8)}`);
  /** Through the proxy; a replica set would lead the driver around it. */
  const viaProxy = (): string => `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`;

  test('two logs on two connections race 64 callers for the same streams: each acknowledgement once, in one chain', async () => {
    named('race');
    const logs = await Promise.all([open(server.url), open(`${server.url}?appName=other`)]);
    const told = nothing();
    const until = Date.now() + 4_000;
    await Promise.all(logs.map((log) => callers(log, 32, () => Date.now() < until, told)));
    await Promise.all(logs.map((log) => log.close()));
    const { commits, faults } = await checkHistory(server.url, database, told.acknowledged);
    expect(faults).toEqual([]);
    // A machine under load may make somebody give up; nobody is left in the dark about what is stored.
    expect(commits).toBeGreaterThanOrEqual(told.acknowledged.length);
    expect(commits).toBeLessThanOrEqual(told.acknowledged.length + told.unknown.length);
    expect(told.acknowledged.length).toBeGreaterThan(64);
    expect(told.conflicts).toBeGreaterThan(0);
  }, 180_000);

  test('C1, C3, C4: connections cut at random: acknowledged commits are there once, the others at most once', async () => {
    named('cut');
    const direct = await open(server.url);
    const log = await open(viaProxy());
    const told = nothing();
    let cutting = true;
    const done = Promise.all([callers(log, 16, () => cutting, told), callers(direct, 4, () => cutting, told)]);
    for (let cut = 0; cut < 40; cut += 1) {
      await pause(Math.random() * 120);
      if (cut % 8 === 7) proxy.swallowAnswers();
      await pause(cut % 8 === 7 ? 30 : 0);
      proxy.drop();
      proxy.restore();
    }
    cutting = false;
    await done;
    await Promise.all([log.close(), direct.close()]);
    // What nobody could tell is stored at most once: no id is stored twice, and nothing is stored that nobody asked for.
    const { commits, faults } = await checkHistory(server.url, database, told.acknowledged);
    expect(faults).toEqual([]);
    expect(commits).toBeGreaterThanOrEqual(told.acknowledged.length);
    expect(commits).toBeLessThanOrEqual(told.acknowledged.length + told.unknown.length);
    expect(told.acknowledged.length).toBeGreaterThan(40);
  }, 180_000);

  test('C2: an append whose answer got lost is known by its id when it is asked again', async () => {
    named('lost');
    const log = await open(viaProxy(), 1);
    await log.append(sampleAppend());
    const append = sampleAppend({ expectations: [{ stream: 'note-1', version: 1 }] });
    proxy.swallowAnswers();
    const first = log.append(append).catch((error: unknown) => error);
    await pause(300);
    proxy.refuse();
    expect(await first).toBeInstanceOf(OutcomeUnknown);
    proxy.restore();
    expect(await log.append(append)).toMatchObject({ replayed: true, commit: { position: 2 } });
    expect(await log.head(0)).toBe(2);
    await log.close();
  });

  test('a server that is down is unavailable within 3 s for reads and writes, and back without a restart of the log', async () => {
    named('down');
    const log = await open(viaProxy(), 1);
    await log.append(sampleAppend());
    proxy.refuse();
    await pause(50);
    const began = Date.now();
    const writes = Array.from({ length: 100 }, () => log.append(sampleAppend()));
    const failed = await Promise.allSettled([...writes, log.load('school_a', ['note-1']), log.head(0)]);
    expect(Date.now() - began).toBeLessThan(3_000);
    for (const each of failed) expect(each).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) });
    proxy.restore();
    expect((await log.append(sampleAppend())).commit.position).toBe(2);
    await log.close();
  });

  test('a server killed again and again keeps what was acknowledged, and the log goes on by itself', async () => {
    named('kill');
    const log = await open(server.url);
    const told = nothing();
    let killing = true;
    const done = callers(log, 16, () => killing, told);
    for (let kill = 0; kill < 3; kill += 1) {
      await pause(300 + Math.random() * 300);
      await server.kill();
      await server.restart();
    }
    const before = told.acknowledged.length;
    for (const began = Date.now(); told.acknowledged.length === before && Date.now() - began < 60_000;) await pause(20);
    killing = false;
    await done;
    await log.close();
    const { commits, faults } = await checkHistory(server.url, database, told.acknowledged);
    expect(faults).toEqual([]);
    expect(commits).toBeLessThanOrEqual(told.acknowledged.length + told.unknown.length);
    expect(told.why).toBeDefined();
    if (told.acknowledged.length === before) throw new Error('the log has not gone on', { cause: told.why });
  }, 180_000);

  test('a server that hangs for a while delays the log and loses nothing', async () => {
    named('pause');
    const log = await open(server.url);
    const told = nothing();
    let going = true;
    const done = callers(log, 8, () => going, told);
    for (let round = 0; round < 2; round += 1) {
      await pause(200);
      await server.pause();
      await pause(500);
      await server.resume();
    }
    await pause(300);
    going = false;
    await done;
    await log.close();
    expect((await checkHistory(server.url, database, told.acknowledged)).faults).toEqual([]);
    expect(told.acknowledged.length).toBeGreaterThan(8);
  });
});
