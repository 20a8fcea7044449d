import { addressSetting, routes } from '@lyceum/contracts';
import { type BackingServer, availability, startKafka, startRedis } from '@lyceum/testkit';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Case, type Goal, PeerMissing, type Round, type Side } from '../measuring/case.ts';
import { usageOf, usageTogether } from '../measuring/process-usage.ts';
import { Backlog } from './backlog.ts';
import { type Replica, built, startReplica } from './replica.ts';

const lanes = 16;
/** Part of one processor that each process has: little enough that the engines, which share the machine, are not the limit. */
const share = 0.1;
/** Commits that wait when a round begins: more than are worked off in it. */
const waiting = 12_000;
/** Milliseconds that are measured in a round, and that processes have before, to share the lanes and to begin. */
const [window, settling] = [8_000, 5_000];

/** An address where nobody listens. */
const nowhere = 'http://127.0.0.1:9';

const settingsOf = (mongodb: string, kafka: string, redis: string): Readonly<Record<string, string>> => ({
  ...Object.fromEntries([...new Set(Object.values(routes))].map((service) => [addressSetting(service), nowhere])),
  MONGODB_URL: mongodb,
  KAFKA_BROKERS: kafka,
  REDIS_URL: redis,
  LANES: String(lanes),
  BASE_URL: nowhere,
  SERVICE_TOKEN: randomBytes(24).toString('base64url'),
  OPERATOR_TOKEN: randomBytes(24).toString('base64url'),
  KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  LOG_LEVEL: 'fatal',
});

async function startMongo(): Promise<BackingServer> {
  const { engines, reason } = await availability('mongodb-indexed');
  if (!engines[0]) throw new PeerMissing(reason);
  return engines[0].start();
}

/** Processes of the catalogue on engines of their own, each with a part of a processor, of which each round starts new ones. */
const replicas = (count: number, goal?: Goal): Side => ({
  name: `${count} ${count === 1 ? 'process' : 'processes'} of the catalogue`,
  ...(goal && { goal }),
  async open(folder) {
    await built();
    const servers: BackingServer[] = [];
    for (const start of [startMongo, startKafka, startRedis]) servers.push(await start());
    const [mongodb, kafka, redis] = servers.map(({ url }) => url) as [string, string, string];
    const settings = settingsOf(mongodb, kafka, redis);
    const backlog = await Backlog.open(mongodb, 'lyceum_catalog', lanes);
    // Read models are built at a first start; what is measured is how they follow.
    const first = await startReplica(join(folder, 'first'), settings);
    for (const all = await backlog.all(); (await backlog.done()) < all; await pause(200));
    await first.stop();
    return {
      async round() {
        await backlog.write(waiting - (await backlog.all()) + (await backlog.done()));
        const running: Replica[] = [];
        for (let n = 0; n < count; n += 1) running.push(await startReplica(join(folder, String(n)), settings));
        try {
          return await measured(backlog, running);
        } finally {
          await Promise.all(running.map((replica) => replica.stop()));
        }
      },
      async close() {
        await backlog.close();
        for (const server of servers.reverse()) await server.stop();
      },
    };
  },
});

/** Bounds processes that begin, and measures them once they have shared the lanes. */
async function measured(backlog: Backlog, running: readonly Replica[]): Promise<Round> {
  for (const start = await backlog.projected(); (await backlog.projected()) === start; await pause(50));
  for (const replica of running) await replica.bound(share);
  await pause(settling);
  const used = async () => usageTogether(await Promise.all(running.map(({ pid }) => usageOf(pid))));
  const [began, before, idle, all] = [performance.now(), await backlog.done(), await used(), await backlog.all()];
  if (before === all) throw new Error('there was nothing left to work off');
  let after = before;
  let milliseconds = 0;
  for (; milliseconds < window && after < all; milliseconds = performance.now() - began) {
    await pause(200);
    after = await backlog.done();
  }
  const { cpu, megabytes } = await used();
  return { operations: after - before, server: { milliseconds, cpu: cpu - idle.cpu, megabytes } };
}

/** What more processes of a service add to its read models and to what it publishes. */
export const replicasCases: readonly Case[] = [
  {
    name: 'projections and relay, three processes beside one',
    unit: 'commits projected and published',
    sides: [replicas(3), replicas(1, { atLeast: 2 })],
  },
];
