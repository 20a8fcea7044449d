import { isRejection } from '@lyceum/kernel';
import type { Ports } from '@lyceum/web';
import { sha256 } from '../sealing/digest.ts';
import { idOf, streamOf } from '../streams.ts';
import { read, write } from '../writing.ts';
import type { ClientMetadata } from './client.events.ts';
import { type Client, client } from './client.ts';

/** A client with its id. */
export type KnownClient = Client & { readonly id: string };

/** The client with this id, or undefined. Strongly consistent. */
export async function findClient(
  ports: Pick<Ports, 'log'>,
  school: string,
  id: string | undefined,
): Promise<KnownClient | undefined> {
  const stream = id === undefined ? undefined : streamOf('client', id);
  const found = await read(ports, client, school, stream);
  return found && stream ? { ...found, id: idOf('client', stream) } : undefined;
}

/** Registers a client. The secret of a confidential one is returned here and kept nowhere: the log has its hash. */
export async function registerClient(
  ports: Pick<Ports, 'log' | 'clock' | 'ids'>,
  school: string,
  metadata: ClientMetadata,
  correlation: string,
): Promise<{ id: string; secret: string | undefined }> {
  const id = ports.ids.next('client');
  const secret = metadata.token_endpoint_auth_method === 'none' ? undefined : ports.ids.secret();
  const target = { school, stream: streamOf('client', id)!, meta: { actor: 'anonymous', client: id, correlation } };
  const command = { type: 'register', metadata, ...(secret ? { secretHash: sha256(secret) } : {}) } as const;
  const done = await write(ports, client, target, command);
  if (isRejection(done)) throw new Error(done.reason);
  return { id, secret };
}
