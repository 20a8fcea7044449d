import {
  type EventLog,
  Vault,
  catalogueOf,
  encryptedEventLog,
  execute,
  lazyKeyStore,
  sqliteEventLog,
  sqliteKeyStore,
} from '@lyceum/eventlog';
import { type Decider, type DomainEvent, isRejection } from '@lyceum/kernel';
import { openDatabase } from '@lyceum/sqlite';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { callers } from '../measuring/workload.ts';

const services = new URL('../../../../../services/', import.meta.url);

/** A file of a service's build: a library imports no service; a build is measured where it stands. */
export const fromBuild = (file: string) => import(new URL(file, services).href);

/** A command of any decider. */
export interface Command {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A decider of any service. */
type AnyDecider = Decider<unknown, Command, DomainEvent, string>;

/** What one service keeps, opened while the system is stopped. */
export interface OpenService {
  readonly log: EventLog;
  readonly vault: Vault;
  /** Decides commands of one stream, one after the other, and writes their events as one commit. Throws when one is rejected. */
  write(decider: AnyDecider, stream: string, commands: readonly Command[], at: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens log and keys of a service as the system does: what is personal is encrypted as the service declares it. */
export async function openService(folder: string, name: string, rootKey: Buffer, school: string): Promise<OpenService> {
  const { [name]: module } = await fromBuild(`${name}/dist/module.js`);
  const file = (kind: string) => join(folder, name, `${kind}.db`);
  // Losing power here loses a measurement: a flush for the key of each person would be most of the time.
  const open = (path: string) => openDatabase(path, { durable: false });
  const vault = new Vault(
    lazyKeyStore(() => sqliteKeyStore({ file: file('keys'), open })),
    [rootKey],
  );
  const stored = await sqliteEventLog({ file: file('events'), open });
  const log = encryptedEventLog(stored, { vault, catalogue: catalogueOf(module.events) });
  return {
    log,
    vault,
    async write(decider, stream, commands, at) {
      const request = { tenant: school, stream, command: commands, at, meta: { actor: 'system' } };
      const done = await execute(log, inSeries(decider, at), { ...request, commitId: randomUUID() });
      if (isRejection(done)) throw new Error(`${stream}: ${done.reason}`);
    },
    async close() {
      await log.close();
      await vault.close();
    },
  };
}

/** A decider of several commands, each of which sees what those before it did. */
const inSeries = (
  { events, initial, decide, evolve, claims, sideEvents }: AnyDecider,
  at: string,
): Decider<unknown, readonly Command[], DomainEvent, string> => ({
  events,
  initial,
  evolve,
  ...(claims && { claims }),
  ...(sideEvents && { sideEvents: (before, after, commands) => sideEvents(before, after, commands.at(-1)!) }),
  decide(commands, before) {
    const decided: DomainEvent[] = [];
    let state = before;
    for (const command of commands) {
      const more = decide(command, state);
      if (isRejection(more)) return more;
      for (const event of more) state = evolve(state, event, { at, version: decided.push(event) });
    }
    return decided;
  },
});

/** Does something for each number below `count`, so many at a time. */
export async function each(count: number, atATime: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await callers(atATime, Infinity, async () => next < count && work((next += 1) - 1));
}
