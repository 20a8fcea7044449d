import { claimant } from '@lyceum/eventlog';
import { isRejection } from '@lyceum/kernel';
import type { Ports } from '@lyceum/web';
import { sha256 } from '../../sealing/digest.ts';
import { idOf, requireStream, streamOf } from '../streams.ts';
import { read, write } from '../write.ts';
import type { ClientMetadata } from './client.events.ts';
import { type Client, clientDecider, isPresent, resourceClaim, usesSecret } from './client.ts';

/** A client with its id. */
export type KnownClient = Client & { readonly id: string };

/** The client with this id, or undefined when there is none, or none any more. Strongly consistent. */
export async function findClient(
  ports: Pick<Ports, 'log'>,
  school: string,
  id: string | undefined,
): Promise<KnownClient | undefined> {
  const stream = id === undefined ? undefined : streamOf('client', id);
  const found = await read(ports, clientDecider, school, stream);
  return isPresent(found) && stream ? { ...found, id: idOf('client', stream) } : undefined;
}

/** The client that serves an API, or undefined. Strongly consistent. @see RFC 8707 §2 */
export async function findResourceServer(
  ports: Pick<Ports, 'log'>,
  school: string,
  resource: string,
): Promise<KnownClient | undefined> {
  const stream = await claimant(ports.log, school, resourceClaim.kind, resourceClaim.valueOf(resource));
  return stream === undefined ? undefined : findClient(ports, school, idOf('client', stream));
}

/** A registration as it was made. Secret and token are nowhere else: the log has their hashes. */
export interface Registration {
  readonly id: string;
  readonly secret: string | undefined;
  /** The token that manages the registration. */
  readonly registrationToken: string;
}

/** Registers a client that asked for it. */
export async function registerClient(
  ports: Pick<Ports, 'log' | 'clock' | 'ids'>,
  school: string,
  metadata: ClientMetadata,
  correlation: string,
): Promise<Registration> {
  const id = ports.ids.next('client');
  const secret = usesSecret(metadata) ? ports.ids.secret() : undefined;
  const registrationToken = ports.ids.secret();
  const target = { school, stream: requireStream('client', id), meta: { actor: 'anonymous', client: id, correlation } };
  const hashes = { registrationHash: sha256(registrationToken), ...(secret ? { secretHash: sha256(secret) } : {}) };
  const done = await write(ports, clientDecider, target, { type: 'RegisterClient', metadata, ...hashes });
  if (isRejection(done)) throw new Error(done.reason);
  return { id, secret, registrationToken };
}
