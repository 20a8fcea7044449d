import { type Decider, type DomainEvent, type Rejection, reject } from '@lyceum/kernel';
import { type Evolving, fold } from './folding/fold.ts';
import type { Commit, EventLog, Expectation, NewEvent } from './port.ts';

/** Streams of claims begin so; no aggregate's stream may. */
const prefix = 'unique/';

/** Names the stream that holds a claim on a value. */
export const claimStream = (kind: string, value: string): string => `${prefix}${kind}/${value}`;

/** Whether a stream holds a claim rather than an aggregate. */
export const isClaimStream = (stream: string): boolean => stream.startsWith(prefix);

type ClaimEvent = DomainEvent<'Claimed', { readonly by: string }> | DomainEvent<'Released', { readonly by: string }>;

const asWritten = { version: 1, data: { parse: (data: unknown) => data } };

/** The holder of a claim by the events of its stream. */
const claim: Evolving<string | undefined, ClaimEvent> = {
  events: { Claimed: asWritten, Released: asWritten },
  initial: undefined,
  evolve: (_, { type, data }) => (type === 'Claimed' ? data.by : undefined),
};

/** The stream that holds a claimed value now, or undefined. Strongly consistent. */
export async function claimant(
  log: EventLog,
  tenant: string,
  kind: string,
  value: string,
): Promise<string | undefined> {
  return (await fold(log, claim, tenant, claimStream(kind, value))).state;
}

/** Every stream that ever held a claimed value, the first one first: a claim remembers who gave it back. */
export async function claimants(
  log: EventLog,
  tenant: string,
  kind: string,
  value: string,
): Promise<readonly string[]> {
  const stream = claimStream(kind, value);
  const { commits } = await log.load(tenant, [stream]);
  const events = commits.flatMap((commit) => commit.events.filter((event) => event.stream === stream));
  return [...new Set(events.map(({ data }) => (data as { by: string }).by))];
}

/** A value that a decision leaves taken (`rejected` is the code of the rejection of a loser) or given back (no `rejected`). */
export interface Wish<Code extends string> {
  readonly kind: string;
  readonly value: string;
  readonly rejected?: Code;
}

/** What a commit must expect and write beside its own events. */
export interface ClaimWrites {
  readonly expectations: readonly Expectation[];
  readonly events: readonly NewEvent[];
}

/**
 * The claims that a decision of stream `owner` takes and gives back, or the rejection of the first value that another
 * stream holds. Taking what it holds already, or giving back what it does not hold, writes nothing.
 */
export async function claimWrites<Code extends string>(
  log: EventLog,
  tenant: string,
  owner: string,
  wishes: readonly Wish<Code>[],
): Promise<ClaimWrites | Rejection<Code>> {
  if (wishes.length === 0) return { expectations: [], events: [] };
  const streams = wishes.map(({ kind, value }) => claimStream(kind, value));
  const { commits, heads } = await log.load(tenant, streams);
  const expectations: Expectation[] = [];
  const events: NewEvent[] = [];
  for (const { kind, value, rejected } of wishes) {
    const stream = claimStream(kind, value);
    const by = holder(commits, stream);
    const wanted = rejected !== undefined;
    if (wanted && by !== undefined && by !== owner) return reject(rejected, `${kind} "${value}" is taken`);
    if (wanted === (by === owner)) continue;
    expectations.push({ stream, version: heads[stream] ?? 0 });
    events.push({ stream, type: wanted ? 'Claimed' : 'Released', schema: 1, data: { by: owner } });
  }
  return { expectations, events };
}

/**
 * What a decision leaves taken and given back. Each event is judged by the state right before it, and a value that comes
 * up more than once counts as the last event left it; an event that gives back and takes the same value takes it.
 */
export function wishes<State, Event extends DomainEvent, Code extends string>(
  decider: Pick<Decider<State, never, Event, Code>, 'claims' | 'releases' | 'evolve'>,
  events: readonly Event[],
  before: { readonly state: State; readonly version: number },
  at: string,
): readonly Wish<Code>[] {
  if (!decider.claims && !decider.releases) return [];
  const last = new Map<string, Wish<Code>>();
  let { state, version } = before;
  for (const event of events) {
    for (const { kind, value } of decider.releases?.(event, state) ?? [])
      last.set(claimStream(kind, value), { kind, value });
    for (const claim of decider.claims?.(event) ?? []) last.set(claimStream(claim.kind, claim.value), claim);
    version += 1;
    state = decider.evolve(state, event, { at, version });
  }
  return [...last.values()];
}

/** Who the last event of a claim's stream leaves it with. */
function holder(commits: readonly Commit[], stream: string): string | undefined {
  const last = commits.flatMap((commit) => commit.events.filter((event) => event.stream === stream)).at(-1);
  return last?.type === 'Claimed' ? (last.data as { by: string }).by : undefined;
}
