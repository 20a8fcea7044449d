import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Commit, type EventLog, mongodbEventLog, sqliteEventLog } from '@lyceum/eventlog';
import { type BackingServer, availability } from '@lyceum/testkit';
import { allOf } from '../history/history.ts';
import { type Faults, checkLanes } from '../history/lane-history.ts';
import { type Published, offer, publishedLog } from './outage.ts';

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
      const load = (until: AbortSignal) => Promise.all(logs.map((log) => offer(log, perSecond, until)));
      const [away, after] = [new AbortController(), new AbortController()];
      const began = performance.now();
      const answering = load(away.signal);
      await pause(500);
      await broker.kill();
      await pause(outage * 1_000);
      away.abort();
      const seconds = (performance.now() - began) / 1_000;
      // All are answered before the broker is back.
      const during = await answering;
      const behind = await Promise.all(published.map((each) => each.behind()));
      await broker.restart();
      const back = performance.now();
      const reached = async (done: (each: Published) => Promise<boolean>): Promise<string> => {
        const end = performance.now() + 60_000;
        for (const each of published) while (!(await done(each)) && performance.now() < end) await pause(100);
        return ((performance.now() - back) / 1_000).toFixed(1);
      };
      const drained = await reached(async (each) => (await each.behind()).kafka <= 0);
      const heard = await reached(async (each) => (await each.behind()).consumer <= 0);
      // What is written from now on comes by Kafka again.
      const flowing = load(after.signal);
      await reached(async (each) => each.counts().received > 0);
      after.abort();
      const later = await flowing;
      await reached(async (each) => Object.values(await each.behind()).every((count) => count <= 0));
      for (const [index, log] of logs.entries()) {
        const { acknowledged, failures, longest } = during[index]!;
        process.stderr.write(
          `measured: Kafka away ${outage} s, ${index === 0 ? 'embedded' : 'MongoDB-wire'} log: ` +
            `${(acknowledged.length / seconds).toFixed(0)} events/s acknowledged, slowest ${longest.toFixed(0)} ms, backlog ` +
            `${behind[index]!.kafka}; drained ${drained} s and heard ${heard} s after the broker was back\n`,
        );
        expect(acknowledged.length).toBeGreaterThanOrEqual(Math.floor(seconds * perSecond * 0.95));
        expect(behind[index]!.kafka).toBeGreaterThanOrEqual(outage * perSecond * 0.9);
        const told = [...acknowledged, ...later[index]!.acknowledged];
        await check(log, told, [...failures, ...later[index]!.failures], published[index]!);
      }
      for (const each of published) await each.close();
    },
    270_000 + outage * 1_000,
  );
});

/** Nothing failed, nothing is lost or doubled in the log, and the consumer heard all of it in order, by Kafka again at last. */
async function check(
  log: EventLog,
  acknowledged: readonly Commit[],
  failures: readonly unknown[],
  published: Published,
): Promise<void> {
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
