import { createHash } from 'node:crypto';
import { uuidv5 } from '@lyceum/kernel';

/** One call of one caller: the same in every life of the process, as a client repeats what was not answered. */
export interface Request {
  /** `<caller>-<number>`. */
  readonly name: string;
  /** Derived from the caller's idempotency key. */
  readonly commitId: string;
  readonly tenant: string;
  /** One account, or two in one commit. */
  readonly moves: readonly { readonly stream: string; readonly amount: number }[];
  /** How the streams' versions are checked: by a decider, by the versions just read, or not at all. */
  readonly check: 'decide' | 'expect' | 'none';
}

const tenants = ['school_a', 'school_b', 'school_c', 'school_d', 'school_e'];
const checks = ['decide', 'expect', 'none'] as const;

/** The n-th request of a caller. The seed gives the requests of one data folder. */
export function requestOf(seed: string, caller: number, n: number): Request {
  const name = `${caller}-${n}`;
  const dice = createHash('sha1').update(`${seed} ${name}`).digest();
  const check = checks[dice[0]! % 3]!;
  const first = dice[1]! % 4;
  const moves = [{ stream: `account-${first}`, amount: dice[2]! }];
  if (check !== 'decide' && dice[3]! % 2 === 0)
    moves.push({ stream: `account-${(first + 1 + (dice[4]! % 3)) % 4}`, amount: dice[5]! });
  return { name, commitId: uuidv5('request', seed, name), tenant: tenants[dice[6]! % 5]!, moves, check };
}

/** A line that a caller writes down when it has its answer. */
export interface Acknowledged {
  readonly name: string;
  readonly commitId: string;
  readonly lane: number;
  readonly position: number;
  readonly replayed: boolean;
}

/** `ack <name> <commit id> <lane> <position> <replayed>`. */
export const lineOf = ({ name, commitId, lane, position, replayed }: Acknowledged): string =>
  `ack ${name} ${commitId} ${lane} ${position} ${replayed ? 1 : 0}\n`;

/** What the lines of a life say. */
export function acknowledgedIn(text: string): readonly Acknowledged[] {
  return text.split('\n').flatMap((line) => {
    const [word, name, commitId, lane, position, replayed] = line.split(' ');
    if (word !== 'ack') return [];
    return [
      { name: name!, commitId: commitId!, lane: Number(lane), position: Number(position), replayed: replayed === '1' },
    ];
  });
}
