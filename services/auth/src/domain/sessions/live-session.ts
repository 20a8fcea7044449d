import type { Ports } from '@lyceum/web';
import { sha256 } from '../../sealing/digest.ts';
import { type KnownAccount, findAccount } from '../accounts/account-registry.ts';
import { sessionStream } from '../streams.ts';
import { read, seconds } from '../write.ts';
import { type Session, isLive, sessionDecider } from './session.ts';

/** A browser in which a person is signed in, and who it is. */
interface LiveSession {
  readonly session: Session;
  readonly account: KnownAccount;
  /** Of the cookie: by it the session is stored. */
  readonly hash: string;
}

/** The session of a cookie's value; undefined unless its person is signed in by it now. Strongly consistent. */
export async function findLiveSession(
  ports: Pick<Ports, 'log' | 'documents' | 'clock'>,
  school: string,
  cookie: string,
): Promise<LiveSession | undefined> {
  const hash = sha256(cookie);
  const session = await read(ports, sessionDecider, school, sessionStream(hash));
  if (!isLive(session, seconds(ports.clock))) return undefined;
  const account = await findAccount(ports, school, session.account);
  return account && session.since > account.notBefore ? { session, account, hash } : undefined;
}
