import { forwarding } from '../forwarding.ts';
import { type Decider, type DomainEvent, type RecordedEvent, storedJson } from '@lyceum/kernel';
import { catalogueOf } from '../personal/plan.ts';
import type { Commit, EventLog, Snapshot, Snapshots } from '../port.ts';

/** Snapshots in memory, as JSON. They live as long as the object. */
export function memorySnapshots(): Snapshots {
  const kept = new Map<string, string>();
  const key = (tenant: string, stream: string): string => JSON.stringify([tenant, stream]);
  return {
    async load(tenant, stream) {
      const json = kept.get(key(tenant, stream));
      return json === undefined ? undefined : storedJson(json);
    },
    async save(tenant, stream, snapshot) {
      kept.set(key(tenant, stream), JSON.stringify(snapshot));
    },
  };
}

/** The same log, whose replays begin at snapshots where the decider asks for it. */
export const withSnapshots = (log: EventLog, snapshots: Snapshots): EventLog => forwarding(log, { snapshots });

/** Commits between two snapshots of a stream, when the decider says nothing else. */
const usualDistance = 100;

/**
 * Keeps the state after a commit of a stream that has grown by another distance with it: for processes that remember states, and
 * so never replays enough to keep one otherwise.
 */
export async function keepPassing(
  snapshots: Snapshots | undefined,
  { snapshot }: Snapshotting,
  { tenant, events }: Commit,
  { stream, state, before }: { readonly stream: string; readonly state: unknown; readonly before: number },
): Promise<void> {
  const last = lastOf({ events }, stream);
  if (!snapshots || !snapshot || !last) return;
  const every = snapshot.every ?? usualDistance;
  if (Math.floor(before / every) === Math.floor(last.version / every)) return;
  const taken = { reducer: snapshot.version, version: last.version, event: last.id, state };
  await snapshots.save(tenant, stream, taken).catch(() => undefined);
}

type Snapshotting = Pick<Decider<never, never, DomainEvent>, 'events' | 'snapshot'>;

const personal = new WeakMap<object, boolean>();

/** The snapshots of a decider's states. None when its events hold personal data, which a snapshot would keep readable. */
export function snapshotsFor(log: EventLog, { events, snapshot }: Snapshotting): Snapshots | undefined {
  if (!snapshot || !log.snapshots) return undefined;
  const known = personal.get(events) ?? catalogueOf([events]).size > 0;
  personal.set(events, known);
  return known ? undefined : log.snapshots;
}

/** The newest snapshot that this reducer made; undefined also when they cannot be read. */
export async function usable(
  snapshots: Snapshots | undefined,
  { snapshot }: Snapshotting,
  tenant: string,
  stream: string,
): Promise<Snapshot | undefined> {
  const found = await snapshots?.load(tenant, stream).catch(() => undefined);
  return found?.reducer === snapshot?.version ? found : undefined;
}

/** Whether the log has the event at which a state was taken. A log restored from a backup may have another. */
export const fits = (
  { version, event }: Pick<Snapshot, 'version' | 'event'>,
  commits: readonly Commit[],
  stream: string,
): boolean =>
  commits.some(({ events }) =>
    events.some((each) => each.id === event && each.version === version && each.stream === stream),
  );

/** The last event of a stream in a commit. */
export const lastOf = ({ events }: Pick<Commit, 'events'>, stream: string): RecordedEvent | undefined =>
  events.findLast((event) => event.stream === stream);

/** Keeps a state, if its replay was long. A failure is forgotten: the next replay is long again. */
export async function keep(
  snapshots: Snapshots | undefined,
  { snapshot }: Snapshotting,
  tenant: string,
  stream: string,
  { commits, state }: { readonly commits: readonly Commit[]; readonly state: unknown },
): Promise<void> {
  if (!snapshots || !snapshot || commits.length < (snapshot.every ?? usualDistance)) return;
  const last = lastOf(commits.at(-1)!, stream)!;
  const taken = { reducer: snapshot.version, version: last.version, event: last.id, state };
  await snapshots.save(tenant, stream, taken).catch(() => undefined);
}
