import type { Role } from '@lyceum/contracts';
import type { Message } from '@lyceum/channel';
import { type MemoryMail, memoryMail } from '@lyceum/mail';
import { type TestSchool, testSchool } from '@lyceum/oauth/testing';
import { trustState } from '@lyceum/oauth';
import type { ServiceQuery } from '@lyceum/internal-api';
import { isRejection, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts } from '@lyceum/service';
import { type Engines, type Schools, type Sent, engines, startSchools } from './school-service.ts';
import { memberEmailKey } from '../members/member.email.ts';
import { decideForPlatform } from '../members/member.write.ts';

/** Who calls in a test. */
export type TestCaller = Role | 'visitor' | 'other school';

/** What came back. */
type Got = Awaited<ReturnType<Schools['call']>>;

/** A school with an owner, an admin, a lecturer and a member, who have joined. */
export interface Members {
  readonly on: Engines;
  readonly schools: Schools;
  readonly mail: MemoryMail;
  /** Id of the school. */
  readonly school: string;
  /** Ids of the people, by role. */
  readonly people: Readonly<Record<Role, string>>;
  /** Accounts that the authorization server knows of: id → who. */
  readonly accounts: Map<string, { readonly email: string; readonly name: string }>;
  /** Who was erased, in order. */
  readonly erased: string[];
  /** Calls as the person of a role, as a member by id, as a visitor, or with a token of another school for the same id. */
  call(
    method: string,
    path: string,
    sent?: Partial<Omit<Sent, 'token'>> & { as?: TestCaller; subject?: string },
  ): Promise<Got>;
  /** What the media service knows of files, by id. */
  readonly files: Map<string, object>;
  /** Waits until the list and the facts have everything that was written. */
  settled(): Promise<void>;
  /** Makes a person join, without an account. */
  join(id: string, role: Role, email?: string): Promise<void>;
  /** The authorization server tells of an account. */
  publish(type: 'AccountOpened' | 'AccountChanged', account: string): Promise<void>;
  close(): Promise<void>;
}

const idOf = (role: Role): string => `account_${uuidv5('test', role)}`;

/** Starts the school service with such a school. `more`: ports that replace those of the test. */
export async function startMembers(on: Engines = engines(), more: Partial<ModulePorts> = {}): Promise<Members> {
  const trust = trustState(on.clock);
  const mail = memoryMail();
  const accounts = new Map<string, { readonly email: string; readonly name: string }>();
  const erased: string[] = [];
  const files = new Map<string, object>();
  const ask = async (service: string, { account }: ServiceQuery) =>
    service === 'media' ? { files: Object.fromEntries(files) } : accounts.get(String(account));
  const erase = async (school: string, subject: string) => {
    await on.vault.destroy(school, subject);
    erased.push(subject);
  };
  const schools = await startSchools(on, trust, { mail, ask, erase, ...more });
  const profile = { slug: 'loom', name: 'Loom', host: 'loom.example', base_url: 'https://loom.example' };
  const place = { currency: 'EUR', timezone: 'Europe/Lisbon', locale: 'en' };
  const { body } = await schools.operate('POST', { ...profile, ...place });
  const school = body.id as string;
  const signer: TestSchool = await testSchool({ clock: on.clock, id: school, issuer: profile.base_url, trust });
  const elsewhere = await testSchool({
    clock: on.clock,
    id: 'school_elsewhere',
    issuer: 'https://kiln.example',
    trust,
  });
  const people = { owner: idOf('owner'), admin: idOf('admin'), lecturer: idOf('lecturer'), member: idOf('member') };
  const join: Members['join'] = async (id, role, email = `${id.slice(-12)}@loom.example`) => {
    const emailKey = await memberEmailKey(on.vault, school, email);
    const command = { type: 'JoinSchool', email, emailKey, name: `The ${role}`, role } as const;
    const done = await decideForPlatform(on, school, id, command, uuidv5('test-join', id));
    if (isRejection(done)) throw new Error(done.reason);
  };
  for (const [role, id] of Object.entries(people)) await join(id, role as Role, `${role}@loom.example`);
  const settled = async () => {
    await schools.started.ready?.();
    await schools.heard();
  };
  await settled();
  const published: Message[] = [];
  const { channel } = schools.ports;
  channel.offer('auth', 1, async (_, after) => published.filter(({ position }) => position > after));
  return {
    async publish(type, account_id) {
      const position = published.length + 1;
      const at = new Date(on.clock.now()).toISOString();
      const fact = { id: `f${position}`, type, schema: 1, subject: account_id, version: 1, data: { account_id } };
      const place = { source: 'auth', lane: 0, position, previous: position - 1 };
      published.push({ ...place, tenant: school, at, facts: [fact] });
      await channel.publish(published.slice(-1));
    },
    on,
    schools,
    mail,
    school,
    people,
    accounts,
    files,
    erased,
    settled,
    join,
    async call(method, path, { as = 'owner', subject, ...sent } = {}) {
      const role = as === 'visitor' || as === 'other school' ? 'member' : as;
      const claims = { role, subject: subject ?? people[role] };
      const token = as === 'visitor' ? undefined : await (as === 'other school' ? elsewhere : signer).token(claims);
      return schools.call(method, path, { school, token, ...sent });
    },
    close: () => schools.close(),
  };
}
