import type { Availability, BackingServer, Engine, EngineKind, SharedServer } from './backing-server.ts';
import { containerEngines } from './containers/container-server.ts';
import { givenEngine } from './given-server.ts';
import { localKafkaServers } from './local/kafka-server.ts';
import { type LocalSetup, startLocal } from './local/local-server.ts';
import { localIndexedMongoServers, localMongoServers } from './local/mongo-server.ts';
import { localRedisServers } from './local/redis-server.ts';
import { localS3Servers } from './local/s3-server.ts';
import { testRun } from './run-folder.ts';
import { shared } from './shared-server.ts';

const locals: Readonly<Record<EngineKind, () => readonly (LocalSetup & { readonly version: string })[]>> = {
  mongodb: localMongoServers,
  'mongodb-indexed': localIndexedMongoServers,
  kafka: localKafkaServers,
  redis: () => localRedisServers('redis'),
  'redis-cluster': () => localRedisServers('redis-cluster'),
  s3: localS3Servers,
};

/**
 * The engines of a kind, by the first of these that has any: the URL in the environment (`TEST_MONGODB_URL`,
 * `TEST_MONGODB_INDEXED_URL`, `TEST_KAFKA_BROKERS`, `TEST_REDIS_URL`, `TEST_REDIS_CLUSTER_URL`, `TEST_S3_URL`), a Docker engine that answers, programs of this
 * machine as `npm run engines` installs them. Nothing is started. Throws instead of returning none when
 * `REQUIRE_BACKING_SERVICES=1`.
 */
export async function availability(kind: EngineKind): Promise<Availability> {
  const given = givenEngine(kind);
  if (given) return { engines: [given], reason: '' };
  const containers = await containerEngines(kind);
  if (containers.length > 0) return { engines: containers, reason: '' };
  const engines = locals[kind]().map(localEngine);
  if (engines.length > 0) return { engines, reason: '' };
  const reason = `no server for ${kind}: no URL given, no Docker engine answers, none installed (npm run engines)`;
  if (process.env['REQUIRE_BACKING_SERVICES'] === '1') throw new Error(reason);
  return { engines: [], reason };
}

const localEngine = (setup: LocalSetup & { readonly version: string }): Engine => ({
  kind: setup.kind,
  title: setup.title,
  version: setup.version,
  origin: 'local',
  ...(setup.usedAs && { usedAs: setup.usedAs }),
  start: () => startLocal(setup),
  // The server lives as long as the test run, not as the worker that happened to ask first.
  shared: () => shared(setup.title, testRun, () => startLocal(setup, testRun)),
});

/** The first engine of the kind, or the one whose version begins like this. Throws when there is none. */
async function chosen(kind: EngineKind, version = ''): Promise<Engine> {
  const { engines, reason } = await availability(kind);
  const engine = engines.find((each) => each.version.startsWith(version)) ?? engines.find((each) => !each.version);
  if (!engine) throw new Error(reason || `no server for ${kind} ${version}`);
  return engine;
}

/** Options of a start. */
export interface ServerOptions {
  /** Beginning of the version wanted, e.g. `3.9`; the first engine when not given. */
  readonly version?: string;
}

/** Starts a MongoDB-wire server of one's own; the caller stops it. */
export const startMongo = async (options: ServerOptions = {}): Promise<BackingServer> =>
  (await chosen('mongodb', options.version)).start();

/** Starts a Kafka broker of one's own; the caller stops it. */
export const startKafka = async (options: ServerOptions = {}): Promise<BackingServer> =>
  (await chosen('kafka', options.version)).start();

/** Starts a Redis server of one's own; the caller stops it. */
export const startRedis = async (options: ServerOptions = {}): Promise<BackingServer> =>
  (await chosen('redis', options.version)).start();

/** Starts a Redis Cluster of three masters; the caller stops it. */
export const startRedisCluster = async (options: ServerOptions = {}): Promise<BackingServer> =>
  (await chosen('redis-cluster', options.version)).start();

/** The MongoDB-wire server that all suites of this test run share: use database names of your own. */
export const sharedMongo = async (): Promise<SharedServer> => (await chosen('mongodb')).shared();

/** The Kafka broker that all suites of this test run share: use topic and group names of your own. */
export const sharedKafka = async (): Promise<SharedServer> => (await chosen('kafka')).shared();

/** The Redis server that all suites of this test run share: use a key prefix of your own and never flush it. */
export const sharedRedis = async (): Promise<SharedServer> => (await chosen('redis')).shared();
