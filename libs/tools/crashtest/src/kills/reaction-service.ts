import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Documents, sqliteDocuments } from '@lyceum/documents';
import { type Append, type EventLog, sqliteEventLog } from '@lyceum/eventlog';
import { type EventTypes, isoTime, reject, systemClock } from '@lyceum/kernel';
import { type ModulePorts, type ProcessManager, runProcess, startReaction } from '@lyceum/service';
import type { CrashPoint, Fuse } from '../service/crash-point.ts';
import { overriding } from '../service/overriding.ts';

/** Milliseconds that something outside takes at most: much of it is owed whenever a place is saved. */
const slowest = 120;

const anything = { parse: (value: unknown) => value as never };

type Command = { readonly attempt: number };
type Noted = { readonly type: 'Noted'; readonly data: number };

/** What each ask must come to, once: the first try is refused, a timer has it tried again, and then it is done. */
const answering: ProcessManager<number, Noted, Command, Pick<ModulePorts, 'log' | 'documents' | 'clock' | 'logger'>> = {
  name: 'answering',
  events: { Noted: { version: 1, data: anything } } satisfies EventTypes,
  initial: 0,
  evolve: (_, { data }) => data,
  correlate: ({ type, stream, version }) => (type === 'Asked' ? `${stream}-${version}` : undefined),
  react(input, attempts, now) {
    if (input.kind === 'event') return { commands: [{ attempt: 1 }] };
    if (input.kind === 'timer') return { commands: [{ attempt: attempts + 1 }] };
    const { attempt } = input.command;
    return { events: [{ type: 'Noted', data: attempt }], set: { again: isoTime(Date.parse(now) + 5) } };
  },
  async carryOut({ attempt }, { tenant, correlation, commitId, at, meta }, { log }) {
    if (attempt === 1) return reject('later', 'It is too early');
    await pause(Math.random() * slowest);
    const events = [{ stream: `answer-${correlation}`, type: 'Answered', schema: 1, data: {} }];
    return log.append({ tenant, expectations: [], events, commitId, fingerprint: '', at, meta });
  },
};

/** Tenants, so that several lanes and turns take part. */
export const tenants = ['school_a', 'school_b', 'school_c'] as const;

/** Events of the same stream, which reach the outside in order. */
export const streamsOfEach = 3;

/** Opens the engines of a folder. */
export async function openReactionEngines(folder: string) {
  const log = await sqliteEventLog({ file: join(folder, 'events.db'), lanes: 2, gather: 32 });
  const documents = await sqliteDocuments({ file: join(folder, 'documents.db') });
  return { log, documents };
}

/** What was told to the outside, one line for each time. */
export const outsideOf = (folder: string): string => join(folder, 'outside');

/** A service whose process manager answers what is asked, and whose reaction tells the outside of it. */
export async function startReactionService(folder: string, fuse: Fuse) {
  const engines = await openReactionEngines(folder);
  const log = fusedLog(fuse, engines.log);
  const documents = fusedDocuments(fuse, engines.documents);
  const logger = { error: (said: { err?: unknown }) => process.stderr.write(`${String(said.err)}\n`) };
  const ports = { log, documents, clock: systemClock, logger } as unknown as ModulePorts;
  const manager = await runProcess(answering, ports, { service: 'asks', poll: 10 });
  const telling = await startReaction(ports, 'asks', {
    name: 'telling',
    events: ['Asked'],
    async perform({ tenant, stream, data }) {
      await pause(Math.random() * slowest);
      fuse.pass('C19');
      appendFileSync(outsideOf(folder), `${tenant} ${stream} ${String(data)}\n`);
      fuse.pass('C19');
    },
  });
  return {
    log,
    async caughtUp() {
      await Promise.all([manager.caughtUp(), telling.caughtUp()]);
    },
    async close() {
      await Promise.all([manager.close(), telling.close()]);
      await engines.documents.close();
      await engines.log.close();
    },
  };
}

/** Dies before and after each commit of a process, and of what its commands do. */
const fusedLog = (fuse: Fuse, log: EventLog): EventLog =>
  overriding(log, {
    async append(append: Append) {
      const isOfProcess = append.events.some(({ stream }) => /^(process\/|answer-)/.test(stream));
      if (isOfProcess) fuse.pass('C18');
      const appended = await log.append(append);
      if (isOfProcess) fuse.pass('C18');
      return appended;
    },
  });

/** Dies before and after each place, and each row of the index of timers, is written. */
function fusedDocuments(fuse: Fuse, documents: Documents): Documents {
  const pointOf = (name: string): CrashPoint => (name.startsWith('process.') ? 'C18' : 'C19');
  return overriding(documents, {
    async apply(...args: Parameters<Documents['apply']>) {
      fuse.pass(pointOf(args[0].name));
      await documents.apply(...args);
      fuse.pass(pointOf(args[0].name));
    },
  });
}
