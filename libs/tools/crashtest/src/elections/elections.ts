import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DocumentsUnavailable, type Documents, rowAs } from '@lyceum/documents';
import { ConcurrencyConflict, Unavailable, execute } from '@lyceum/eventlog';
import { isRejection, isoTime, subjectOfStream } from '@lyceum/kernel';
import { type Installation, type ServiceProcess, startInstallation } from './election-processes.ts';
import { type PersonView, people, person, roster } from './election-slices.ts';
import { allOf } from '../history/history.ts';
import { type Faults, checkLanes } from '../history/lane-history.ts';
import { checked } from '../races/race.ts';

/** How a run of elections goes. */
export interface ElectionPlan {
  readonly elections: number;
  /** Milliseconds that followers have, after the last one, to reach the end by themselves. */
  readonly patience: number;
}

/** The answers to clients, and what is wrong with the logs afterwards. */
export interface ElectionResult {
  readonly acknowledged: number;
  /** Writes that were refused while servers held an election. */
  readonly refused: number;
  readonly reads: number;
  /** Reads that were answered by 503: too late, or no server could answer. */
  readonly late: number;
  readonly erased: number;
  readonly faults: Faults;
}

/** A version of a stream that a client was answered, and its position. */
interface Known {
  readonly tenant: string;
  readonly stream: string;
  readonly version: number;
  readonly position: number;
}

const tenants = Array.from({ length: 6 }, (_, n) => `school_${n}`);
const meta = { actor: 'test' };
const pick = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)]!;

/** Writers and readers, who use whichever process they meet. */
class Clients {
  readonly acknowledged: string[] = [];
  readonly refused: string[] = [];
  readonly stale: string[] = [];
  readonly known = new Map<string, Known>();
  readonly erased = new Set<string>();
  readonly #processes: readonly ServiceProcess[];
  #people = 0;
  #going = true;
  reads = 0;
  late = 0;

  constructor(processes: readonly ServiceProcess[]) {
    this.#processes = processes;
  }

