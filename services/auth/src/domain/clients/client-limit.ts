import { isRejection } from '@lyceum/kernel';
import { type Ports, Problem } from '@lyceum/web';
import { seconds, write } from '../write.ts';
import { clientCounts, clientDocuments, countOfClients } from './client.projection.ts';
import { type ClientCommand, clientDecider } from './client.ts';

/** Clients that a school may have. */
export const mostClients = 10_000;

/** What counting and ending registrations needs. */
interface ClientLimitPorts extends Pick<Ports, 'log' | 'documents' | 'clock' | 'ids'> {
  /** Clients that a school may have. */
  readonly mostClients: number;
}

const candidates = 20;

/**
 * Makes room for one more registration: in a school that has all the clients it may have, the oldest that was never used
 * gives way. Throws `temporarily_unavailable` when all are in use. Many registrations at once may go a little beyond.
 */
export async function ensureClientCapacity(ports: ClientLimitPorts, school: string): Promise<void> {
  const counted = await ports.documents.get(clientCounts, school, countOfClients);
  if (Number(counted?.['count'] ?? 0) < ports.mostClients) return;
  const where = [
    { field: 'kind', is: 'registered' },
    { field: 'used', is: false },
  ];
  const sort = { field: 'registered' } as const;
  const { items } = await ports.documents.query(clientDocuments, school, { where, sort, limit: candidates });
  for (const { id: stream } of items) if (await ended(ports, school, stream, { type: 'EvictClient' })) return;
  throw new Problem('temporarily_unavailable', 'The school has as many clients as it may have, and all are in use', {
    headers: { 'Retry-After': '3600' },
  });
}

const page = 200;

/** Ends the registrations of a school whose time is over. Returns how many. */
export async function expireClients(ports: Omit<ClientLimitPorts, 'mostClients'>, school: string): Promise<number> {
  const now = seconds(ports.clock);
  const where = [{ field: 'expires', to: now }];
  const { items } = await ports.documents.query(clientDocuments, school, {
    where,
    sort: { field: 'expires' },
    limit: page,
  });
  let count = 0;
  for (const { id: stream } of items) if (await ended(ports, school, stream, { type: 'ExpireClient', now })) count += 1;
  return count;
}

/** Whether the command ended the client now: its stream knows more than the read model that named it. */
async function ended(
  ports: Omit<ClientLimitPorts, 'documents' | 'mostClients'>,
  school: string,
  stream: string,
  command: ClientCommand,
): Promise<boolean> {
  const done = await write(ports, clientDecider, { school, stream, meta: { actor: 'system' } }, command);
  return !isRejection(done) && done.events.length > 0;
}
