import type { Role } from '@lyceum/contracts';
import { type Vault, claimant } from '@lyceum/eventlog';
import { type Rejection, isRejection } from '@lyceum/kernel';
import type { Ports } from '@lyceum/web';
import { awaitMember } from '../../school-projections/await-member.ts';
import { idOf, streamOf } from '../streams.ts';
import { read, write } from '../write.ts';
import { accountDecider, emailClaim } from './account.ts';
import { type Account, type AccountRejection, openAccountIn } from './account.state.ts';
import { emailKey } from './email-key.ts';

/** Who looks for an address needs the keys of schools. */
interface Keyed {
  readonly vault: Pick<Vault, 'derive'>;
}

/** An account with its id, the `sub` of its tokens. */
export type OpenAccount = Account & { readonly id: string };

/** An account of somebody who counts at the school, with the role that they have there now. */
export type KnownAccount = OpenAccount & { readonly role: Role };

/** The account with this id, whatever its person is to the school. Strongly consistent. */
export async function findOpenAccount(
  ports: Pick<Ports, 'log'>,
  school: string,
  id: string,
): Promise<OpenAccount | undefined> {
  const found = openAccountIn(await read(ports, accountDecider, school, streamOf('account', id)));
  return found && { ...found, id };
}

/** The account of an e-mail address, whatever its person is to the school. Strongly consistent. */
export async function findOpenByEmail(
  ports: Pick<Ports, 'log'> & Keyed,
  school: string,
  email: string,
): Promise<OpenAccount | undefined> {
  const stream = await claimant(ports.log, school, emailClaim, await emailKey(ports.vault, school, email));
  return stream === undefined ? undefined : findOpenAccount(ports, school, idOf('account', stream));
}

type Knowing = Pick<Ports, 'log' | 'documents'>;

/**
 * The account with this id, if its person is an active member of the school: strongly consistent, but for role and status,
 * which follow the school service. Throws `temporarily_unavailable` while the school has not heard of a new account yet.
 */
export async function findAccount(ports: Knowing, school: string, id: string): Promise<KnownAccount | undefined> {
  return active(ports, school, await findOpenAccount(ports, school, id));
}

/** The account of an e-mail address, if its person is an active member of the school; otherwise as `findAccount`. */
export async function findByEmail(
  ports: Knowing & Keyed,
  school: string,
  email: string,
): Promise<KnownAccount | undefined> {
  return active(ports, school, await findOpenByEmail(ports, school, email));
}

async function active(
  ports: Knowing,
  school: string,
  found: OpenAccount | undefined,
): Promise<KnownAccount | undefined> {
  if (!found) return undefined;
  const { role, status } = await awaitMember(ports, school, found.id);
  return status === 'active' ? { ...found, role } : undefined;
}

/** A new account; the password is hashed already. */
export interface NewAccount {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  /** The address is proven: the account is opened by a link in a mail. */
  readonly emailVerified?: boolean;
  /** For an account that may be opened again with the same outcome. */
  readonly commitId?: string;
  readonly actor: string;
}

/** Opens an account. `email_taken` when another account of the school has the address. */
export async function openAccount(
  ports: Pick<Ports, 'log' | 'clock' | 'ids'> & Keyed,
  school: string,
  { id, email, name, passwordHash, emailVerified = false, commitId, actor }: NewAccount,
): Promise<OpenAccount | Rejection<AccountRejection>> {
  const stream = streamOf('account', id);
  if (stream === undefined) throw new Error(`${id} cannot be the id of an account`);
  const target = { school, stream, meta: { actor }, ...(commitId ? { commitId } : {}) };
  const key = await emailKey(ports.vault, school, email);
  const command = { type: 'OpenAccount', email, emailKey: key, name, passwordHash, emailVerified } as const;
  const done = await write(ports, accountDecider, target, command);
  if (isRejection(done)) return done;
  return { ...openAccountIn(done.state)!, id };
}

/** What follows for the account of a person who was erased: nobody signs in with it, and its address is free. Idempotent. */
export async function closeErased(
  ports: Pick<Ports, 'log' | 'clock' | 'ids'>,
  school: string,
  subject: string,
): Promise<void> {
  const stream = streamOf('account', subject);
  if (stream === undefined || !(await read(ports, accountDecider, school, stream))) return;
  const done = await write(
    ports,
    accountDecider,
    { school, stream, meta: { actor: 'system' } },
    { type: 'CloseAccount' },
  );
  if (isRejection(done)) throw new Error(done.reason);
}
