import {
  type Documents,
  type Incoming,
  type IncomingCommit,
  type Projection,
  type Query,
  rowAs,
} from '@lyceum/documents';
import type { Issued } from './process-decider.ts';
import { type ProcessEvent, isProcessEvent } from './process-events.ts';
import { correlationOf } from './process.ts';

/** A pending timer of some process, or a command that is tried again then. */
export interface PendingTimer {
  readonly tenant: string;
  readonly correlation: string;
  readonly timer: string;
  readonly due: string;
  /** The version of the event that set it. */
  readonly version: number;
  /** The command that is tried again; absent for a timer of the process itself. */
  readonly retries?: Issued;
}

/** A process that needs an operator. */
export interface StuckProcess {
  readonly tenant: string;
  readonly correlation: string;
  readonly error: string;
  readonly since: string;
}

/** The poller and the operators look over all schools, so the index lies in a tenant that no school can be. */
const indexTenant = '_processes';

const largestPage = 200;

/** What is tried again by itself is shown to operators when it has failed for so long, in milliseconds. */
const patience = 15 * 60_000;

/** The read model that indexes the processes of one kind. `shown`: whether operators see it. */
const collectionOf = (name: string) =>
  ({ name: `process.${name}`, version: 2, fields: { kind: 'text', due: 'text', shown: 'boolean' } }) as const;

const placeOf = ({ previous, position, commitId }: IncomingCommit): Omit<IncomingCommit, 'events'> => ({
  previous,
  position,
  commitId,
});

/** Commits as the index sees them: only events of these processes, each under the stream's own tenant and name. */
export const indexed = (name: string, commits: readonly IncomingCommit[]): readonly IncomingCommit[] =>
  commits.map((commit) => ({
    ...placeOf(commit),
    events: commit.events.flatMap((event): Incoming[] => {
      const correlation = correlationOf(name, event.stream);
      if (correlation === undefined) return [];
      const stream = JSON.stringify([event.tenant, correlation]);
      return [{ ...event, tenant: indexTenant, stream }];
    }),
  }));

/** Pending timers and stuck processes, built from the events: it can be dropped at any time. */
export function processIndex(name: string): Projection {
  return {
    collection: collectionOf(name),
    key(event) {
      if (!isProcessEvent(event)) return undefined;
      const { type, data } = event;
      if (type === 'TimerSet' || type === 'TimerFired' || type === 'TimerCanceled')
        return JSON.stringify(['timer', event.stream, data.timer]);
      if (type === 'ProcessStuck' || type === 'ProcessResumed')
        return JSON.stringify(['stuck', event.stream, data.version, data.index]);
      return undefined;
    },
    project(event) {
      if (!isProcessEvent(event)) return null;
      const { type, data } = event;
      const [tenant, correlation]: [string, string] = JSON.parse(event.stream);
      if (type === 'TimerSet') {
        const { timer, due } = data;
        return { kind: 'timer', tenant, correlation, timer, due, version: event.version, shown: false };
      }
      if (type !== 'ProcessStuck') return null;
      return stuckRow({ tenant, correlation }, data, event);
    },
  };
}

type Stuck = Extract<ProcessEvent, { type: 'ProcessStuck' }>['data'];

/** A command that failed: it waits for its time, or for an operator. */
function stuckRow(
  of: { readonly tenant: string; readonly correlation: string },
  { error, retry, version: issued, index }: Stuck,
  { at, version }: Pick<Incoming, 'at' | 'version'>,
) {
  if (!retry) return { kind: 'stuck', ...of, error, since: at, shown: true };
  const { since, at: due } = retry;
  const retries = { version: issued, index };
  const shown = Date.parse(at) - Date.parse(since) >= patience;
  return { kind: 'timer', ...of, timer: '', due, version, retries, error, since, shown };
}

/** Timers that are due at a time, the longest due first: a page of at most 200, and where the next one begins. */
export async function dueTimers(
  documents: Documents,
  name: string,
  now: string,
  after?: Query['after'],
): Promise<{ readonly timers: readonly PendingTimer[]; readonly next?: NonNullable<Query['after']> }> {
  const { items, more } = await documents.query(collectionOf(name), indexTenant, {
    where: [
      { field: 'kind', is: 'timer' },
      { field: 'due', to: now },
    ],
    sort: { field: 'due' },
    limit: largestPage,
    ...(after ? { after } : {}),
  });
  const timers = items.map(({ body }) => rowAs<PendingTimer>(body));
  const [last, lastTimer] = [items.at(-1), timers.at(-1)];
  return { timers, ...(more && last && lastTimer ? { next: { value: lastTimer.due, id: last.id } } : {}) };
}

/** When the first pending timer is due; undefined when there is none. */
export async function nextDue(documents: Documents, name: string): Promise<string | undefined> {
  const where = [{ field: 'kind', is: 'timer' }] as const;
  const { items } = await documents.query(collectionOf(name), indexTenant, { where, sort: { field: 'due' }, limit: 1 });
  return items[0] && rowAs<PendingTimer>(items[0].body).due;
}

/** The processes that are stuck, or have failed for long, one entry for each command; at most 200. */
export async function stuckProcesses(documents: Documents, name: string): Promise<readonly StuckProcess[]> {
  const where = [{ field: 'shown', is: true }];
  const page = await documents.query(collectionOf(name), indexTenant, { where, limit: largestPage });
  return page.items.map(({ body }) => {
    const { tenant, correlation, error, since } = rowAs<StuckProcess>(body);
    return { tenant, correlation, error, since };
  });
}
