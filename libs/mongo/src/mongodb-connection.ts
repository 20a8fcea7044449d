import type { Db, MongoClient, MongoClientOptions } from 'mongodb';
import { readCausally } from './mongodb-causal.ts';
import { inTime } from './mongodb-time.ts';

/** TLS beyond what the URL says (`tls=true`, `tlsCAFile=…`). Any of these switches TLS on. */
export interface MongoTls {
  /** PEM file with the authorities that the server's certificate is checked against. */
  readonly caFile?: string;
  /** PEM file with the client's certificate and key. */
  readonly certificateKeyFile?: string;
}

/** Which server, and how to reach it. */
export interface MongoOptions {
  readonly url: string;
  readonly tls?: MongoTls;
}

/**
 * What a server promises. `replica-set`: majority reads and writes (a sharded cluster too). `standalone`: a read may show
 * what a crash takes back until the journal is flushed. `ferretdb-1`: FerretDB 1.x, which uses no index for reading.
 */
export type MongoEngine = 'replica-set' | 'standalone' | 'ferretdb-1';

/** A part in a shared client. */
export interface MongoConnection {
  readonly engine: MongoEngine;
  /** Reads and writes by majority and journal, from the primary; each after all that this process has seen there. */
  database(name: string): Db;
  /** Tells that a connection broke, so that the server may have forgotten or be another one. Returns the way to stop. */
  onLost(listener: () => void): () => void;
  /** Gives the part back; the last one closes the client. A second call does nothing. */
  release(): Promise<void>;
}

interface Shared {
  readonly opened: Promise<{ readonly client: MongoClient; readonly engine: MongoEngine }>;
  users: number;
}

const clients = new Map<string, Shared>();

/** Milliseconds until an operation gives up finding a server: an outage must be an answer, not a wait. */
const selection = 1_500;

/** The driver's options. Its own retries are off: what a failed write means is decided by reading it back. */
export const clientOptions = ({ tls }: MongoOptions): MongoClientOptions => ({
  retryWrites: false,
  retryReads: false,
  serverSelectionTimeoutMS: selection,
  connectTimeoutMS: selection,
  waitQueueTimeoutMS: selection,
  heartbeatFrequencyMS: 2_000,
  readPreference: 'primary',
  readConcernLevel: 'majority',
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 5_000 },
  appName: 'lyceum',
  ...(tls && { tls: true }),
  ...(tls?.caFile && { tlsCAFile: tls.caFile }),
  ...(tls?.certificateKeyFile && { tlsCertificateKeyFile: tls.certificateKeyFile }),
});

/**
 * Takes a part in this process's one client for these options; the first one connects. Throws the driver's error, within
 * 2 seconds, when no server can be reached.
 */
export async function openMongo(options: MongoOptions): Promise<MongoConnection> {
  const key = JSON.stringify([options.url, options.tls?.caFile, options.tls?.certificateKeyFile]);
  const shared = clients.get(key) ?? { opened: connect(options), users: 0 };
  clients.set(key, shared);
  shared.users += 1;
  const leave = (): boolean => {
    shared.users -= 1;
    if (shared.users === 0 && clients.get(key) === shared) clients.delete(key);
    return shared.users === 0;
  };
  try {
    return part(await shared.opened, leave);
  } catch (error) {
    leave();
    throw error;
  }
}

function part(
  { client, engine }: { readonly client: MongoClient; readonly engine: MongoEngine },
  leave: () => boolean,
): MongoConnection {
  let held = true;
  return {
    engine,
    database: (name) => client.db(name),
    onLost(listener) {
      const events = ['connectionPoolCleared', 'serverHeartbeatFailed'] as const;
      for (const event of events) client.on(event, listener);
      return () => events.forEach((event) => client.off(event, listener));
    },
    async release() {
      if (!held) return;
      held = false;
      if (leave()) await client.close();
    },
  };
}

async function connect(options: MongoOptions): Promise<{ client: MongoClient; engine: MongoEngine }> {
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(options.url, clientOptions(options));
  // Everyone with a part in it listens.
  client.setMaxListeners(0);
  readCausally(client);
  try {
    const admin = client.db('admin');
    const [hello, build] = await Promise.all([
      admin.command({ hello: 1 }, inTime()),
      admin.command({ buildInfo: 1 }, inTime()),
    ]);
    return { client, engine: engineOf(hello, build) };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Recognises a server by its answers to `hello` and `buildInfo`. */
export function engineOf(hello: Record<string, unknown>, build: Record<string, unknown>): MongoEngine {
  if (String(build['ferretdbVersion'] ?? '').startsWith('v1.')) return 'ferretdb-1';
  return hello['setName'] !== undefined || hello['msg'] === 'isdbgrid' ? 'replica-set' : 'standalone';
}
