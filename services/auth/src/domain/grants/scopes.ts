import { type Role, type Scope, isScope, mayHold } from '@lyceum/contracts';
import { ignoredScopes } from '../clients/metadata/client-metadata.ts';

const unsaid: readonly Scope[] = ['openid', 'profile'];

/**
 * The scopes that a request is about: what it names, else what the client registered, else `openid profile`; never more
 * than the client registered. Undefined when it names a scope that does not exist.
 * @see RFC 6749 §3.3
 */
export function requestedScopes(
  asked: string | undefined,
  registered: string | undefined,
): readonly Scope[] | undefined {
  const names = (asked ?? registered ?? unsaid.join(' ')).split(' ');
  const meant = names.filter((name) => name !== '' && !ignoredScopes.includes(name));
  if (!meant.every(isScope)) return undefined;
  const allowed = registered?.split(' ');
  return [...new Set(meant)].filter((scope) => allowed?.includes(scope) ?? true);
}

/** The scopes of these that a person with this role may hold. */
export const grantable = (scopes: readonly string[], role: Role): readonly Scope[] =>
  scopes.filter(isScope).filter((scope) => mayHold(role, scope));
