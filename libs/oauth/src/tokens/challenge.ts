import { type Scope, wellKnownPaths } from '@lyceum/contracts';

/** Why a request is refused. Without `error` the challenge only says that a token is needed. */
export interface Refusal {
  readonly issuer: string;
  /** Where the request came in, if not at the issuer: the metadata of that address is named. */
  readonly origin?: string | undefined;
  readonly error?: 'invalid_token' | 'insufficient_scope' | 'invalid_request';
  readonly description?: string;
  /** All scopes that the operation needs, not only the missing ones. */
  readonly scopes?: readonly Scope[];
  /** Path of the metadata document; that of the whole API by default. */
  readonly metadata?: string;
}

/**
 * Text that fits an `error_description`: printable ASCII without `"` and `\`.
 * @see RFC 6749 §5.2
 */
export const printable = (text: string): string =>
  text
    .replaceAll(/["“”]/g, "'")
    .replaceAll('\\', '/')
    .replaceAll(/[^\x20-\x7e]/g, '?');

/**
 * The value of `WWW-Authenticate`. It names the protected-resource metadata, from which a client finds the
 * authorization server.
 * @see RFC 6750 §3, RFC 9728 §3.3, §5.1
 */
export function challenge(refusal: Refusal): string {
  const {
    issuer,
    origin = issuer,
    error,
    description,
    scopes = [],
    metadata = wellKnownPaths.protectedResource,
  } = refusal;
  const parameters: string[] = [];
  if (error) parameters.push(`error="${error}"`);
  if (description) parameters.push(`error_description="${printable(description)}"`);
  if (scopes.length > 0) parameters.push(`scope="${scopes.join(' ')}"`);
  parameters.push(`resource_metadata="${origin}${metadata}"`);
  return `Bearer ${parameters.join(', ')}`;
}
