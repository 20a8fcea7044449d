import type { AuthPorts } from '../ports.ts';
import { type KnownClient, findClient } from './client-registry.ts';
import { isAddress } from './document-id.ts';

/** What it takes to find any client. */
export type ClientPorts = Pick<AuthPorts, 'log' | 'documentClients'>;

/**
 * The client with this id, registered here or described by a document at its id; undefined when there is none.
 * Throws `DocumentRefused` when its document cannot be used.
 */
export const resolveClient = (
  ports: ClientPorts,
  school: string,
  id: string | undefined,
): Promise<KnownClient | undefined> =>
  id !== undefined && isAddress(id) ? ports.documentClients.find(id) : findClient(ports, school, id);
