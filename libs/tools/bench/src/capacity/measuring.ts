import { openDatabase } from '@lyceum/sqlite';
import { hash } from '@node-rs/argon2';
import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts, startWholeSystem } from '../start/whole-system.ts';

/** What the demo, which is used like two schools for months, takes: bytes before compression, without indexes. */
export interface Measured {
  readonly commits: number;
  readonly eventsPerWrite: number;
  /** Of one event, with its share of the commit. */
  readonly eventBytes: number;
  /** Of one document of these read models, by service and collection. */
  readonly documentBytes: Readonly<Record<string, number>>;
  /** Processor time of an argon2id hash as accounts have them, microseconds. */
  readonly password: number;
}

/** Read models that grow with learners and schools. */
const grown = { school: ['members'], learning: ['enrollments'], commerce: ['orders'], catalog: ['courses'] };

/** Hashes of which the mean is taken. */
const hashes = 50;

async function passwordCost(): Promise<number> {
  // As `standardCost` of the authorization server.
  const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
  await hash('the first one loads the library', cost);
  const before = process.cpuUsage();
  for (let index = 0; index < hashes; index += 1) await hash(`a password of usual length ${index}`, cost);
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / hashes);
}

/** The commits of a log: how many, their events, their bytes. */
async function countedLog(file: string): Promise<[commits: number, events: number, bytes: number]> {
  const database = await openDatabase(file, { durable: false });
  try {
    const rows = database.prepare<{ lines: string }>('SELECT lines FROM commits').all();
    const lines = rows.flatMap((row) => row.lines.split('\n'));
    const events = lines.map((line) => (JSON.parse(line.split('\t')[2]!) as unknown[]).length);
    const bytes = lines.map((line) => Buffer.byteLength(line));
    const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
    return [lines.length, sum(events), sum(bytes)];
  } finally {
    database.close();
  }
}

/** The mean bytes of the documents of a collection, whatever its version. */
async function documentBytes(file: string, collection: string): Promise<number> {
  const database = await openDatabase(file, { durable: false });
  try {
    const found = database
      .prepare<{ slot: number }>("SELECT slot FROM collection WHERE key LIKE ? || '@%'")
      .get(collection);
    if (!found) throw new Error(`${file} has no collection ${collection}`);
    const mean = database
      .prepare<{ bytes: number }>(`SELECT avg(length(body)) AS bytes FROM documents_${found.slot}`)
      .get();
    return Math.round(mean!.bytes);
  } finally {
    database.close();
  }
}

/** Starts the system with its demo, waits until that is complete, and looks at what was stored. Takes a minute or two. */
export async function measured(): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-stored-'));
  try {
    const system = await startWholeSystem(folder, await freePorts(), { DEMO_HISTORY: 'true' });
    const isComplete = (): Promise<boolean> =>
      access(join(folder, 'demo-complete')).then(
        () => true,
        () => false,
      );
    while (!(await isComplete())) await delay(200);
    await system.stop();
    const services = (await readdir(folder, { withFileTypes: true })).filter((each) => each.isDirectory());
    let [commits, events, bytes] = [0, 0, 0];
    for (const { name } of services.filter((each) => !['files', 'outbox'].includes(each.name))) {
      const [some, more, most] = await countedLog(join(folder, name, 'events.db'));
      [commits, events, bytes] = [commits + some, events + more, bytes + most];
    }
    const found: Record<string, number> = {};
    for (const [service, collections] of Object.entries(grown))
      for (const collection of collections)
        found[`${service}.${collection}`] = await documentBytes(join(folder, service, 'documents.db'), collection);
    return {
      commits,
      eventsPerWrite: Math.round((events / commits) * 100) / 100,
      eventBytes: Math.round(bytes / events),
      documentBytes: found,
      password: await passwordCost(),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
