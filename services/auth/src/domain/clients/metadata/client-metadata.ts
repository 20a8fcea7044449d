import { Problem } from '@lyceum/web';
import type { ClientMetadata } from '../client.events.ts';
import { isLoopbackRedirect } from '../redirect-uri.ts';
import {
  type Json,
  choice,
  readGrantTypes,
  readResponseTypes,
  readScope,
  readTexts,
  withoutNulls,
  wrong,
} from './metadata-fields.ts';

export { ignoredScopes } from './metadata-fields.ts';

const mostRedirects = 20;

/** Which loopback addresses are open to everyone. */
export interface RedirectPolicy {
  /** `localhost` too, though a resolver or a hosts file decides where that leads. @see RFC 8252 §8.3 */
  readonly localhostRedirects: boolean;
}

/**
 * Reads the metadata that a client registers with, and fills in what it left out. Unknown members are ignored; null
 * counts as left out.
 * @see RFC 7591 §2, §3.2.2
 */
export function readClientMetadata(given: Json, policy: RedirectPolicy): ClientMetadata {
  const json = withoutNulls(given);
  if (json['software_statement'] !== undefined) throw new Problem('invalid_software_statement');
  const redirect_uris = readRedirects(json['redirect_uris'], policy);
  return {
    ...readTexts(json),
    application_type: choice(json, 'application_type', ['native', 'web'], 'native'),
    redirect_uris,
    ...readReturns(json['post_logout_redirect_uris'], policy),
    token_endpoint_auth_method: readAuthMethod(json),
    grant_types: readGrantTypes(json['grant_types']),
    response_types: readResponseTypes(json['response_types']),
    ...readScope(json['scope']),
    id_token_signed_response_alg: choice(json, 'id_token_signed_response_alg', ['RS256', 'ES256'], 'RS256'),
  };
}

const openMethods = ['none', 'client_secret_post'] as const;

/** The methods for clients that register themselves; the others are for clients that an operator arranges. */
function readAuthMethod(json: Json): (typeof openMethods)[number] {
  const asked = json['token_endpoint_auth_method'] ?? 'none';
  const method = openMethods.find((each) => each === asked);
  if (method === undefined)
    throw wrong(
      'token_endpoint_auth_method',
      `${openMethods.join(' or ')} for a client that registers itself; an operator arranges other methods`,
    );
  return method;
}

const isOpen = (uri: string, { localhostRedirects }: RedirectPolicy): boolean =>
  isLoopbackRedirect(uri) && (localhostRedirects || !uri.startsWith('http://localhost'));

const isLoopbackList = (value: unknown, policy: RedirectPolicy): value is string[] =>
  Array.isArray(value) && value.every((uri) => typeof uri === 'string' && isOpen(uri, policy));

/** Anyone may register, so only addresses on the person's own machine are taken. @see RFC 8252 §7.3, RFC 7591 §5 */
function readRedirects(value: unknown, policy: RedirectPolicy): string[] {
  const refuse = (why: string) => new Problem('invalid_redirect_uri', why);
  if (!Array.isArray(value) || value.length === 0)
    throw refuse('redirect_uris must be a list of at least one loopback address');
  if (value.length > mostRedirects) throw refuse(`redirect_uris must hold at most ${mostRedirects} addresses`);
  if (!isLoopbackList(value, policy))
    throw refuse(
      'Every redirect URI must be a loopback address such as http://127.0.0.1:49152/callback. ' +
        'A client with an HTTPS callback needs a registered integration: ask the operator of the school',
    );
  return value;
}

/** Where a person may come back to after signing out: by the same rule. @see OpenID Connect RP-Initiated Logout 1.0 §3.1 */
function readReturns(value: unknown, policy: RedirectPolicy): Pick<ClientMetadata, 'post_logout_redirect_uris'> {
  if (value === undefined) return {};
  if (!isLoopbackList(value, policy) || value.length > mostRedirects)
    throw wrong('post_logout_redirect_uris', `a list of at most ${mostRedirects} loopback addresses`);
  return { post_logout_redirect_uris: value };
}
