import { z } from 'zod';
import type { Client } from '../domain/clients/client.ts';

const addresses = z.array(z.string());

/** An integration as the operator sees it. */
export const integrationReply = z
  .object({
    object: z.literal('integration'),
    client_id: z.string(),
    client_id_issued_at: z.number().int().meta({ description: 'Seconds since the epoch' }),
    school: z.string(),
    kind: z.enum(['registered', 'integration']).meta({ description: 'Arranged by the operator, or by itself' }),
    disabled: z.boolean(),
    client_secret: z.string().optional().meta({ description: 'Shown once, when it is made' }),
    client_secret_expires_at: z.number().int().optional().meta({ description: '0 = never' }),
    previous_secret_expires_at: z
      .number()
      .int()
      .optional()
      .meta({ description: 'Until when the secret before is good, seconds since the epoch' }),
    client_name: z.string().optional(),
    client_uri: z.string().optional(),
    application_type: z.enum(['native', 'web']),
    redirect_uris: addresses,
    post_logout_redirect_uris: addresses.optional(),
    backchannel_logout_uri: z.string().optional(),
    backchannel_logout_session_required: z.boolean().optional(),
    token_endpoint_auth_method: z.string(),
    jwks: z.looseObject({}).optional(),
    jwks_uri: z.string().optional(),
    grant_types: addresses,
    response_types: addresses,
    scope: z.string().optional(),
    id_token_signed_response_alg: z.string(),
    require_pkce: z.boolean().optional(),
    require_nonce: z.boolean().optional(),
    resources: addresses.optional(),
  })
  .meta({ id: 'Integration' });

/** What is shown of a client; its secret only when it was made just now. */
export function shownIntegration(
  school: string,
  id: string,
  client: Pick<Client, 'kind' | 'metadata' | 'registered' | 'disabled'> & Partial<Pick<Client, 'secrets'>>,
  secret?: string,
): Record<string, unknown> {
  const previous = client.secrets?.[1]?.until;
  return {
    object: 'integration',
    client_id: id,
    client_id_issued_at: Math.floor(Date.parse(client.registered) / 1000),
    school,
    kind: client.kind,
    disabled: client.disabled,
    ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    ...(previous === undefined ? {} : { previous_secret_expires_at: previous }),
    ...client.metadata,
  };
}
