import { demoAccountId, demoCourseId, demoSchoolId } from '@lyceum/contracts';
import { execute } from '@lyceum/eventlog';
import { isRejection, uuidv5 } from '@lyceum/kernel';
import type { Slice } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { type EnrollmentCommand, type Source, enrollmentDecider, enrollmentStream } from '../enrollments/enrollment.ts';

/** Who learns what, and what became of it. Nobody who has an account: what they learn, visitors of the demo try for themselves. */
interface DemoCourse {
  readonly slug: string;
  readonly source: Source['source_type'];
  /** When the first of them began; the others follow, one a day. */
  readonly since: string;
  readonly members: readonly string[];
  /** Whose access the staff took back. */
  readonly revoked?: readonly string[];
}

const lantern: readonly DemoCourse[] = [
  {
    slug: 'foundations',
    source: 'staff',
    since: '2026-09-01T08:00:00.000Z',
    members: [
      'ana.duarte',
      'ben.okafor',
      'chiara.conti',
      'dmitri.volkov',
      'elif.demir',
      'femke.visser',
      'gabriel.silva',
      'hana.suzuki',
      'uwe.brandt',
      'yara.haddad',
    ],
    revoked: ['dmitri.volkov'],
  },
  {
    slug: 'first-steps',
    source: 'free',
    since: '2026-08-28T17:00:00.000Z',
    members: ['ivan.petrov', 'jana.novak', 'kofi.mensah', 'lea.martin', 'mina.park', 'ana.duarte', 'nils.berg'],
  },
  {
    slug: 'field-guide',
    source: 'free',
    since: '2026-09-15T19:00:00.000Z',
    members: ['olga.nowak', 'pia.keller', 'quentin.roy', 'hana.suzuki'],
  },
  // One of its three seats is left.
  { slug: 'winter-group', source: 'staff', since: '2026-10-20T08:00:00.000Z', members: ['rosa.marin', 'sara.lind'] },
];

const music: readonly DemoCourse[] = [
  { slug: 'foundations', source: 'staff', since: '2026-09-02T08:00:00.000Z', members: ['aoi.tanaka', 'bram.de.wit'] },
  { slug: 'first-steps', source: 'free', since: '2026-09-03T08:00:00.000Z', members: ['carla.ruiz', 'daichi.sato'] },
];

const schools = { 'lantern-craft': lantern, 'north-quay': music } as const;

const day = 86_400_000;

/** Enrolls people of the demo schools, by the commands that clients use. Idempotent: every commit id is derived. */
export async function seedEnrollments(ports: Pick<Ports, 'log'>): Promise<void> {
  const all = Object.entries(schools).flatMap(([slug, courses]) =>
    courses.flatMap((course) =>
      course.members.map((member, index) => ({ school: demoSchoolId(slug), course, member, index })),
    ),
  );
  // They share commits.
  await Promise.all(all.map((each) => enroll(ports, each)));
}

async function enroll(
  ports: Pick<Ports, 'log'>,
  demo: { readonly school: string; readonly course: DemoCourse; readonly member: string; readonly index: number },
): Promise<void> {
  const { school, course, member, index } = demo;
  const [member_id, course_id] = [demoAccountId(school, member), demoCourseId(school, course.slug)];
  const at = (days: number): string => new Date(Date.parse(course.since) + (index + days) * day).toISOString();
  const enrolled = { member_id, course_id };
  const source = { source_type: course.source, source_id: uuidv5('demo-enrollment', school, course_id, member_id) };
  const begins = { starts_at: at(0), expires_at: null, now: at(0) };
  await run(ports, school, { type: 'GrantAccess', ...enrolled, ...source, ...begins });
  if (course.revoked?.includes(member))
    await run(ports, school, { type: 'RevokeStaffAccess', ...enrolled, now: at(20) });
}

async function run({ log }: Pick<Ports, 'log'>, tenant: string, command: EnrollmentCommand): Promise<void> {
  const stream = enrollmentStream(command.member_id, command.course_id);
  const commitId = uuidv5('demo-enrollment', command.type, stream);
  const done = await execute(log, enrollmentDecider, {
    tenant,
    stream,
    command,
    at: command.now,
    commitId,
    meta: { actor: 'system' },
  });
  if (isRejection(done)) throw new Error(`demo, ${command.type} of ${stream}: ${done.reason}`);
}

/** The part of the demo schools that this service keeps. */
export const demoSlice: Slice = { name: 'demo', operations: [], seedDemo: (_demo, ports) => seedEnrollments(ports) };
