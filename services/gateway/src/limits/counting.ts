import type { Taken } from '@lyceum/ephemeral';
import type { Admission, Policy } from '@lyceum/web';
import type { Quotas } from './quota-table.ts';

/** Counts a request under a key, which begins with the school; a promise only where others have to be asked. Never rejects. */
export type Count = (policy: Policy, key: string) => Admission | Promise<Admission>;

/** Counts in quotas, whose window is that of the policies. */
export const countIn =
  (quotas: Quotas): Count =>
  (policy, key) => {
    const taken = quotas.take(key, policy.quota);
    return taken instanceof Promise ? taken.then((each) => admission(policy, each)) : admission(policy, taken);
  };

function admission(policy: Policy, taken: Taken | undefined): Admission {
  if (!taken) return { outcome: 'unknown', policy };
  const outcome = taken.taken ? 'admitted' : 'refused';
  return { outcome, policy, left: taken.left, wait: Math.ceil(taken.wait / 1_000) };
}
