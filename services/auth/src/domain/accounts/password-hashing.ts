import { Problem } from '@lyceum/web';
import { hash, verify } from '@node-rs/argon2';
import { ConcurrencyLimit } from '../concurrency-limit.ts';
import { normalisePassword } from './password-strength.ts';

/** Hashes and checks passwords. */
export interface Passwords {
  /** An argon2id hash in PHC form. Throws `temporarily_unavailable` when too many of the school wait. */
  hash(password: string, school?: string): Promise<string>;
  /**
   * Whether the password fits. Without a hash (no such account), and with one that costs too much, it takes the usual time
   * and says no.
   */
  verify(hash: string | undefined, password: string, school?: string): Promise<boolean>;
}

/** What hashing costs: memory in KiB, passes, threads. Algorithm: argon2id. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** OWASP's recommendation for argon2id: 19 MiB, 2 passes, 1 thread. */
export const standardCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash may ask for so many times the work of our own, and for so many threads: a school that moves in brings its hashes. */
const [mostWork, mostThreads] = [4, 4];

/** Whether comparing with a hash, in PHC form, costs no more than we are ready to pay. */
export function isAffordable(hash: string): boolean {
  const found = /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$/.exec(hash);
  if (!found) return false;
  const [memory, passes, threads] = found.slice(1).map(Number) as [number, number, number];
  return memory * passes <= mostWork * standardCost.memoryCost * standardCost.timeCost && threads <= mostThreads;
}

/**
 * Passwords with argon2id. At most `cores` hashes run at once and `queue` of each school wait for their turn: a burst of
 * sign-ins can neither fill the memory nor starve the process, nor hold up the sign-ins of another school.
 */
export function passwordsOf(cores: number, queue = 64, cost: PasswordCost = standardCost): Passwords {
  const turnstile = new ConcurrencyLimit(cores, queue);
  const through = <T>(work: () => Promise<T>, school: string | undefined): Promise<T> => {
    const full = (): never => {
      throw new Problem('temporarily_unavailable', 'Too many people are signing in; try again in a moment', {
        headers: { 'Retry-After': '2' },
      });
    };
    return turnstile.pass(work, full, school);
  };
  let nobody: Promise<string> | undefined;
  return {
    hash: (password, school) => through(() => hash(normalisePassword(password), cost), school),
    async verify(stored, password, school) {
      const known = stored !== undefined && isAffordable(stored) ? stored : undefined;
      nobody ??= hash('nobody has this password', cost);
      const against = known ?? (await nobody);
      const fits = async () => (await verify(against, normalisePassword(password))) && known !== undefined;
      return through(fits, school);
    },
  };
}
