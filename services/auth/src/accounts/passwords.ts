import { hash, verify } from '@node-rs/argon2';
import { Problem } from '@lyceum/web';
import { normalisePassword } from './password-strength.ts';
import { Turnstile } from './turnstile.ts';

/** Hashes and checks passwords. */
export interface Passwords {
  /** An argon2id hash in PHC form. Throws `temporarily_unavailable` when too many wait. */
  hash(password: string): Promise<string>;
  /** Whether the password fits. Without a hash (no such account) it takes the same time and says no. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
}

/** What hashing costs: memory in KiB, passes, threads. Algorithm: argon2id. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** OWASP's recommendation for argon2id: 19 MiB, 2 passes, 1 thread. */
export const standardCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Passwords with argon2id. At most `cores` hashes run at once and `queue` wait: a burst of sign-ins can neither fill the
 * memory nor starve the process.
 */
export function passwordsOf(cores: number, queue = 64, cost: PasswordCost = standardCost): Passwords {
  const turnstile = new Turnstile(cores, queue);
  const through = <T>(work: () => Promise<T>): Promise<T> =>
    turnstile.pass(work, () => {
      throw new Problem('temporarily_unavailable', 'Too many people are signing in; try again in a moment', {
        headers: { 'Retry-After': '2' },
      });
    });
  let nobody: Promise<string> | undefined;
  return {
    hash: (password) => through(() => hash(normalisePassword(password), cost)),
    async verify(known, password) {
      nobody ??= hash('nobody has this password', cost);
      const against = known ?? (await nobody);
      return through(async () => (await verify(against, normalisePassword(password))) && known !== undefined);
    },
  };
}
