import { object, ref, registration, replacement, text, tokenRequest } from './schemas.ts';
import type { OperationTexts } from './operation-texts.ts';

const claims = ['The claims that the scopes open', ref('Userinfo')] as const;

const needsManager = 'Needs the registration_access_token of the client as bearer token.';

/** What the endpoints for programs do, by the id of the operation. */
export const programOperations: Readonly<Record<string, OperationTexts>> = {
  registerClient: {
    summary: 'Register a client (RFC 7591)',
    description:
      'No credentials are needed, and no answer is waited for. The answer has the `client_id`, and a `registration_access_token` to manage the registration with; keep both. Redirect URIs are loopback addresses.',
    takes: registration,
    answers: { 201: ['The client as it is registered', ref('RegisteredClient')] },
  },
  readClient: {
    summary: 'Read the registration of a client (RFC 7592)',
    description: needsManager,
    answers: { 200: ['The client as it is registered', ref('RegisteredClient')] },
  },
  replaceClient: {
    summary: 'Replace the registration of a client (RFC 7592)',
    description: needsManager,
    takes: replacement,
    answers: { 200: ['The client as it is registered now', ref('RegisteredClient')] },
  },
  deleteClient: {
    summary: 'Delete a client and all that it was granted (RFC 7592)',
    description: needsManager,
    answers: { 204: 'Deleted' },
  },
  issueTokens: {
    summary: 'Exchange a code or a refresh token for tokens (RFC 6749)',
    description:
      'A code is good for a minute, once; with `redirect_uri` and `code_verifier` as they were when it was asked for. A refresh gives a new refresh token, which replaces the one that was sent.',
    takes: tokenRequest,
    answers: { 200: ['The tokens', ref('Tokens')] },
  },
  revokeToken: {
    summary: 'Revoke a token (RFC 7009)',
    description:
      'An access token of the client ends at once; with a refresh token end all tokens of the same sign-in. A token that is unknown is answered as one that was revoked.',
    takes: ref('TokenInQuestion'),
    answers: { 200: 'Revoked, or there was nothing to revoke' },
  },
  introspectToken: {
    summary: 'Ask whether a token of the client, or one meant for its API, counts (RFC 7662)',
    description:
      'About tokens of the client that asks, and tokens that are meant for the API that it serves. Any other is `{"active": false}`.',
    takes: ref('TokenInQuestion'),
    answers: { 200: ['What there is to say', ref('Introspection')] },
  },
  readUserinfo: {
    summary: 'Claims about the person (OpenID Connect)',
    description: 'Has `sub` always, and what `profile` and `email` open. For the caller’s own token only.',
    scope: 'openid',
    answers: { 200: claims },
  },
  readUserinfoByForm: {
    summary: 'Claims about the person (OpenID Connect)',
    description: 'The token may stand in the form. Everything else is as with GET.',
    scope: 'openid',
    takes: object({ access_token: text('Instead of the Authorization header') }),
    answers: { 200: claims },
  },
  readSigningKeys: {
    summary: 'Public keys of the school (RFC 7517)',
    description:
      'Keep them for as long as Cache-Control says, and fetch them again for a `kid` that you do not know: keys rotate by themselves.',
    answers: {
      200: ['The keys', object({ keys: { type: 'array', items: { type: 'object' } } }), 'application/jwk-set+json'],
      304: 'The keys are still those of the ETag in If-None-Match',
    },
  },
};
