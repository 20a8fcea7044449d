import { setTimeout as pause } from 'node:timers/promises';
import { type Append, ConcurrencyConflict, type EventLog, type NewEvent, execute } from '@lyceum/eventlog';
import { type Clock, isRejection, isoTime, systemClock } from '@lyceum/kernel';
import { account } from '../service/account.ts';
import { type Acknowledged, type Request, requestOf } from './request.ts';

/** Callers that write at the same time. */
export const callers = 6;

const meta = { actor: 'caller' };

/** Who calls, and how far. */
export interface Calling {
  readonly seed: string;
  readonly caller: number;
  /** Requests of this caller that have their answer. */
  readonly answered: number;
  /** The number of the request that it stops before. */
  readonly until: number;
  /** What it believes the time to be; the machine's clock when not given. */
  readonly clock?: Clock;
}

/**
 * One caller: repeats the request that was not answered in an earlier life, then asks on.
 * Throws what the log throws, but for lost races, which are decided anew as often as it takes.
 */
export async function call(
  log: EventLog,
  { seed, caller, answered, until, clock = systemClock }: Calling,
  acknowledge: (answer: Acknowledged) => void,
): Promise<void> {
  for (let n = answered; n < until; n += 1) {
    const request = requestOf(seed, caller, n);
    acknowledge({ name: request.name, commitId: request.commitId, ...(await perform(log, request, clock)) });
    if (n % 3 === 0) await pause(1);
  }
}

type Place = Omit<Acknowledged, 'name' | 'commitId'>;

async function perform(log: EventLog, request: Request, clock: Clock): Promise<Place> {
  for (;;)
    try {
      const at = isoTime(clock.now());
      return request.check === 'decide' ? await decide(log, request, at) : await append(log, request, at);
    } catch (error) {
      if (!(error instanceof ConcurrencyConflict)) throw error;
    }
}

async function decide(log: EventLog, { name, commitId, tenant, moves }: Request, at: string): Promise<Place> {
  const { stream, amount } = moves[0]!;
  const command = { request: name, amount };
  const done = await execute(log, account, { tenant, stream, command, commitId, fingerprint: name, at, meta });
  if (isRejection(done)) throw new Error(`${name} was rejected`);
  return { lane: done.lane, position: done.position, replayed: done.replayed };
}

async function append(log: EventLog, { name, commitId, tenant, moves, check }: Request, at: string): Promise<Place> {
  const streams = moves.map(({ stream }) => stream);
  const heads = check === 'expect' ? (await log.load(tenant, streams)).heads : {};
  const expectations = Object.entries(heads).map(([stream, version]) => ({ stream, version }));
  const events = moves.map(({ stream, amount }): NewEvent => {
    return { stream, type: 'Moved', schema: 1, data: { request: name, amount } };
  });
  const asked: Append = { tenant, expectations, events, commitId, fingerprint: name, at, meta };
  const { commit, replayed } = await log.append(asked);
  return { lane: commit.lane, position: commit.position, replayed };
}
