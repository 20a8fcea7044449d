import { type Role, demoAccountId, demoSchoolId } from '@lyceum/contracts';
import { isRejection, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts } from '@lyceum/service';
import { memberEmailKey } from '../members/member.email.ts';
import type { MemberCommand } from '../members/member.ts';
import { decideForPlatform } from '../members/member.write.ts';

/** A person of a demo school; `fate` is what became of them since they joined. */
interface DemoMember {
  readonly local: string;
  readonly name: string;
  readonly role: Role;
  readonly fate?: 'invited' | 'suspended' | 'erased';
  readonly tags?: readonly string[];
  /** What the staff wrote down about them. */
  readonly note?: string;
}

interface DemoSchool {
  readonly slug: string;
  readonly domain: string;
  /** When the first of them joined; the others follow every few days. */
  readonly since: string;
  readonly people: readonly DemoMember[];
}

const student = (name: string, more: Partial<DemoMember> = {}): DemoMember => ({
  local: name.toLowerCase().replaceAll(/[^a-z]+/g, '.'),
  name,
  role: 'member',
  ...more,
});

/** Those who have accounts have the same names there. */
const lantern: readonly DemoMember[] = [
  { local: 'owner', name: 'Iris Lantern', role: 'owner' },
  { local: 'admin', name: 'Abel Finch', role: 'admin' },
  { local: 'lecturer', name: 'Marta Weaver', role: 'lecturer', tags: ['weaving'] },
  { local: 'second.lecturer', name: 'Oskar Glass', role: 'lecturer', tags: ['glass'] },
  { local: 'student', name: 'Tom Reed', role: 'member', tags: ['evening group'] },
  student('Ana Duarte', { tags: ['evening group'], note: 'Would like to help with the winter group.' }),
  student('Ben Okafor', { tags: ['weekend'], note: 'Learns on a phone; asks for subtitles.' }),
  ...['Chiara Conti', 'Dmitri Volkov', 'Elif Demir', 'Femke Visser', 'Gabriel Silva'].map((name) => student(name)),
  ...['Hana Suzuki', 'Ivan Petrov', 'Jana Novak', 'Kofi Mensah', 'Lea Martin', 'Mina Park'].map((name) =>
    student(name),
  ),
  ...['Nils Berg', 'Olga Nowak', 'Pia Keller', 'Quentin Roy', 'Rosa Marin', 'Sara Lind'].map((name) => student(name)),
  student('Uwe Brandt', { fate: 'suspended' }),
  student('Vera Lang', { fate: 'erased' }),
  student('Wanda Kruk'),
  student('Yara Haddad', { fate: 'invited' }),
];

const northQuay: readonly DemoMember[] = [
  { local: 'owner', name: 'Noor Quayle', role: 'owner' },
  { local: 'admin', name: 'Sven Aalto', role: 'admin' },
  { local: 'lecturer', name: 'Keiko Mori', role: 'lecturer', tags: ['piano'] },
  { local: 'student', name: 'Ines Duarte', role: 'member', tags: ['choir'] },
  student('Aoi Tanaka', { note: 'Plays left-handed.' }),
  ...['Bram de Wit', 'Carla Ruiz', 'Daichi Sato'].map((name) => student(name)),
];

const schools: readonly DemoSchool[] = [
  { slug: 'lantern-craft', domain: 'lantern.test', since: '2025-10-06T08:00:00.000Z', people: lantern },
  { slug: 'north-quay', domain: 'northquay.test', since: '2025-11-03T08:00:00.000Z', people: northQuay },
];

type SeedingPorts = Pick<ModulePorts, 'log' | 'clock' | 'vault'>;

const hours = 3_600_000;

/** Lets those join who can sign in to the demo schools. Idempotent: every commit id is derived. */
export async function seedAccountHolders(ports: SeedingPorts): Promise<void> {
  await Promise.all(schools.map((school) => seedSchool(ports, school, hasAccount)));
}

