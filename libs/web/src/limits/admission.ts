import { Problem } from '../problem.ts';
import type { Policy } from './policy.ts';

/** What a limiter said to one request. `unknown`: the count could not be kept, so the request goes on. */
export type Admission =
  | { readonly outcome: 'admitted' | 'refused'; readonly policy: Policy; readonly left: number; readonly wait: number }
  | { readonly outcome: 'unknown'; readonly policy: Policy };

/**
 * The headers that tell a client where it stands, one item for each policy. `t` is the number of whole seconds until
 * there is one request more than `r`.
 * @see draft-ietf-httpapi-ratelimit-headers-11 §3, §4
 */
export function rateLimitHeaders(admissions: readonly Admission[]): Readonly<Record<string, string>> {
  const policies = admissions.map(({ policy: { name, quota, window } }) => `"${name}";q=${quota};w=${window}`);
  const limits = admissions.flatMap((admission) =>
    admission.outcome === 'unknown' ? [] : [`"${admission.policy.name}";r=${admission.left};t=${admission.wait}`],
  );
  return {
    ...(policies.length > 0 ? { 'RateLimit-Policy': policies.join(', ') } : {}),
    ...(limits.length > 0 ? { RateLimit: limits.join(', ') } : {}),
  };
}

/** Throws `rate_limited` with Retry-After for an admission that was refused. @see RFC 6585 §4 */
export function refuseBeyond(admission: Admission): void {
  if (admission.outcome !== 'refused') return;
  const { name } = admission.policy;
  throw new Problem('rate_limited', `Too many requests under the policy ${name}`, {
    headers: { 'Retry-After': String(admission.wait) },
  });
}
