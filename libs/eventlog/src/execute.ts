import {
  type Decider,
  type DomainEvent,
  type Meta,
  type Rejection,
  type SideEvent,
  checkEvent,
  isRejection,
} from '@lyceum/kernel';
import { setTimeout as pause } from 'node:timers/promises';
import { claimWrites, isClaimStream, wishes } from './claims.ts';
import { type Evolving, type Folded, fold, foldUntil } from './folding/fold.ts';
import { keepPassing, lastOf, snapshotsFor } from './folding/snapshots.ts';
import { ConcurrencyConflict, IdempotencyMismatch } from './errors.ts';
import type { Commit, EventLog, Expectation } from './port.ts';

/** A command that follows from other streams, with the versions at which they were read. */
export interface VersionedCommand<Command> {
  readonly command: Command;
  /** The outcome is written only while the streams have these versions; the command is read again otherwise. */
  readonly expectedVersions: readonly Expectation[];
}

type ReadCommand<Command> = () => Promise<VersionedCommand<Command>>;

/** A command, or the function that reads it from other streams: called again for every attempt. */
export type CommandSource<Command> = Command | ReadCommand<Command>;

/** One command for one aggregate. */
export interface Request<Command> {
  readonly tenant: string;
  readonly stream: string;
  readonly command: CommandSource<Command>;
  /** RFC 3339 UTC: the time of the commit. */
  readonly at: string;
  readonly meta: Meta;
  /** UUID. Random for a one-off, derived for anything that may be repeated. */
  readonly commitId: string;
  /** Digest of what was asked, compared when `commitId` is repeated. */
  readonly fingerprint?: string;
  /** The versions of which one must be the present one (`If-Match`). Without them a lost race is decided again. */
  readonly expected?: readonly number[];
}

/** An accepted command. `events` is empty when nothing had to change; then `position` is where the state was observed. */
export interface Executed<State> extends Folded<State> {
  readonly stream: string;
  readonly events: readonly DomainEvent[];
  readonly replayed: boolean;
}

const attempts = 6;

/**
 * Decides a command against the current state and writes the outcome in one commit, with the claims that its events need
 * and its side events. A race lost to another writer is decided again, at most 6 times, unless `expected` pins the
 * version. A race on another stream whose version the command expects is always decided again.
 * A repeated `commitId` answers with the state right after the stored commit. Rejections and commands that change nothing
 * are not stored: repeating them decides again.
 *
 * Throws what `EventLog.append` throws; `ConcurrencyConflict` when `expected` does not match, or all races were lost.
 */
export async function execute<State, Command, Event extends DomainEvent, Code extends string>(
  log: EventLog,
  decider: Decider<State, Command, Event, Code>,
  request: Request<Command>,
): Promise<Executed<State> | Rejection<Code>> {
  for (let attempt = 1; ; attempt += 1) {
    const stored = await log.find(request.tenant, request.commitId);
    if (stored) return repeated(log, decider, request, stored);
    try {
      const outcome = await decideOnce(log, decider, request);
      // Another process may have written this very commit since the look: it is what is refused now.
      const written = isRejection(outcome) ? await log.find(request.tenant, request.commitId) : undefined;
      return written ? await repeated(log, decider, request, written) : outcome;
    } catch (error) {
      if (!(error instanceof ConcurrencyConflict) || attempt === attempts) throw error;
      // Only the client can resolve a race on the version it named; a race on a claim is ours to decide again.
      if (request.expected !== undefined && error.stream === request.stream) throw error;
      // Racers that retry in step would lose in step.
      await pause(Math.random() * 2 ** attempt);
    }
  }
}

async function decideOnce<State, Command, Event extends DomainEvent, Code extends string>(
  log: EventLog,
  decider: Decider<State, Command, Event, Code>,
  request: Request<Command>,
): Promise<Executed<State> | Rejection<Code>> {
  const { tenant, stream, expected, at, meta, commitId, fingerprint = '' } = request;
  const { command, expectedVersions } = await read(request.command);
  const remember = log.states?.begin();
  const before = await fold(log, decider, tenant, stream);
  if (expected && !expected.includes(before.version))
    throw new ConcurrencyConflict(stream, expected[0] ?? 0, before.version);
  const decision = decider.decide(command, before.state);
  if (isRejection(decision)) return decision;
  if (decision.length === 0) return { ...before, stream, events: [], replayed: false };

  const own = decision.map((event) => ({ ...event, stream, schema: checkEvent(decider.events, event).schema }));
  const claims = await claimWrites(log, tenant, stream, wishes(decider, decision, before, at));
  if (isRejection(claims)) return claims;
  const state = decision.reduce(
    (from, event, index) => decider.evolve(from, event, { at, version: before.version + index + 1 }),
    before.state,
  );
  const sideEvents = decider.sideEvents?.(before.state, state, command) ?? [];
  const isExpected = ({ stream: other }: SideEvent) => expectedVersions.some((each) => each.stream === other);
  const { commit, replayed } = await log.append({
    tenant,
    expectations: [{ stream, version: before.version }, ...expectedVersions, ...claims.expectations],
    events: [
      ...own,
      ...sideEvents.filter((event) => !isExpected(event)),
      ...claims.events,
      ...sideEvents.filter(isExpected),
    ],
    commitId,
    fingerprint,
    at,
    meta,
  });
  // Between the look and the append, another process wrote this very commit.
  if (replayed) return repeated(log, decider, request, commit);
  const { lane, position } = commit;
  const version = before.version + decision.length;
  if (remember) {
    remember(decider, tenant, stream, { state, version, event: lastOf(commit, stream)!.id });
    await keepPassing(snapshotsFor(log, decider), decider, commit, { stream, state, before: before.version });
  }
  return { stream, state, version, lane, position, events: decision, replayed: false };
}

const read = async <Command>(source: CommandSource<Command>): Promise<VersionedCommand<Command>> =>
  typeof source === 'function' ? (source as ReadCommand<Command>)() : { command: source, expectedVersions: [] };

async function repeated<State, Event extends DomainEvent>(
  log: EventLog,
  decider: Evolving<State, Event>,
  request: Request<unknown>,
  { tenant, lane, position, fingerprint, streams, events }: Commit,
): Promise<Executed<State>> {
  if (fingerprint !== (request.fingerprint ?? ''))
    throw new IdempotencyMismatch('this commit id was used for another request');
  // A create draws a new id on every try, so the stream is the one that the stored commit wrote.
  const { id: stream, after: version } = streams.find((touched) => !isClaimStream(touched.id))!;
  const state = await foldUntil(log, decider, tenant, stream, version);
  const own = events.filter((event) => event.stream === stream);
  return { stream, state, version, lane, position, events: own, replayed: true };
}
