import type { Taken } from '@lyceum/ephemeral';
import type { Admission, Policy } from '@lyceum/web';
import type { Quotas } from './quota-table.ts';

/**
 * Counts a request under a key, which begins with the school, as so many as it costs (1 when not given); a promise only
 * where others have to be asked. Never rejects.
 */
export type Count = (policy: Policy, key: string, cost?: number) => Admission | Promise<Admission>;

/** Counts in quotas, whose window is that of the policies. */
export const countIn =
  (quotas: Quotas): Count =>
  (policy, key, cost = 1) => {
    // A quota that is smaller than a cost lets such a request through when it is whole.
    const taken = take(quotas, key, policy.quota, Math.min(cost, policy.quota));
    return taken instanceof Promise ? taken.then((each) => admission(policy, each)) : admission(policy, taken);
  };

/** Takes unit by unit. A request that finds the quota empty in between is refused, and its units stay taken. */
function take(quotas: Quotas, key: string, quota: number, units: number): ReturnType<Quotas['take']> {
  let taken: Taken | undefined;
  for (let unit = 0; unit < units; unit += 1) {
    const taking = quotas.take(key, quota);
    if (taking instanceof Promise) return rest(taking, quotas, key, quota, units - unit - 1);
    taken = taking;
    if (!taken?.taken) return taken;
  }
  return taken;
}

async function rest(taking: Promise<Taken | undefined>, quotas: Quotas, key: string, quota: number, units: number) {
  const taken = await taking;
  return units === 0 || !taken?.taken ? taken : take(quotas, key, quota, units);
}

function admission(policy: Policy, taken: Taken | undefined): Admission {
  if (!taken) return { outcome: 'unknown', policy };
  const outcome = taken.taken ? 'admitted' : 'refused';
  return { outcome, policy, left: taken.left, wait: Math.ceil(taken.wait / 1_000) };
}
