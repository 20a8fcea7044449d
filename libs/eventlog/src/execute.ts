import {
  type Claim,
  type Decider,
  type DomainEvent,
  type Meta,
  type Rejection,
  checkEvent,
  isRejection,
  reject,
  upcast,
} from '@lyceum/kernel';
import { type Commit, ConcurrencyConflict, type EventLog, IdempotencyMismatch, type NewEvent } from './port.ts';

/** One command for one aggregate. */
export interface Request<Command> {
  readonly tenant: string;
  readonly stream: string;
  readonly command: Command;
  /** RFC 3339 UTC: the time of the commit. */
  readonly at: string;
  readonly meta: Meta;
  /** UUID. Random for a one-off, derived for anything that may be repeated. */
  readonly commitId: string;
  /** Digest of what was asked, compared when `commitId` is repeated. */
  readonly fingerprint?: string;
  /** The version that the client saw (`If-Match`). Without it a lost race is decided again. */
  readonly expected?: number;
}

/** An accepted command. `events` is empty when nothing had to change; then `position` is where the state was observed. */
export interface Executed<State> {
  readonly stream: string;
  readonly state: State;
  readonly version: number;
  readonly lane: number;
  readonly position: number;
  readonly events: readonly DomainEvent[];
  readonly replayed: boolean;
}

/** A stream's state, version and where it was observed. `version` 0: the stream does not exist. */
export interface Folded<State> {
  readonly state: State;
  readonly version: number;
  readonly lane: number;
  readonly position: number;
}

type Evolving<State, Event extends DomainEvent> = Pick<
  Decider<State, never, Event, string>,
  'events' | 'initial' | 'evolve'
>;

const attempts = 6;

/** Names the stream that holds a claim on a value. */
export const claimStream = (kind: string, value: string): string => `unique/${kind}/${value}`;

/** The stream that holds a claimed value now, or undefined. Strongly consistent. */
export async function claimant(
  log: EventLog,
  tenant: string,
  kind: string,
  value: string,
): Promise<string | undefined> {
  return holder((await log.load(tenant, [claimStream(kind, value)])).commits, claimStream(kind, value));
}

/** Replays one stream. Strongly consistent. */
export async function fold<State, Event extends DomainEvent>(
  log: EventLog,
  decider: Evolving<State, Event>,
  tenant: string,
  stream: string,
): Promise<Folded<State>> {
  const { commits, heads, lane, position } = await log.load(tenant, [stream]);
  return { ...replay(decider, commits, stream, heads[stream] ?? 0), lane, position };
}

/**
 * Decides a command against the current state and writes the outcome in one commit, with the claims its events need.
 * A race lost to another writer is decided again, at most 6 times, unless `expected` pins the version.
 * A repeated `commitId` answers with the state right after the stored commit.
 *
 * Throws what `EventLog.append` throws; `ConcurrencyConflict` when `expected` does not match.
 */
export async function execute<State, Command, Event extends DomainEvent, Code extends string>(
  log: EventLog,
  decider: Decider<State, Command, Event, Code>,
  request: Request<Command>,
): Promise<Executed<State> | Rejection<Code>> {
  for (let attempt = 1; ; attempt += 1) {
    const stored = await log.find(request.tenant, request.commitId);
    if (stored) return replayed(log, decider, request, stored);
    try {
      return await decideOnce(log, decider, request);
    } catch (error) {
      if (!(error instanceof ConcurrencyConflict) || request.expected !== undefined || attempt === attempts)
        throw error;
    }
  }
}

