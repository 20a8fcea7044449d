import { isRejection, uuidv5 } from '@lyceum/kernel';
import { requireStream } from '../streams.ts';
import { write } from '../write.ts';
import { findOpenAccount, openAccount } from './account-registry.ts';
import { accountDecider } from './account.ts';
import type { Passwords } from './password-hashing.ts';

type OpeningPorts = Parameters<typeof openAccount>[0];

interface DemoPerson {
  readonly school: string;
  readonly local: string;
  readonly domain: string;
  readonly name: string;
}

const people = (slug: string, domain: string, names: readonly string[]): readonly DemoPerson[] =>
  (['owner', 'admin', 'lecturer', 'student'] as const).map((local, at) => ({
    school: demoSchool(slug),
    local,
    domain,
    name: names[at]!,
  }));

/** Id of a demo school, the same in every service. */
export const demoSchool = (slug: string): string => `school_${uuidv5('demo-school', slug)}`;

/** Id of a demo account, the same at every start. */
const demoAccount = (school: string, local: string): string => `account_${uuidv5('demo-account', school, local)}`;

const everybody: readonly DemoPerson[] = [
  ...people('lantern-craft', 'lantern.test', ['Iris Lantern', 'Abel Finch', 'Marta Weaver', 'Tom Reed']),
  ...people('north-quay', 'northquay.test', ['Noor Quayle', 'Sven Aalto', 'Keiko Mori', 'Ines Duarte']),
];

/**
 * Opens the accounts of the demo schools, all with one password. Idempotent; when the password is another one than at the
 * first start, it is changed.
 */
export async function seedDemoAccounts(ports: OpeningPorts, passwords: Passwords, password: string): Promise<void> {
  // One hash for all: eight would cost a slow machine a second of its first start.
  let hashed: Promise<string> | undefined;
  const passwordHash = () => (hashed ??= passwords.hash(password));
  await Promise.all(everybody.map((person) => seed(ports, passwords, password, passwordHash, person)));
}

async function seed(
  ports: OpeningPorts,
  passwords: Passwords,
  password: string,
  passwordHash: () => Promise<string>,
  { school, local, domain, name }: DemoPerson,
): Promise<void> {
  const id = demoAccount(school, local);
  const known = await findOpenAccount(ports, school, id);
  if (!known) {
    const commitId = uuidv5('demo-account-opened', school, local);
    const opened = await openAccount(ports, school, {
      id,
      email: `${local}@${domain}`,
      name,
      emailVerified: true,
      commitId,
      passwordHash: await passwordHash(),
      actor: 'system',
    });
    if (isRejection(opened)) throw new Error(`demo account ${local}: ${opened.reason}`);
  } else if (!(await passwords.verify(known.passwordHash, password))) {
    const target = { school, stream: requireStream('account', id), meta: { actor: 'system' } };
    await write(ports, accountDecider, target, { type: 'ChangePassword', passwordHash: await passwordHash() });
  }
}
