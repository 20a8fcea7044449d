import { demoAccountId, demoCourseId, demoProductId, demoSchoolId } from '@lyceum/contracts';
import { uuidv5 } from '@lyceum/kernel';
import type { Slice } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { type Granting, accessStream, changeGrant } from '../granting/granting.ts';
import type { ItemType, Source } from '../grants/grant.ts';

/** Who was given what, and what became of it. Nobody who has an account: what they learn, visitors of the demo try for themselves. */
interface DemoItem {
  /** A course, unless it is said to be something else. */
  readonly item_type?: ItemType;
  readonly slug: string;
  readonly source: Source['source_type'];
  /** When the first of them began; the others follow, one a day. */
  readonly since: string;
  readonly members: readonly string[];
  /** Whose access the staff took back. */
  readonly revoked?: readonly string[];
}

const lantern: readonly DemoItem[] = [
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
  {
    item_type: 'digital_product',
    slug: 'templates',
    source: 'staff',
    since: '2026-10-21T08:00:00.000Z',
    members: ['rosa.marin', 'sara.lind', 'ana.duarte'],
    revoked: ['ana.duarte'],
  },
];

const music: readonly DemoItem[] = [
  { slug: 'foundations', source: 'staff', since: '2026-09-02T08:00:00.000Z', members: ['aoi.tanaka', 'bram.de.wit'] },
  { slug: 'first-steps', source: 'free', since: '2026-09-03T08:00:00.000Z', members: ['carla.ruiz', 'daichi.sato'] },
];

const schools = { 'lantern-craft': lantern, 'north-quay': music } as const;

const day = 86_400_000;

/** Gives people of the demo schools what they have access to, by the commands that clients use. Idempotent: every commit id is derived. */
export async function seedEnrollments(ports: Pick<Ports, 'log'>): Promise<void> {
  const all = Object.entries(schools).flatMap(([slug, items]) =>
    items.flatMap((item) => item.members.map((member, index) => ({ school: demoSchoolId(slug), item, member, index }))),
  );
  // They share commits.
  await Promise.all(all.map((each) => give(ports, each)));
}

const idOf = { course: demoCourseId, digital_product: demoProductId } as const satisfies Record<ItemType, unknown>;

async function give(
  { log }: Pick<Ports, 'log'>,
  demo: { readonly school: string; readonly item: DemoItem; readonly member: string; readonly index: number },
): Promise<void> {
  const { school, member, index } = demo;
  const { item_type = 'course', slug, source: source_type, since, revoked } = demo.item;
  const [member_id, item_id] = [demoAccountId(school, member), idOf[item_type](school, slug)];
  const source = { source_type, source_id: uuidv5('demo-enrollment', school, item_id, member_id) };
  const change = (days: number, command: Granting['command']): Promise<void> =>
    changeGrant(log, {
      tenant: school,
      item_type,
      item_id,
      member_id,
      command,
      at: new Date(Date.parse(since) + (index + days) * day).toISOString(),
      commitId: uuidv5('demo-enrollment', command.type, accessStream({ item_type, item_id }, member_id)),
      meta: { actor: 'system' },
    });
  const starts_at = new Date(Date.parse(since) + index * day).toISOString();
  await change(0, { type: 'GrantAccess', ...source, starts_at, expires_at: null });
  if (revoked?.includes(member)) await change(20, { type: 'RevokeAccess', ...source, reason: 'staff' });
}

/** The part of the demo schools that this service keeps. */
export const demoSlice: Slice = { name: 'demo', operations: [], seedDemo: (_demo, ports) => seedEnrollments(ports) };
