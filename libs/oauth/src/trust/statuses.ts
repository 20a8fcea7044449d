import type { Role } from '@lyceum/contracts';
import type { Clock } from '@lyceum/kernel';

/** What becomes known of a person or a client of a school. */
export interface News {
  /** When it was said (RFC 3339). */
  readonly at: string;
  /** Tokens issued earlier are void (RFC 3339). */
  readonly notBefore?: string;
  /** Whether no token counts at all; `for good`: nothing changes that. */
  readonly blocked?: boolean | 'for good';
  /** The role that counts instead of the token's. */
  readonly role?: Role;
}

/** What is known of a person or a client: of use until the tokens from before have expired. Milliseconds. */
export interface Standing {
  readonly notBefore: number;
  readonly blocked: boolean | 'for good';
  readonly role: Role | undefined;
  readonly until: number;
}

/** Whose tokens a standing is about. */
export type Holder = 'subject' | 'client';

/** What is known of people and clients beside what their tokens say. */
export interface Standings {
  /** Takes news in, in the order of its owner's log; undefined when they are too old. Throws when a time is malformed. */
  learn(school: string, holder: Holder, id: string, news: News): Standing | undefined;
  /** Takes in a standing that was learned before. */
  keep(school: string, holder: Holder, id: string, standing: Standing): void;
  clear(): void;
  of(school: string, holder: Holder, id: string): Standing | undefined;
}

/** Longer than any access token lives, and than the authorization server may be behind with the news. Milliseconds. */
const remembered = 24 * 3_600_000;
const sweepEvery = 60_000;

const keyOf = (school: string, holder: Holder, id: string): string => `${school}\n${holder}\n${id}`;

/** Standings in memory; each is forgotten a day after its last news was said. */
export function standings(clock: Clock): Standings {
  const known = new Map<string, Standing>();
  let swept = clock.now();

  const sweep = (now: number): void => {
    if (Math.abs(now - swept) < sweepEvery) return;
    swept = now;
    for (const [key, { until }] of known) if (until <= now) known.delete(key);
  };

  const of = (school: string, holder: Holder, id: string): Standing | undefined => {
    const found = known.get(keyOf(school, holder, id));
    return found && found.until > clock.now() ? found : undefined;
  };

  return {
    of,
    learn(school, holder, id, news) {
      const before = of(school, holder, id);
      const notBefore = news.notBefore === undefined ? 0 : timeOf(news.notBefore);
      const until = Math.max(timeOf(news.at) + remembered, before?.until ?? 0);
      const now = clock.now();
      sweep(now);
      if (until <= now) return undefined;
      const learned: Standing = {
        notBefore: Math.max(notBefore, before?.notBefore ?? 0),
        blocked: before?.blocked === 'for good' ? 'for good' : (news.blocked ?? before?.blocked ?? false),
        role: news.role ?? before?.role,
        until,
      };
      known.set(keyOf(school, holder, id), learned);
      return learned;
    },
    keep: (school, holder, id, standing) => void known.set(keyOf(school, holder, id), standing),
    clear: () => known.clear(),
  };
}

function timeOf(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new Error(`${JSON.stringify(text.slice(0, 40))} is no valid time`);
  return time;
}
