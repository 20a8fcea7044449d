import { demoAccountId, demoCourseId, demoProductId, demoSchoolId } from '@lyceum/contracts';
import { Erased, execute, laneCopy } from '@lyceum/eventlog';
import { isRejection, uuidv5 } from '@lyceum/kernel';
import type { Slice } from '@lyceum/service';
import { Problem } from '@lyceum/web';
import { type EnrollmentCommand, enrollmentDecider } from '../enrollments/enrollment.ts';
import { GrantRefused, type Granting, accessStream, changeGrant } from '../granting/granting.ts';
import type { ItemType } from '../grants/grant.ts';
import { type DemoItem, type DemoLearner, demoLearners } from './demo-learners.ts';
import { type DemoPorts, learnAsInDemo } from './demo-progress.ts';

const day = 86_400_000;
/** Days after which the access of some has ended. */
const until = 20;

/** One person with one item. */
interface Given {
  readonly school: string;
  readonly item_type: ItemType;
  readonly item_id: string;
  readonly member_id: string;
  /** The stream of their access. */
  readonly stream: string;
  /** RFC 3339 UTC, so many days after access began. */
  at(days: number): string;
}

/**
 * Gives people of the demo schools what they have access to, and lets them learn, by the commands that clients use.
 * Idempotent: every commit id is derived, so that what was done is found. Throws when some of it needs a service that is not
 * there yet; all else is written then.
 */
async function seedLearning(ports: DemoPorts): Promise<void> {
  const outcomes = await Promise.all(Object.entries(demoLearners).map(([slug, items]) => learnAt(ports, slug, items)));
  const failed = outcomes.flat().find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

/** What became of the learning of each person with each item of a school. */
async function learnAt(
  ports: DemoPorts,
  slug: string,
  items: readonly DemoItem[],
): Promise<readonly PromiseSettledResult<void>[]> {
  const school = demoSchoolId(slug);
  const own = { ...ports, log: await laneCopy(ports.log, school) };
  const all = items.flatMap((item) => item.learners.map((learner, index) => ({ item, learner, index })));
  // They share commits.
  return Promise.allSettled(
    all.map(({ item, learner, index }) => learn(own, given(school, item, learner, index), item, learner)),
  );
}

const idOf = { course: demoCourseId, digital_product: demoProductId } as const satisfies Record<ItemType, unknown>;

function given(
  school: string,
  { item_type = 'course', slug, since }: DemoItem,
  { member }: DemoLearner,
  index: number,
): Given {
  const [member_id, item_id] = [demoAccountId(school, member), idOf[item_type](school, slug)];
  const at = (days: number): string => new Date(Date.parse(since) + (index + days) * day).toISOString();
  return { school, item_type, item_id, member_id, stream: accessStream({ item_type, item_id }, member_id), at };
}

async function learn(
  ports: DemoPorts,
  to: Given,
  { source: source_type }: DemoItem,
  learner: DemoLearner,
): Promise<void> {
  const { school, item_id, member_id, stream: enrollment, at } = to;
  const { learnt, ended } = learner;
  const source = { source_type, source_id: uuidv5('demo-enrollment', school, item_id, member_id) };
  const since = at(0);
  await grant(ports, to, since, { type: 'GrantAccess', ...source, starts_at: since, expires_at: null });
  const goOn = async () => {
    const about = { school, enrollment, member_id, course_id: item_id, since };
    if (learnt) await learnAsInDemo(ports, { ...about, learnt });
    if (ended === 'revoked') await grant(ports, to, at(until), { type: 'RevokeAccess', ...source, reason: 'staff' });
    if (ended === 'expired') await expire(ports, to);
  };
  await goOn().catch((err: unknown) => {
    if (!isFinal(err)) throw err;
  });
}

/** Whether it will never be otherwise: it is refused, or the person is erased. All else is not known yet. */
const isFinal = (error: unknown): boolean =>
  error instanceof Erased || (error instanceof Problem && error.status < 500);

const commitOf = ({ stream }: Given, { type }: { readonly type: string }) => ({
  commitId: uuidv5('demo-enrollment', type, stream),
  meta: { actor: 'system' },
});

/** What people have changed since is left alone: a grant that is refused is not tried again. */
async function grant({ log, logger }: DemoPorts, to: Given, at: string, command: Granting['command']): Promise<void> {
  try {
    await changeGrant(log, { ...to, tenant: to.school, command, at, ...commitOf(to, command) });
  } catch (err) {
    if (!(err instanceof GrantRefused)) throw err;
    logger.debug({ err }, 'somebody of the demo has other access by now');
  }
}

/** The staff lets access end a day later, and it does, unless people have changed it since. */
async function expire({ log }: DemoPorts, to: Given): Promise<void> {
  const enrolled = { member_id: to.member_id, course_id: to.item_id };
  const end = to.at(until);
  const commands: readonly EnrollmentCommand[] = [
    { type: 'ExtendStaffAccess', ...enrolled, expires_at: end, now: to.at(until - 1) },
    { type: 'ExpireAccess', ...enrolled, now: end },
  ];
  for (const command of commands) {
    const commit = { tenant: to.school, stream: to.stream, command, at: command.now, ...commitOf(to, command) };
    if (isRejection(await execute(log, enrollmentDecider, commit))) return;
  }
}

/** The part of the demo schools that this service keeps. */
export const demoSlice: Slice = {
  name: 'demo',
  operations: [],
  seedDemoHistory: (_demo, ports) => seedLearning(ports),
};
