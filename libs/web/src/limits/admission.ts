import { Problem } from '../replies/problem.ts';
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
  const policies = admissions.map(({ policy }) => policyText(policy)).join(', ');
  const limits = admissions.map(limitText).filter(Boolean).join(', ');
  return {
    ...(policies === '' ? {} : { 'RateLimit-Policy': policies }),
    ...(limits === '' ? {} : { RateLimit: limits }),
  };
}

/** The headers of one admission, for who has no others: the same as of a list of it. */
export function rateLimitHeadersOf(admission: Admission): Readonly<Record<string, string>> {
  const policy = policyText(admission.policy);
  if (admission.outcome === 'unknown') return { 'RateLimit-Policy': policy };
  return { 'RateLimit-Policy': policy, RateLimit: limitText(admission) };
}

const texts = new WeakMap<Policy, string>();

/** A policy is a value that is used again and again. */
function policyText(policy: Policy): string {
  const known = texts.get(policy);
  if (known !== undefined) return known;
  const text = `"${policy.name}";q=${policy.quota};w=${policy.window}`;
  texts.set(policy, text);
  return text;
}

const limitText = (admission: Admission): string =>
  admission.outcome === 'unknown' ? '' : `"${admission.policy.name}";r=${admission.left};t=${admission.wait}`;

/** Throws `rate_limited` with Retry-After for an admission that was refused. @see RFC 6585 §4 */
export function refuseBeyond(admission: Admission): void {
  if (admission.outcome !== 'refused') return;
  const { name } = admission.policy;
  throw new Problem('rate_limited', `Too many requests under the policy ${name}`, {
    headers: { 'Retry-After': String(admission.wait) },
  });
}
