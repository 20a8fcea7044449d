import type { Vault } from '@lyceum/eventlog';
import type { AskService } from '@lyceum/internal-api';
import type { Logger, Ports, RateLimiter } from '@lyceum/web';
import type { Passwords } from '../../domain/accounts/password-hashing.ts';
import type { DocumentClients } from '../../domain/clients/documents/document-clients.ts';
import type { SigningKeys } from '../../domain/keys/signing-keys.ts';
import { type AccessTokenReader } from '../../domain/tokens/read-access-token.ts';
import type { Egress } from '../../egress/egress.ts';
import type { RemoteJson } from '../../egress/remote-json.ts';
import type { InvitationPorts } from '../../school-projections/invitation-ports.ts';
import type { KnownSchools } from '../../school-projections/school.ts';
import type { Sealer } from '../../sealing/sealer.ts';

/** What the endpoints of this service work with. */
export interface AuthPorts extends Ports {
  readonly schools: KnownSchools;
  readonly keys: SigningKeys;
  /** Whether revocations of a school may be missing here. */
  readonly isWithheld?: (school: string) => boolean;
  readonly sealer: Sealer;
  readonly vault: Vault;
  readonly passwords: Passwords;
  readonly logger: Logger;
  /** Asks another service, and this one, wherever they run. */
  readonly ask?: AskService | undefined;
  /** What opening accounts needs. */
  readonly joining: InvitationPorts;
  /** Requests to addresses that clients chose. */
  readonly egress: Egress;
  readonly remoteJson: Pick<RemoteJson, 'get' | 'renew' | 'kept'>;
  readonly documentClients: DocumentClients;
  /** Seconds in which a refresh token that was just used is answered once more; 0 = never. */
  readonly refreshGrace: number;
  readonly limits: RateLimiter;
  readonly accessTokens: AccessTokenReader;
  /** Whether clients may register `http://localhost`: some programs only know that name of their machine. */
  readonly localhostRedirects: boolean;
  /** Clients that a school may have. */
  readonly mostClients: number;
  /** Multiplies every rate limit. */
  readonly limitFactor: number;
}