/** Lets everybody else join, and some of them meet their fate. Idempotent, too. */
export async function seedOtherMembers(ports: SeedingPorts): Promise<void> {
  await Promise.all(schools.map((school) => seedSchool(ports, school, (person) => !hasAccount(person))));
}

const hasAccount = ({ local }: DemoMember): boolean => ['owner', 'admin', 'lecturer', 'student'].includes(local);

async function seedSchool(
  ports: SeedingPorts,
  { slug, domain, since, people }: DemoSchool,
  isWanted: (person: DemoMember) => boolean,
): Promise<void> {
  const school = demoSchoolId(slug);
  const seed = (person: DemoMember) => {
    const at = new Date(Date.parse(since) + people.indexOf(person) * 62 * hours);
    return seedOne(ports, school, person, `${person.local}@${domain}`, at);
  };
  const wanted = people.filter(isWanted);
  const [staff, others] = [wanted.filter(isStaff), wanted.filter((person) => !isStaff(person))];
  // The staff one after another, because each change of it waits for the one before; the others share commits.
  for (const person of staff) await seed(person);
  await Promise.all(others.map(seed));
}

const isStaff = ({ role }: DemoMember): boolean => role === 'owner' || role === 'admin';

async function seedOne(
  ports: SeedingPorts,
  school: string,
  person: DemoMember,
  email: string,
  at: Date,
): Promise<void> {
  const id = demoAccountId(school, person.local);
  const { name, role, fate, tags = [], note } = person;
  const step = (command: MemberCommand, when = at) => run(ports, school, id, command, when);
  const emailKey = await memberEmailKey(ports.vault, school, email);
  if (fate === 'invited') return void (await step({ type: 'InviteMember', email, emailKey, name, role, by: 'system' }));
  const { events, replayed } = await step({ type: 'JoinSchool', email, emailKey, name, role });
  // Elsewhere the account was opened first, and its person has joined as anybody does.
  const isOrdinary = role === 'member' || replayed || events.length > 0;
  if (!isOrdinary) await step({ type: 'SetMemberRole', role, by: 'system', notBefore: at.toISOString() });
  const changes = { ...(tags.length > 0 ? { tags: [...tags] } : {}), ...(note === undefined ? {} : { note }) };
  if (Object.keys(changes).length > 0) await step({ type: 'ChangeMember', changes });
  await settleFate(ports, school, id, person, at);
}

async function settleFate(
  ports: SeedingPorts,
  school: string,
  id: string,
  { fate }: DemoMember,
  joined: Date,
): Promise<void> {
  const when = new Date(joined.getTime() + 20 * 24 * hours);
  const notBefore = when.toISOString();
  if (fate === 'suspended') await run(ports, school, id, { type: 'SuspendMember', by: 'system', notBefore }, when);
  if (fate === 'erased') await run(ports, school, id, { type: 'EraseMember', by: 'system', notBefore }, when);
}

/** The names that commit ids are derived from: they are stored, and stay as they are. */
const steps = {
  InviteMember: 'invite',
  RenewInvitation: 'renew',
  JoinSchool: 'join',
  ChangeMember: 'change',
  ReaddressMember: 'readdress',
  SetMemberRole: 'setRole',
  SuspendMember: 'suspend',
  ReinstateMember: 'reinstate',
  EraseMember: 'erase',
} as const satisfies Record<MemberCommand['type'], string>;

/** What was done before is found; what people have changed since is left alone, and who is erased stays so. */
async function run(ports: SeedingPorts, school: string, id: string, command: MemberCommand, at: Date) {
  const commitId = uuidv5('demo-member', steps[command.type], id);
  const done = await decideForPlatform(ports, school, id, command, commitId, { at: at.toISOString() });
  if (!isRejection(done)) return done;
  if (done.rejected === 'erased') return { events: [], replayed: true };
  throw new Error(`demo member ${id}: ${done.reason}`);
}
