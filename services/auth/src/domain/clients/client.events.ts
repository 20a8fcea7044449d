import type { EventOf } from '@lyceum/kernel';
import { z } from 'zod';

/** How a client may prove who it is. @see RFC 7591 §2, OIDC Core §9 */
const authMethods = ['none', 'client_secret_post', 'client_secret_basic', 'private_key_jwt'] as const;

const metadata = z.object({
  client_name: z.string().optional(),
  client_uri: z.string().optional(),
  software_id: z.string().optional(),
  software_version: z.string().optional(),
  application_type: z.enum(['native', 'web']),
  /** Empty for a resource server that signs nobody in. */
  redirect_uris: z.array(z.string()),
  post_logout_redirect_uris: z.array(z.string()).optional(),
  backchannel_logout_uri: z.string().optional(),
  backchannel_logout_session_required: z.boolean().optional(),
  token_endpoint_auth_method: z.enum(authMethods),
  /** Public keys of `private_key_jwt`: these, or those at `jwks_uri`. */
  jwks: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).optional(),
  jwks_uri: z.string().optional(),
  grant_types: z.array(z.enum(['authorization_code', 'refresh_token'])),
  response_types: z.array(z.literal('code')),
  /** Space-separated; absent = anything the school offers. */
  scope: z.string().optional(),
  id_token_signed_response_alg: z.enum(['RS256', 'ES256']),
  /** False only for a confidential client that the operator lets do without PKCE. */
  require_pkce: z.boolean().optional(),
  /** False: without PKCE it needs no nonce either. Releases of before ask for one. */
  require_nonce: z.boolean().optional(),
  /** APIs that the client serves: tokens may be meant for them, and it may introspect those. */
  resources: z.array(z.string()).optional(),
});

/** What a client said about itself, with defaults filled in. Field names are those of RFC 7591 §2. */
export type ClientMetadata = z.output<typeof metadata>;

/** A client that registered itself, or one that the operator arranged. */
const kind = z.enum(['registered', 'integration']);

/** RFC 3339. Tokens of the client that were issued before are void. */
const tokens_not_before = z.string();

/** The facts of a client. Secrets and registration tokens are there as SHA-256 only. */
export const clientEvents = {
  ClientRegistered: {
    version: 2,
    data: z.object({
      kind,
      metadata,
      secret_hash: z.string().optional(),
      /** Of the token that manages the registration. */
      registration_hash: z.string().optional(),
    }),
    upcasters: [(old: object) => ({ kind: 'registered', ...old })],
  },
  /** A new secret, when there is one, replaces all before. */
  ClientUpdated: { version: 1, data: z.object({ metadata, secret_hash: z.string().optional() }) },
  /** The secret before is good until `before_until`, seconds since the epoch. */
  ClientSecretRotated: { version: 1, data: z.object({ secret_hash: z.string(), before_until: z.number().int() }) },
  /** Tokens were given out; recorded at most once a day. */
  ClientUsed: { version: 1, data: z.object({}) },
  ClientDisabled: { version: 1, data: z.object({ tokens_not_before }) },
  ClientEnabled: { version: 1, data: z.object({}) },
  ClientDeleted: { version: 1, data: z.object({ tokens_not_before }) },
  /** Nobody used it for as long as any of its tokens could live, or ever, when room was needed. */
  ClientExpired: { version: 1, data: z.object({}) },
} as const;

export type ClientEvent = EventOf<typeof clientEvents>;