  /** Resolves when it was stopped. */
  async run(): Promise<void> {
    const during = async (work: () => Promise<void>): Promise<void> => {
      while (this.#going) {
        await work();
        await pause(8);
      }
    };
    const [write, read] = [() => this.#write(), () => this.#read()];
    await Promise.all([write, write, write, write, read, read, read, read, read, read].map(during));
  }

  stop(): void {
    this.#going = false;
  }

  /** Erases somebody; asked again until it is done. */
  async erase(): Promise<void> {
    const { tenant, stream } = pick([...this.known.values()]);
    for (let done = false; !done;)
      try {
        await pick(this.#processes).eraser.erase(tenant, subjectOfStream(stream), meta);
        done = true;
      } catch (error) {
        if (!isAway(error)) throw error;
        await pause(50);
      }
    this.erased.add(`${tenant} ${stream}`);
  }

  async #write(): Promise<void> {
    const { ports } = pick(this.#processes);
    const isNew = this.#people < 5 || Math.random() < 0.2;
    const someone = { tenant: pick(tenants), stream: `person-${(this.#people += 1)}` };
    const { tenant, stream } = isNew ? someone : pick([...this.known.values(), someone]);
    const request = {
      tenant,
      stream,
      at: isoTime(Date.now()),
      meta,
      commitId: randomUUID(),
      command: { name: stream },
    };
    try {
      const done = await execute(ports.log, person, request);
      if (isRejection(done)) throw new Error(done.rejected);
      const { version, position } = done;
      this.acknowledged.push(`${ports.log.laneOf(tenant)} ${position} ${request.commitId}`);
      const key = `${tenant} ${stream}`;
      if ((this.known.get(key)?.version ?? 0) < version) this.known.set(key, { tenant, stream, version, position });
    } catch (error) {
      if (!isAway(error) && !(error instanceof ConcurrencyConflict) && !isErased(error)) throw error;
      this.refused.push(request.commitId);
    }
  }

  /** As an operation reads who was given a Consistency-Token and asks with `handling=strict`. */
  async #read(): Promise<void> {
    if (this.known.size === 0) return;
    const { tenant, stream, version, position } = pick([...this.known.values()]);
    const { documents, log } = pick(this.#processes).ports;
    const lane = log.laneOf(tenant);
    this.reads += 1;
    try {
      const { heads } = await log.load(tenant, [stream], version);
      if (heads[stream]! < version) this.stale.push(`${stream} was read at ${heads[stream]!} after ${version}`);
      if (!(await documents.waitFor(people.collection, 'school', lane, position, 2_000))) return void (this.late += 1);
      const at = await documents.checkpoint(people.collection, 'school', lane);
      const view = rowAs<PersonView>(await documents.get(people.collection, tenant, stream));
      const seen = view?.seen.length ?? 0;
      if (at < position) this.stale.push(`lane ${lane} was shown up to ${at} after ${position}`);
      if (seen < version) this.stale.push(`${stream} was shown at ${seen} after ${version}`);
    } catch (error) {
      if (!isAway(error)) throw error;
      this.late += 1;
    }
  }
}

const isAway = (error: unknown): boolean => error instanceof Unavailable || error instanceof DocumentsUnavailable;
const isErased = (error: unknown): boolean => (error as Error).name === 'Erased';

/**
 * Elections under load: while clients write, read and erase, the servers of all services hide acknowledged commits and
 * changes of read models again and again. Afterwards every follower has to reach the end by itself; no process is restarted.
 */
export async function holdElections({ elections, patience }: ElectionPlan): Promise<ElectionResult> {
  const reports: string[] = [];
  const installation = await startInstallation((what) => reports.push(what));
  try {
    const clients = new Clients(installation.processes);
    const running = clients.run();
    running.catch(() => clients.stop());
    const erasing: Promise<void>[] = [];
    for (let held = 0; held < elections; held += 1) {
      await pause(700 + Math.random() * 500);
      erasing.push(clients.erase());
      installation.elect(Math.floor(Math.random() * 4), Math.floor(Math.random() * 60));
      // In a long one leases are lost, and another process goes on.
      await pause(held === 1 ? 1_800 : 100 + Math.random() * 400);
      installation.show();
    }
    await pause(300);
    clients.stop();
    await Promise.all([running, ...erasing]);
    const late = await untilSettled(installation, clients, patience);
    const { reads, refused, erased } = clients;
    const stored = await allOf(installation.school.log);
    const own = new Set(clients.acknowledged.map((line) => line.split(' ')[2]));
    const faults = checked(stored, { ...clients, acknowledged: clients.acknowledged });
    checkLanes(await allOf(installation.courses.log), faults);
    if (own.size !== clients.acknowledged.length) faults.push('a commit was published twice');
    if (late.length > 0) faults.push(...late.slice(0, 5), ...reports.slice(-5));
    const counts = { acknowledged: clients.acknowledged.length, refused: refused.length, erased: erased.size };
    return { ...counts, reads, late: clients.late, faults };
  } finally {
    await installation.close();
  }
}

/** Waits until everything has gone all its ways. Gives what has not. */
async function untilSettled(installation: Installation, clients: Clients, patience: number): Promise<string[]> {
  for (const end = performance.now() + patience; ; await pause(100)) {
    const missing = await missingOf(installation, clients);
    if (missing.length === 0 || performance.now() > end) return missing;
  }
}

async function missingOf({ school, courses, processes, listener, published }: Installation, clients: Clients) {
  const missing: string[] = [];
  const same = (what: string, found: unknown, wanted: unknown): void => {
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      missing.push(`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
  };
  const [own, other] = [await countsOf(school.log), await countsOf(courses.log)];
  const [models, heard] = [processes[0].ports.documents, listener.ports.documents];
  for (let lane = 0; lane < school.log.lanes; lane += 1) {
    same(`people up to lane ${lane}`, await models.checkpoint(people.collection, 'school', lane), own.heads[lane]);
    same(`what was published of lane ${lane}`, published.get(lane) ?? 0, own.facts[lane] ?? 0);
  }
  for (const [key, { tenant, stream }] of clients.known) {
    const name = clients.erased.has(key) ? null : stream;
    const seen = Array.from({ length: own.of(tenant, stream) }, (_, index) => index + 1);
    same(`${key} of people`, await view(models, people, tenant, stream), { name, seen });
    same(`${key} of the roster`, await view(heard, roster, tenant, stream), { seen: [1] });
    for (const kind of ['reminder', 'greeting']) same(`${kind} of ${key}`, own.of(tenant, `${kind}-${stream}`), 1);
    same(`greeting of ${key} elsewhere`, other.of(tenant, `greeting-${stream}`), 1);
  }
  const half = school.log.lanes / 2;
  for (const { shares } of processes) same('what a process publishes and projects', shares(), [half, half]);
  same('erasures', own.erasures, clients.erased.size);
  same('erasures elsewhere', other.erasures, clients.erased.size);
  return missing;
}

const view = (documents: Documents, { collection }: typeof people, tenant: string, id: string) =>
  documents.get(collection, tenant, id);

/** How many events each stream has, and where the lanes end. */
async function countsOf(log: Installation['school']['log']) {
  const counts = new Map<string, number>();
  const facts: number[] = [];
  let erasures = 0;
  const lanes = await allOf(log);
  for (const { lane, position, tenant, events } of lanes.flat())
    for (const { stream, type } of events) {
      counts.set(`${tenant} ${stream}`, (counts.get(`${tenant} ${stream}`) ?? 0) + 1);
      if (type === 'PersonAdded' || type === 'SubjectErased') facts[lane] = position;
      if (type === 'SubjectErased') erasures += 1;
    }
  const of = (tenant: string, stream: string): number => counts.get(`${tenant} ${stream}`) ?? 0;
  return { heads: lanes.map(({ length }) => length), facts, erasures, of };
}
