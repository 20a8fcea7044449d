import { mayHold } from '@lyceum/contracts';
import type { Principal, Trust } from '@lyceum/oauth';

/**
 * The caller as of now, long after the token was verified: in the present role, with the scopes that it may hold.
 * Undefined when the token has expired or was revoked since. `now`: milliseconds since the epoch.
 */
export function currentPrincipal(principal: Principal, trust: Trust, now: number): Principal | undefined {
  const { school, subject, scopes, expires } = principal;
  if (expires * 1000 <= now || !trust.school(school) || trust.denied(school, principal)) return undefined;
  const role = trust.role(school, subject) ?? principal.role;
  if (role === principal.role) return principal;
  return { ...principal, role, scopes: new Set([...scopes].filter((scope) => mayHold(role, scope))) };
}