async function decideOnce<State, Command, Event extends DomainEvent, Code extends string>(
  log: EventLog,
  decider: Decider<State, Command, Event, Code>,
  request: Request<Command>,
): Promise<Executed<State> | Rejection<Code>> {
  const { tenant, stream } = request;
  const before = await fold(log, decider, tenant, stream);
  if (request.expected !== undefined && request.expected !== before.version)
    throw new ConcurrencyConflict(stream, request.expected, before.version);
  const decision = decider.decide(request.command, before.state);
  if (isRejection(decision)) return decision;
  if (decision.length === 0) return { ...before, stream, events: [], replayed: false };

  const claimed = await claimEvents(log, decider, tenant, stream, decision, before.state);
  if (isRejection(claimed)) return claimed;
  const own = decision.map((event) => ({ ...event, stream, schema: checkEvent(decider.events, event).schema }));
  const { commit, replayed: repeated } = await log.append({
    tenant,
    expectations: [{ stream, version: before.version }, ...claimed.expectations],
    events: [...own, ...claimed.events],
    commitId: request.commitId,
    fingerprint: request.fingerprint ?? '',
    at: request.at,
    meta: request.meta,
  });
  if (repeated) return replayed(log, decider, request, commit);
  const after = evolveAll(decider, before.state, before.version, decision, commit.at);
  return { ...after, stream, lane: commit.lane, position: commit.position, events: decision, replayed: false };
}

async function replayed<State, Event extends DomainEvent>(
  log: EventLog,
  decider: Evolving<State, Event>,
  request: Request<unknown>,
  commit: Commit,
): Promise<Executed<State>> {
  if (commit.fingerprint !== (request.fingerprint ?? ''))
    throw new IdempotencyMismatch('this commit id was used for another request');
  // A create draws a new id on every try, so the stream is the one that the stored commit wrote.
  const stream = commit.streams.find((touched) => !touched.id.startsWith('unique/'))!;
  const { commits } = await log.load(commit.tenant, [stream.id]);
  const until = commits.filter((each) => each.position <= commit.position);
  const events = commit.events.filter((event) => event.stream === stream.id);
  return {
    ...replay(decider, until, stream.id, stream.after),
    stream: stream.id,
    lane: commit.lane,
    position: commit.position,
    events,
    replayed: true,
  };
}

function replay<State, Event extends DomainEvent>(
  decider: Evolving<State, Event>,
  commits: readonly Commit[],
  stream: string,
  head: number,
): { state: State; version: number } {
  let state = decider.initial;
  for (const commit of commits)
    for (const event of commit.events)
      if (event.stream === stream) {
        const lifted = upcast(decider.events, event) as Event;
        state = decider.evolve(state, lifted, { at: commit.at, version: event.version });
      }
  return { state, version: head };
}

function evolveAll<State, Event extends DomainEvent>(
  decider: Evolving<State, Event>,
  from: State,
  version: number,
  events: readonly Event[],
  at: string,
): { state: State; version: number } {
  const state = events.reduce(
    (current, event, index) => decider.evolve(current, event, { at, version: version + index + 1 }),
    from,
  );
  return { state, version: version + events.length };
}

const holder = (commits: readonly Commit[], stream: string): string | undefined => {
  const last = commits.flatMap((commit) => commit.events.filter((event) => event.stream === stream)).at(-1);
  return last?.type === 'Claimed' ? (last.data as { by: string }).by : undefined;
};

interface Claims {
  readonly expectations: { stream: string; version: number }[];
  readonly events: NewEvent[];
}

async function claimEvents<State, Event extends DomainEvent, Code extends string>(
  log: EventLog,
  decider: Decider<State, never, Event, Code>,
  tenant: string,
  owner: string,
  events: readonly Event[],
  before: State,
): Promise<Claims | Rejection<Code>> {
  const wanted = events.flatMap((event) => decider.claims?.(event) ?? []);
  const released = events.flatMap((event) => decider.releases?.(event, before) ?? []);
  const claims: Claims = { expectations: [], events: [] };
  for (const claim of [...wanted, ...released]) {
    const stream = claimStream(claim.kind, claim.value);
    const { commits, heads } = await log.load(tenant, [stream]);
    const current = holder(commits, stream);
    if ('rejected' in claim) {
      if (current !== undefined && current !== owner)
        return reject((claim as Claim<Code>).rejected, `${claim.kind} "${claim.value}" is taken`);
      if (current === owner) continue;
      claims.events.push({ stream, type: 'Claimed', schema: 1, data: { by: owner } });
    } else {
      if (current !== owner) continue;
      claims.events.push({ stream, type: 'Released', schema: 1, data: { by: owner } });
    }
    claims.expectations.push({ stream, version: heads[stream] ?? 0 });
  }
  return claims;
}
