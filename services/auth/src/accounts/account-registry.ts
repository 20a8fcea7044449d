import type { Role } from '@lyceum/contracts';
import { type Vault, claimant } from '@lyceum/eventlog';
import { type Rejection, isRejection } from '@lyceum/kernel';
import type { Ports } from '@lyceum/web';
import { idOf, streamOf } from '../streams.ts';
import { read, write } from '../writing.ts';
import { type Account, type AccountRejection, account, emailClaim, openAccountIn } from './account.ts';
import { emailKey } from './email.ts';

/** Who looks for an address needs the keys of schools. */
interface Keyed {
  readonly vault: Pick<Vault, 'derive'>;
}

/** An account with its id, the `sub` of its tokens. */
export type KnownAccount = Account & { readonly id: string };

/** The account with this id, or undefined. Strongly consistent. */
export async function findAccount(
  ports: Pick<Ports, 'log'>,
  school: string,
  id: string,
): Promise<KnownAccount | undefined> {
  const found = openAccountIn(await read(ports, account, school, streamOf('account', id)));
  return found && { ...found, id };
}

/** The account of an e-mail address, or undefined. Strongly consistent. */
export async function findByEmail(
  ports: Pick<Ports, 'log'> & Keyed,
  school: string,
  email: string,
): Promise<KnownAccount | undefined> {
  const stream = await claimant(ports.log, school, emailClaim, await emailKey(ports.vault, school, email));
  return stream === undefined ? undefined : findAccount(ports, school, idOf('account', stream));
}

/** A new account; the password is hashed already. */
export interface NewAccount {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string;
  /** For an account that may be opened again with the same outcome. */
  readonly commitId?: string;
  readonly actor: string;
}

/** Opens an account. `email_taken` when another account of the school has the address. */
export async function openAccount(
  ports: Pick<Ports, 'log' | 'clock' | 'ids'> & Keyed,
  school: string,
  { id, email, name, role, passwordHash, commitId, actor }: NewAccount,
): Promise<KnownAccount | Rejection<AccountRejection>> {
  const stream = streamOf('account', id);
  if (stream === undefined) throw new Error(`${id} cannot be the id of an account`);
  const target = { school, stream, meta: { actor }, ...(commitId ? { commitId } : {}) };
  const key = await emailKey(ports.vault, school, email);
  const command = { type: 'open', email, emailKey: key, name, role, passwordHash } as const;
  const done = await write(ports, account, target, command);
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
  if (stream === undefined || !(await read(ports, account, school, stream))) return;
  const done = await write(ports, account, { school, stream, meta: { actor: 'system' } }, { type: 'close' });
  if (isRejection(done)) throw new Error(done.reason);
}
