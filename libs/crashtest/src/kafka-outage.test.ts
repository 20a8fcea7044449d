import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type EventLog, mongodbEventLog, sqliteEventLog } from '@lyceum/eventlog';
import { type BackingServer, availability } from '@lyceum/testkit';
import { allOf } from './history.ts';
import { type Faults, checkLanes } from './lane-history.ts';
import { type Offered, type Published, offer, publishedLog } from './outage.ts';

/** Seconds without Kafka; the long run takes 60. */
const outage = Number(process.env['OUTAGE_SECONDS'] ?? 3);
/** Commits a second, of one event each, offered to each log. */
const perSecond = 200;

const kafka = await availability('kafka');
const mongodb = await availability('mongodb');
const engine = kafka.engines.filter(({ origin }) => origin !== 'given').at(-1);
const suite = engine ? describe : describe.skip;

suite(`${engine?.title ?? 'no broker that can be killed'}`, () => {
  let broker: BackingServer;
  let folder: string;
  const logs: EventLog[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lyceum-outage-'));
    broker = await engine!.start();
    logs.push(await sqliteEventLog({ file: join(folder, 'events.db'), lanes: 4 }));
    const server = await mongodb.engines[0]?.shared();
    const database = `outage_${randomUUID().slice(0, 8)}`;
    if (server) logs.push(await mongodbEventLog({ url: server.url, database, lanes: 4 }));
  }, 90_000);
  afterAll(async () => {
    for (const log of logs) await log.close();
    await broker?.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  test(
    `R3: the broker is killed for ${outage} s at ${perSecond} events/s: every append is acknowledged, the backlog drains, each position is heard once`,
    async () => {
      const published = await Promise.all(logs.map((log) => publishedLog(log, broker.url.split(','))));
      const stop = new AbortController();
      const began = performance.now();
      const load = Promise.all(logs.map((log) => offer(log, perSecond, stop.signal)));
      await pause(500);
      await broker.kill();
      await pause(outage * 1_000);
      const behind = await Promise.all(published.map((each) => each.behind()));
      for (const { kafka } of behind) expect(kafka).toBeGreaterThan(outage * perSecond * 0.5);
      await broker.restart();
      const back = performance.now();
      const after = async (done: (each: Published) => Promise<boolean>): Promise<string> => {
        for (const each of published) while (!(await done(each)) && performance.now() - back < 60_000) await pause(200);
        return ((performance.now() - back) / 1_000).toFixed(1);
      };
      // Some of the load is always on its way.
      const drained = await after(async (each) => (await each.behind()).kafka <= perSecond / 2);
      await after(async (each) => each.counts().received > 0);
      stop.abort();
      const seconds = (performance.now() - began) / 1_000;
      const offered = await load;
      const heard = await after(async (each) => (await each.behind()).consumer <= 0);
      for (const [index, log] of logs.entries()) {
        const [{ acknowledged, longest }, kind] = [offered[index]!, index === 0 ? 'embedded' : 'MongoDB-wire'];
        process.stderr.write(
          `measured: Kafka away ${outage} s, ${kind} log: ${(acknowledged.length / seconds).toFixed(0)} events/s acknowledged, ` +
            `slowest ${longest.toFixed(0)} ms, backlog ${behind[index]!.kafka}, drained ${drained} s and heard ${heard} s after the broker was back\n`,
        );
        await check(log, offered[index]!, published[index]!);
        expect(acknowledged.length).toBeGreaterThanOrEqual(Math.floor(seconds * perSecond * 0.95));
      }
      for (const each of published) await each.close();
    },
    150_000 + outage * 1_000,
  );
});

/** Nothing failed, nothing is lost or doubled in the log, and the consumer heard all of it in order, by Kafka again at last. */
async function check(log: EventLog, { acknowledged, failures }: Offered, published: Published): Promise<void> {
  const stored = await allOf(log);
  const faults: Faults = [];
  checkLanes(stored, faults);
  expect([failures, faults]).toEqual([[], []]);
  const ids = (commits: readonly { readonly commitId: string }[]) => commits.map(({ commitId }) => commitId).toSorted();
  expect(ids(stored.flat())).toEqual(ids(acknowledged));
  const places = (lanes: readonly (readonly { readonly position: number }[])[]) =>
    lanes.map((each) => each.map(({ position }) => position));
  expect(places(published.heard)).toEqual(places(stored));
  expect(published.counts().sent).toBeGreaterThanOrEqual(acknowledged.length);
  expect(published.counts().received).toBeGreaterThan(0);
}
