import { isoTime } from '@lyceum/kernel';
import { type KnownClient, findClient } from '../../domain/clients/client-registry.ts';
import { isAddress } from '../../domain/clients/document-id.ts';
import { hasLiveGrant } from '../../domain/grants/grant.projection.ts';
import { seconds } from '../../domain/write.ts';
import type { AuthPorts } from '../../http/exchange/auth-ports.ts';
import { isReference, referenceClient } from './reference-client.ts';

/** What it takes to find any client. */
export type ClientPorts = Pick<AuthPorts, 'log' | 'documents' | 'documentClients' | 'clock' | 'schools'>;

/** How a client that describes itself may be found where a person has not met it yet. */
interface Meeting {
  /** Whether the client has access at the school; only asked when a document has to be fetched. */
  readonly isTrusted?: () => Promise<boolean>;
  /** Whether the document of a client that nobody knows is fetched; it is unless this says no. */
  readonly meetsStrangers?: boolean;
}

/**
 * The client with this id, registered here or described by a document at its id; undefined when there is none.
 * Throws `DocumentRefused` when its document cannot be used.
 */
export async function resolveClient(
  ports: ClientPorts,
  school: string,
  id: string | undefined,
  { isTrusted, meetsStrangers = true }: Meeting = {},
): Promise<KnownClient | undefined> {
  if (id === undefined || !isAddress(id)) return findClient(ports, school, id);
  const own = await ports.schools.get(school);
  if (own && isReference(own, id)) return referenceClient(own, isoTime(ports.clock.now()));
  const hasAccess = isTrusted ?? (() => hasLiveGrant(ports.documents, school, id, seconds(ports.clock)));
  return ports.documentClients.find(id, { school, isTrusted: hasAccess, meetsStrangers });
}
