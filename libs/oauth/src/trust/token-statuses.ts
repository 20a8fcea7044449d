import type { Role } from '@lyceum/contracts';
import type { Clock } from '@lyceum/kernel';

/** A change of what the tokens of a person or a client of a school are good for. */
export interface StatusChange {
  /** When it was published (RFC 3339). */
  readonly at: string;
  /** Tokens issued earlier are void (RFC 3339). */
  readonly notBefore?: string;
  /** Whether no token counts at all; `for good`: nothing changes that. */
  readonly blocked?: boolean | 'for good';
  /** The role that counts instead of the token's. */
  readonly role?: Role;
}

/** The status of the tokens of a person or a client, kept until the tokens that it concerns have expired. Milliseconds. */
export interface TokenStatus {
  readonly notBefore: number;
  readonly blocked: boolean | 'for good';
  readonly role: Role | undefined;
  readonly until: number;
}

/** A status is of the tokens of a person or of a client. */
export type Holder = 'subject' | 'client';

/** The statuses of people and clients, beside what their tokens say. */
export interface TokenStatuses {
  /** Records a change, in the order of its owner's log; undefined when it is too old. Throws when a time is malformed. */
  record(school: string, holder: Holder, id: string, change: StatusChange): TokenStatus | undefined;
  /** Restores a status of a trust snapshot. */
  keep(school: string, holder: Holder, id: string, status: TokenStatus): void;
  clear(): void;
  of(school: string, holder: Holder, id: string): TokenStatus | undefined;
}

/** Longer than an access token is valid, and than the authorization server may be behind with changes. Milliseconds. */
const remembered = 24 * 3_600_000;
const sweepEvery = 60_000;

const keyOf = (school: string, holder: Holder, id: string): string => `${school}\n${holder}\n${id}`;

/** Statuses in memory; each is forgotten a day after its last change was published. */
export function tokenStatuses(clock: Clock): TokenStatuses {
  const known = new Map<string, TokenStatus>();
  let swept = clock.now();

  const sweep = (now: number): void => {
    if (Math.abs(now - swept) < sweepEvery) return;
    swept = now;
    for (const [key, { until }] of known) if (until <= now) known.delete(key);
  };

  const of = (school: string, holder: Holder, id: string): TokenStatus | undefined => {
    const found = known.get(keyOf(school, holder, id));
    return found && found.until > clock.now() ? found : undefined;
  };

  return {
    of,
    record(school, holder, id, change) {
      const before = of(school, holder, id);
      const notBefore = change.notBefore === undefined ? 0 : timeOf(change.notBefore);
      const until = Math.max(timeOf(change.at) + remembered, before?.until ?? 0);
      const now = clock.now();
      sweep(now);
      if (until <= now) return undefined;
      const changed: TokenStatus = {
        notBefore: Math.max(notBefore, before?.notBefore ?? 0),
        blocked: before?.blocked === 'for good' ? 'for good' : (change.blocked ?? before?.blocked ?? false),
        role: change.role ?? before?.role,
        until,
      };
      known.set(keyOf(school, holder, id), changed);
      return changed;
    },
    keep: (school, holder, id, status) => void known.set(keyOf(school, holder, id), status),
    clear: () => known.clear(),
  };
}

function timeOf(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new Error(`${JSON.stringify(text.slice(0, 40))} is no valid time`);
  return time;
}
