import { type Rejection, isRejection } from '@lyceum/kernel';
import { type Ports, Problem, type StatusTable, problemOf } from '@lyceum/web';
import { type KnownClient, findClient } from '../domain/clients/client-registry.ts';
import type { ClientMetadata } from '../domain/clients/client.events.ts';
import {
  type Client,
  type ClientCommand,
  type ClientRejection,
  clientDecider as clients,
  isPresent,
  usesSecret,
} from '../domain/clients/client.ts';
import { requireStream } from '../domain/streams.ts';
import { seconds, write } from '../domain/write.ts';
import { sha256 } from '../sealing/digest.ts';

type Writing = Pick<Ports, 'log' | 'clock' | 'ids'>;

const statuses: StatusTable<ClientRejection> = { invalid_client_metadata: 400, invalid_state: 409, not_found: 404 };

/** A client after a command; `secret` when one was made just now. */
export interface Commanded {
  readonly id: string;
  readonly client: Client | undefined;
  readonly secret: string | undefined;
}

/** The client with this id. Throws `not_found`. */
export async function knownClient(ports: Pick<Ports, 'log'>, school: string, id: string): Promise<KnownClient> {
  const found = await findClient(ports, school, id);
  if (!found) throw new Problem('not_found', 'The school has no such client');
  return found;
}

/** The same, when the operator arranged it: a client that registered itself also manages itself. */
export async function knownIntegration(ports: Pick<Ports, 'log'>, school: string, id: string): Promise<KnownClient> {
  const found = await knownClient(ports, school, id);
  if (found.kind !== 'integration') throw new Problem('invalid_state', 'The client registered itself');
  return found;
}

/** Registers an integration, with a secret when its method needs one. */
export function register(ports: Writing, school: string, metadata: ClientMetadata, correlation: string) {
  const secret = usesSecret(metadata) ? ports.ids.secret() : undefined;
  const hash = secret === undefined ? {} : { secretHash: sha256(secret) };
  const id = ports.ids.next('client');
  return command(
    ports,
    school,
    id,
    { type: 'RegisterClient', kind: 'integration', metadata, ...hash },
    correlation,
    secret,
  );
}

/** Replaces the metadata; a client that takes up a secret gets one. */
export function update(ports: Writing, school: string, known: KnownClient, metadata: ClientMetadata, about: string) {
  const secret = usesSecret(metadata) && known.secrets.length === 0 ? ports.ids.secret() : undefined;
  const hash = secret === undefined ? {} : { secretHash: sha256(secret) };
  return command(ports, school, known.id, { type: 'UpdateClient', metadata, ...hash }, about, secret);
}

/** Gives a new secret; the one before is good for `overlap` seconds more. */
export function rotateSecret(ports: Writing, school: string, id: string, overlap: number, correlation: string) {
  const secret = ports.ids.secret();
  const asked = { type: 'RotateSecret', secretHash: sha256(secret), overlap, now: seconds(ports.clock) } as const;
  return command(ports, school, id, asked, correlation, secret);
}

/** Gives a client a command in the name of the operator. */
export async function command(
  ports: Writing,
  school: string,
  id: string,
  asked: ClientCommand,
  correlation: string,
  secret?: string,
): Promise<Commanded> {
  const meta = { actor: 'operator', client: id, correlation };
  const done: { readonly state: unknown } | Rejection<ClientRejection> = await write(
    ports,
    clients,
    { school, stream: requireStream('client', id), meta },
    asked,
  );
  if (isRejection(done)) throw problemOf(done, statuses);
  const state = done.state as Parameters<typeof isPresent>[0];
  return { id, client: isPresent(state) ? state : undefined, secret };
}
