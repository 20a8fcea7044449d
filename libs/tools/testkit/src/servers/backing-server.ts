/**
 * What tests need a real server for. `mongodb-indexed` is a MongoDB-wire server whose indexes are real, for the way in
 * which a MongoDB is used; `redis-cluster` is three masters without replicas; `s3` has its user in the URL.
 */
export type EngineKind = 'mongodb' | 'mongodb-indexed' | 'kafka' | 'redis' | 'redis-cluster' | 's3';

/** Where a server comes from: an URL in the environment, a Docker engine, a process of this machine. */
export type Origin = 'given' | 'container' | 'local';

/** A running server on loopback (or a given one, wherever it is). */
export interface SharedServer {
  readonly kind: EngineKind;
  /** For test titles, e.g. `Apache Kafka 3.9.1`. */
  readonly title: string;
  readonly origin: Origin;
  /** What `MONGODB_URL`, `KAFKA_BROKERS` or `REDIS_URL` would hold; nodes of a cluster are separated by commas. */
  readonly url: string;
}

/**
 * A server that its test owns. A server of several nodes takes the index of one node, else all nodes are meant. A given
 * server cannot be controlled: all but `stop` reject with `NotOwned`.
 */
export interface BackingServer extends SharedServer {
  /** Number of processes: 3 for a Redis Cluster, else 1. */
  readonly nodes: number;
  /** Ends the server and removes its data. A second call does nothing. */
  stop(): Promise<void>;
  /** SIGKILL; ports and data stay for `restart`. */
  kill(node?: number): Promise<void>;
  /** Starts again on the same port and data, after a SIGKILL of what still runs; resolves when the server answers. */
  restart(node?: number): Promise<void>;
  /** SIGSTOP: connections stay open and nothing answers. */
  pause(node?: number): Promise<void>;
  /** SIGCONT. */
  resume(node?: number): Promise<void>;
}

/** One engine of one version that this machine can serve. */
export interface Engine {
  readonly kind: EngineKind;
  /** For test titles: `describe.each(engines)('the channel on $title', …)`. */
  readonly title: string;
  /** Empty for a given server, whose version is not known. */
  readonly version: string;
  readonly origin: Origin;
  /** How an adapter must be told to use it, where it would find out something else. */
  readonly usedAs?: 'standalone';
  /** Starts a server of one's own, to be stopped by the caller; for tests that kill, pause or count. */
  start(): Promise<BackingServer>;
  /** The one server of this test run: started by whoever asks first, ended with the run. Use names of your own in it. */
  shared(): Promise<SharedServer>;
}

/** Which engines of a kind there are; with none, why not. */
export interface Availability {
  readonly engines: readonly Engine[];
  /** For the title of a skipped suite; empty when there is an engine. */
  readonly reason: string;
}

/** A given server is not ours to kill or pause. */
export class NotOwned extends Error {
  override readonly name = 'NotOwned';
}

/** The server did not get ready, or ended before; the message carries the end of its log. */
export class ServerFailed extends Error {
  override readonly name = 'ServerFailed';
}
