import { ConcurrencyConflict, IdempotencyMismatch, KeyTaken, type NewEvent } from '@lyceum/eventlog';
import { type Meta, erasureStream, isoTime } from '@lyceum/kernel';
import type { MovingService } from './departure.ts';
import { Unreadable } from './lines.ts';
import { type Place, isProcessStream } from '@lyceum/service';
import type { Received } from './receiving.ts';
import { type Coming, type Receiving, Rehearsal, asUnreadable } from './rehearsal.ts';
import type { BodyLine, Header, StoredCommitLine } from './wire.ts';

/** The log of a service holds something else of the school than what arrives. */
export class AlreadyHere extends Error {
  override readonly name = 'AlreadyHere';
}

/** A service that schools leave and come to. */
export interface ReceivingService extends MovingService, Receiving {}

/** What comes, where it will be, and the time now in milliseconds since the epoch. */
interface Arrival {
  readonly received: Pick<Received, 'header' | 'body'>;
  readonly services: readonly ReceivingService[];
  readonly place: Place | undefined;
  readonly now: number;
}

/**
 * What may be written of a school, line by line, in memory only. Throws `Unreadable` at the first line that nobody here
 * could have written.
 */
async function* rehearsed({ received, services, place }: Arrival): AsyncGenerator<BodyLine> {
  const { school, personal, signing_keys: signingKeys, services: named } = received.header;
  if (signingKeys && !personal) throw new Unreadable('line 1: signing keys come with personal data only');
  const coming: Coming = { school, asked: { personal, signingKeys }, place };
  const rehearsals = new Map(named.map(({ name }) => [name, new Rehearsal(serviceOf(services, name), coming)]));
  if (rehearsals.size < named.length) throw new Unreadable('line 1: a service is named twice');
  for await (const { number, line } of received.body()) {
    const rehearsal = rehearsals.get(line.service);
    if (!rehearsal) throw new Unreadable(`line ${number}: the first line does not name the service`);
    if ('commit' in line && isOfProcesses(line.commit)) continue;
    try {
      yield await rehearsal.take(line);
    } catch (error) {
      throw asUnreadable(error, number);
    }
  }
}

/** Whether a commit is of process managers, which stay: a release that did not know one took its streams along. */
const isOfProcesses = ({ events }: StoredCommitLine): boolean =>
  events.length > 0 && (events as readonly NewEvent[]).every(({ stream }) => isProcessStream(stream));

function serviceOf(services: readonly ReceivingService[], name: string): ReceivingService {
  const service = services.find((each) => each.name === name);
  if (!service) throw new Unreadable(`there is no service ${JSON.stringify(name)} in this process`);
  return service;
}

const counted = (counts: Map<string, number>, { service }: BodyLine): void =>
  void counts.set(service, (counts.get(service) ?? 0) + 1);

/** Plays an arrival through without writing anything. Gives the number of commits of each service. Throws `Unreadable`, and `AlreadyHere`. */
export async function rehearse(arrival: Arrival): Promise<ReadonlyMap<string, number>> {
  const { received, services } = arrival;
  const counts = new Map<string, number>();
  for await (const line of rehearsed(arrival)) {
    if ('commit' in line) counted(counts, line);
    else if ('key' in line) await refuseOtherKey(serviceOf(services, line.service), received.header, line.key);
  }
  return counts;
}

async function refuseOtherKey({ vault }: MovingService, { school }: Header, key: string): Promise<void> {
  const known = await vault.schoolKey(school);
  if (known && !known.equals(Buffer.from(key, 'base64'))) throw new KeyTaken(school);
}

/**
 * Writes what arrives of a school into the logs of its services: the same commits with the same ids, times and versions,
 * at new positions. What is there already, from a try before, is compared and passed over. Erasures come last, because
 * every service carries out what follows from one by itself: by then all that followed where it was written is here. Gives
 * the number of commits of each service. Throws `Unreadable`, `AlreadyHere`, and what `append` and `adopt` throw.
 */
export async function arrive(arrival: Arrival): Promise<ReadonlyMap<string, number>> {
  const { received, services, now } = arrival;
  const { school } = received.header;
  const counts = new Map<string, number>();
  const put = async (line: CommitLine) => {
    await write(serviceOf(services, line.service), school, line.commit, now);
    counted(counts, line);
  };
  const erasures: CommitLine[] = [];
  for await (const line of rehearsed(arrival)) {
    const { vault } = serviceOf(services, line.service);
    if ('key' in line) await vault.adopt(school, Buffer.from(line.key, 'base64'));
    else if ('subjects' in line) for (const each of line.subjects) await vault.adoptSubject(school, each);
    else if (isErasure(line.commit)) erasures.push(line);
    else await put(line);
  }
  for (const line of erasures) await put(line);
  return counts;
}

type CommitLine = Extract<BodyLine, { readonly commit: StoredCommitLine }>;

const isErasure = ({ events }: StoredCommitLine): boolean =>
  (events as readonly NewEvent[]).every(
    ({ type, stream }) => type === 'SubjectErased' && stream.startsWith(erasureStream('')),
  );

async function write({ stored, name }: MovingService, tenant: string, commit: StoredCommitLine, now: number) {
  const { id: commitId, meta, fingerprint, streams } = commit;
  const isFuture = Date.parse(commit.at) > now;
  const at = isFuture ? isoTime(now) : commit.at;
  const events = commit.events as readonly NewEvent[];
  const expectations = streams.map(({ id, before }) => ({ stream: id, version: before }));
  const arrived = { ...meta, arrived: isoTime(now) } as Meta;
  const append = { tenant, commitId, at, meta: arrived, fingerprint, expectations, events };
  try {
    const { commit: written } = await stored.append(append);
    const there = written.events.map(({ stream, type, schema, data }) => ({ stream, type, schema, data }));
    if (JSON.stringify(there) === JSON.stringify(events) && (isFuture || written.at === at)) return;
  } catch (error) {
    if (!(error instanceof ConcurrencyConflict || error instanceof IdempotencyMismatch)) throw error;
  }
  // An erasure that came with another service is told to all of them at once, and may have been written by itself.
  if (!isErasure(commit)) throw new AlreadyHere(`the ${name} service has other commits of this school`);
}
