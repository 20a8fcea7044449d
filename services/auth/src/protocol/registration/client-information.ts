import { oauthPaths } from '@lyceum/contracts';
import type { Client } from '../../domain/clients/client.ts';
import type { School } from '../../school-projections/school.ts';

/** The state of a registration that its manager may read. */
export interface RegistrationState {
  readonly id: string;
  readonly client: Pick<Client, 'metadata' | 'registered'>;
  /** Only when it was made just now: it is kept as a hash. */
  readonly secret: string | undefined;
  readonly registrationToken: string;
}

/** The address where a registration is read, changed and deleted. @see RFC 7592 §3 */
const registrationUri = ({ issuer }: Pick<School, 'issuer'>, id: string): string =>
  `${issuer}${oauthPaths.register}/${id}`;

/**
 * The client information: everything that is registered, defaults and substitutions included.
 * @see RFC 7591 §3.2.1, RFC 7592 §3
 */
export const clientInformation = (school: School, { id, client, secret, registrationToken }: RegistrationState) => ({
  client_id: id,
  client_id_issued_at: Math.floor(Date.parse(client.registered) / 1000),
  ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
  registration_access_token: registrationToken,
  registration_client_uri: registrationUri(school, id),
  ...client.metadata,
});
