import { demoAccountId, demoCourseId, demoProductId, demoSchoolId } from '@lyceum/contracts';
import { Erased, execute } from '@lyceum/eventlog';
import { isRejection, uuidv5 } from '@lyceum/kernel';
import type { Slice } from '@lyceum/service';
import { Problem } from '@lyceum/web';
import { setTimeout as delay } from 'node:timers/promises';
import { type EnrollmentCommand, enrollmentDecider } from '../enrollments/enrollment.ts';
import { GrantRefused, type Granting, accessStream, changeGrant } from '../granting/granting.ts';
import type { ItemType } from '../grants/grant.ts';
import { type DemoItem, type DemoLearner, demoLearners } from './demo-learners.ts';
import { type DemoPorts, learnAsInDemo } from './demo-progress.ts';

const day = 86_400_000;
/** Days after which the access of some has ended. */
const until = 20;
/** Milliseconds in which services that start beside this one are known, and those between two looks. */
const [patience, pause] = [120_000, 250];

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
 * Idempotent: every commit id is derived, so that what was done is found. What needs a service that is not there yet follows
 * once it is: no start waits.
 */
async function seedLearning(ports: DemoPorts): Promise<void> {
  const all = Object.entries(demoLearners).flatMap(([slug, items]) =>
    items.flatMap((item) =>
      item.learners.map((learner, index) => ({ school: demoSchoolId(slug), item, learner, index })),
    ),
  );
  // They share commits.
  await Promise.all(
    all.map(({ school, item, learner, index }) => learn(ports, given(school, item, learner, index), item, learner)),
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
    ports.logger.debug({ err }, 'what somebody of the demo has learnt is not written at once');
    if (!isFinal(err)) void asSoonAsKnown(ports, goOn);
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

/** Tries what needs other services until it is done; the next start does what cannot be done now. */
async function asSoonAsKnown({ logger }: DemoPorts, perform: () => Promise<void>): Promise<void> {
  for (const began = performance.now(); ;) {
    await delay(pause, undefined, { ref: false });
    try {
      return await perform();
    } catch (err) {
      if (isFinal(err)) return;
      if (performance.now() - began < patience) continue;
      return logger.warn({ err }, 'what people of the demo have learnt is written at the next start');
    }
  }
}

/** The part of the demo schools that this service keeps. */
export const demoSlice: Slice = { name: 'demo', operations: [], seedDemo: (_demo, ports) => seedLearning(ports) };
