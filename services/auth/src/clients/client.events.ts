import type { EventOf } from '@lyceum/kernel';
import { z } from 'zod';

const registered = z.object({
  client_name: z.string().optional(),
  client_uri: z.string().optional(),
  software_id: z.string().optional(),
  software_version: z.string().optional(),
  application_type: z.enum(['native', 'web']),
  redirect_uris: z.array(z.string()).min(1),
  token_endpoint_auth_method: z.enum(['none', 'client_secret_post']),
  grant_types: z.array(z.enum(['authorization_code', 'refresh_token'])),
  response_types: z.array(z.literal('code')),
  /** Space-separated; absent = anything the school offers. */
  scope: z.string().optional(),
  id_token_signed_response_alg: z.enum(['RS256', 'ES256']),
});

/** What a client said about itself, with defaults filled in. Field names are those of RFC 7591 §2. */
export type ClientMetadata = z.output<typeof registered>;

/** The facts of a client. */
export const clientEvents = {
  /** `secret_hash` is the SHA-256 of the secret of a confidential client. */
  ClientRegistered: { version: 1, data: z.object({ metadata: registered, secret_hash: z.string().optional() }) },
} as const;

export type ClientEvent = EventOf<typeof clientEvents>;
