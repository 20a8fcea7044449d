import { erasedSubject } from '@lyceum/kernel';
import { forwarding } from '../forwarding.ts';
import type { Vault } from '../keys/vault.ts';
import { Erased, Unavailable } from '../errors.ts';
import type { Append, Commit, EventLog, NewEvent } from '../port.ts';
import { isSealedFingerprint, openFingerprint, sealFingerprint } from './fingerprint.ts';
import { type Place, placesOf } from './places.ts';
import type { Catalogue } from './plan.ts';
import { isSealed, seal, sealedField, sealedIn, unseal } from './sealing.ts';
import { Turns } from './turns.ts';

/** What an encrypted log works with. */
export interface Encryption {
  readonly vault: Vault;
  readonly catalogue: Catalogue;
}

/** What the key of fingerprints is derived for. */
const fingerprints = 'fingerprints';

/**
 * A log that keeps personal fields encrypted, each under the key of its subject, and gives them back in the clear. Once a
 * subject is erased its fields are null; what is stored never changes. Events without personal fields pass untouched.
 *
 * Beside what the log below throws: `append` throws `Erased` for a subject that is erased, and a `TypeError` for null in a
 * personal field; reading throws `Corrupted` when a field was altered or moved, and `KeyMissing` when the key store is not
 * the one that belongs to the log.
 */
export function encryptedEventLog(log: EventLog, { vault, catalogue }: Encryption): EventLog {
  const one = async (commit: Commit): Promise<Commit> => (await openAll(vault, [commit]))[0]!;
  const turns = new Turns();
  let closed = false;
  return forwarding(log, {
    async append(append) {
      if (closed) throw new Unavailable('the log is closed');
      const places = append.events.map((event) => personalIn(catalogue, event));
      const isPersonal = places.some(({ length }) => length > 0);
      const lane = log.laneOf(append.tenant);
      // An append without personal data waits for nothing, unless one before it in its lane does.
      const appending =
        isPersonal || turns.busy(lane)
          ? turns.take(lane, sealed(vault, freeze(append), places), (ready) => log.append(ready))
          : log.append(append);
      const { commit, replayed } = await appending;
      return { commit: await one(commit), replayed };
    },
    async load(tenant, streams, fromVersion) {
      const loaded = await log.load(tenant, streams, fromVersion);
      return { ...loaded, commits: await openAll(vault, loaded.commits) };
    },
    async find(tenant, commitId) {
      const found = await log.find(tenant, commitId);
      return found && one(found);
    },
    async readLane(lane, after, limit) {
      const commits = await log.readLane(lane, after, limit);
      forgetErased(vault, commits);
      return openAll(vault, commits);
    },
    async close() {
      closed = true;
      await turns.over();
      await log.close();
    },
  });
}

/** The personal values of an event to write. Throws a `TypeError` when it uses the name under which they are kept. */
function personalIn(catalogue: Catalogue, { type, stream, data }: NewEvent): readonly Place[] {
  if (isSealed(data)) throw new TypeError(`${type}: ${sealedField} is no name for a field of an event`);
  const plan = catalogue.get(type);
  return plan ? placesOf(plan, stream, data) : [];
}

/** A copy that later changes to the caller's objects cannot reach. */
const freeze = (append: Append): Append => ({ ...append, events: structuredClone(append.events) });

async function sealed(vault: Vault, append: Append, places: readonly (readonly Place[])[]): Promise<Append> {
  const { tenant, commitId, events } = append;
  const subjects = places.flat().map(({ subject }) => subject);
  // Others may wait for their turn here.
  if (subjects.length === 0) return append;
  const keys = await keyed(subjects, (subject) => vault.keyFor(tenant, subject));
  return {
    ...append,
    fingerprint: sealFingerprint(await vault.derive(tenant, fingerprints), append.fingerprint),
    events: events.map((event, index) => {
      const found = places[index]!;
      if (found.length === 0) return event;
      const { stream, type } = event;
      // The id that every log gives to the event (see `decode`).
      const id = `${commitId}.${index + 1}`;
      return { ...event, data: seal({ tenant, stream, type, id }, event.data, found, keys) };
    }),
  };
}

/** Keys by subject, each asked for once. */
async function keyed<Key>(
  subjects: Iterable<string>,
  ask: (subject: string) => Promise<Key>,
): Promise<ReadonlyMap<string, Key>> {
  const asked = [...new Set(subjects)].map(async (subject) => [subject, await ask(subject)] as const);
  return new Map(await Promise.all(asked));
}

/**
 * Drops the keys of everybody whose erasure stands in these commits: another process has destroyed them, and what was
 * written about the person with a key that was still held here is not shown to readers of what follows.
 */
function forgetErased(vault: Vault, commits: readonly Commit[]): void {
  for (const { tenant, events } of commits)
    for (const event of events) {
      const subject = erasedSubject(event);
      if (subject !== undefined) vault.forget(tenant, subject);
    }
}

async function openAll(vault: Vault, commits: readonly Commit[]): Promise<readonly Commit[]> {
  if (!commits.some(hasSealed)) return commits;
  return Promise.all(commits.map((commit) => (hasSealed(commit) ? open(vault, commit) : commit)));
}

const hasSealed = ({ events }: Commit): boolean => events.some(({ data }) => isSealed(data));

async function open(vault: Vault, commit: Commit): Promise<Commit> {
  const { tenant, events } = commit;
  const subjects = events.flatMap((event) =>
    isSealed(event.data) ? sealedIn(event).map(([, subject]) => subject) : [],
  );
  const keys = await keyed(subjects, (subject) => vault.keyOf(tenant, subject));
  return {
    ...commit,
    fingerprint: await opened(vault, commit),
    events: events.map((event) => (isSealed(event.data) ? unseal(tenant, event, keys) : event)),
  };
}

/** The fingerprint of a commit with personal data; of an erased school it stays encrypted. */
async function opened(vault: Vault, { tenant, fingerprint }: Commit): Promise<string> {
  if (!isSealedFingerprint(fingerprint)) return fingerprint;
  try {
    return openFingerprint(await vault.derive(tenant, fingerprints), fingerprint);
  } catch (error) {
    if (error instanceof Erased) return fingerprint;
    throw error;
  }
}
