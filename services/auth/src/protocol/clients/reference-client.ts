import type { KnownClient } from '../../domain/clients/client-registry.ts';
import type { School } from '../../school-projections/school.ts';

type AccountHolder = Pick<School, 'issuer' | 'name'>;

/** The id of the school's own client: its API reference, at the address that describes it to others, too. */
const idOf = ({ issuer }: Pick<AccountHolder, 'issuer'>): string => `${issuer}/docs/client.json`;

/** Whether a client is the school itself: what it says of itself needs no proof. */
export const isReference = (school: Pick<AccountHolder, 'issuer'>, id: string): boolean => id === idOf(school);

/** The API reference of a school as its client. Nothing is fetched for it: what the document says is known here. */
export const referenceClient = (school: AccountHolder, at: string): KnownClient => ({
  id: idOf(school),
  kind: 'document',
  metadata: {
    client_name: `API reference of ${school.name}`,
    client_uri: `${school.issuer}/docs`,
    application_type: 'web',
    redirect_uris: [`${school.issuer}/docs/callback`],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    id_token_signed_response_alg: 'RS256',
  },
  secrets: [],
  registrationHash: undefined,
  registered: at,
  lastUse: undefined,
  disabled: false,
  renamed: 0,
  tokensNotBefore: 0,
});
