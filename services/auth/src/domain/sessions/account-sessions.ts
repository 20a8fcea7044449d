import { rowAs } from '@lyceum/documents';
import type { Ports } from '@lyceum/web';
import type { AccountHolder } from '../accounts/account-holder.ts';
import { findOpenAccount } from '../accounts/account-registry.ts';
import { queryAll } from '../query-all.ts';
import { seconds, write } from '../write.ts';
import { type SessionDocument, sessionDocuments } from './session.projection.ts';
import { sessionDecider } from './session.ts';

type ReadPorts = Pick<Ports, 'log' | 'documents' | 'clock'>;
type WritePorts = ReadPorts & Pick<Ports, 'ids'>;

/** The browsers in which this person is signed in, last used first. */
export async function accountSessions(ports: ReadPorts, own: AccountHolder): Promise<readonly SessionDocument[]> {
  const live = await liveSessions(ports, own);
  return live.map(({ row }) => row).sort((one, other) => (one.used < other.used ? 1 : -1));
}

/** Ends one sign-in of this person; false when there is none with this `sid`. */
export async function endSession(ports: WritePorts, own: AccountHolder, sid: string): Promise<boolean> {
  const found = (await liveSessions(ports, own)).find(({ row }) => row.sid === sid);
  if (found) await end(ports, own, found.stream);
  return found !== undefined;
}

/** Ends every sign-in of this person. */
export async function endAllSessions(ports: WritePorts, own: AccountHolder): Promise<void> {
  for (const { stream } of await liveSessions(ports, own)) await end(ports, own, stream);
}

interface LiveSession {
  readonly stream: string;
  readonly row: SessionDocument;
}

async function liveSessions(ports: ReadPorts, { school, account }: AccountHolder): Promise<readonly LiveSession[]> {
  const found = await queryAll(ports, school, sessionDocuments, [
    { field: 'account', is: account },
    { field: 'expires', above: seconds(ports.clock) },
  ]);
  const notBefore = (await findOpenAccount(ports, school, account))?.notBefore ?? 0;
  return found
    .map(({ id, body }) => ({ stream: id, row: rowAs<SessionDocument>(body) }))
    .filter(({ row }) => row.began > notBefore);
}

const end = (ports: WritePorts, own: AccountHolder, stream: string) =>
  write(
    ports,
    sessionDecider,
    { school: own.school, stream, meta: own.meta },
    { type: 'EndSession', reason: 'signed_out' },
  );
