import { type Role, type Scope, isScope, mayHold } from '@lyceum/contracts';
import type { Client } from '../clients/client.ts';
import { ignoredScopes } from '../clients/metadata/client-metadata.ts';

const unsaid: readonly Scope[] = ['openid', 'profile'];

/**
 * The scopes that a request is about: what it names, else what the client registered, else `openid profile`. An integration,
 * and a client that a document describes, may ask for no more than is registered for it. For a client that registered itself
 * the registration only says what it asks for when it names nothing: it could register anew with more, and clients of MCP
 * register what they read with, and ask for more by the same id when a 403 names more. Undefined when a scope does not exist.
 * @see RFC 6749 §3.3, RFC 7591 §3.2.1, MCP 2025-11-25 basic/authorization, "Scope Challenge Handling"
 */
export function requestedScopes(
  asked: string | undefined,
  { kind, metadata: { scope: registered } }: Pick<Client, 'kind' | 'metadata'>,
): readonly Scope[] | undefined {
  const names = (asked ?? registered ?? unsaid.join(' ')).split(' ');
  const meant = names.filter((name) => name !== '' && !ignoredScopes.includes(name));
  if (!meant.every(isScope)) return undefined;
  const allowed = kind === 'registered' ? undefined : registered?.split(' ');
  return [...new Set(meant)].filter((scope) => allowed?.includes(scope) ?? true);
}

/** The scopes of these that a person with this role may hold. */
export const grantable = (scopes: readonly string[], role: Role): readonly Scope[] =>
  scopes.filter(isScope).filter((scope) => mayHold(role, scope));
