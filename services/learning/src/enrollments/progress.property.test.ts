import { describe, expect, test } from '@jest/globals';
import {
  type IncomingCommit,
  type Projection,
  incomingFromCommit,
  memoryDocuments,
  projector,
} from '@lyceum/documents';
import { isRejection, isoTime } from '@lyceum/kernel';
import fc from 'fast-check';
import { lessonsOf, progressIn } from '../courses/learning-path.ts';
import { type Outline, type OutlineFact, noOutline, outlineAfter } from '../courses/outline.ts';
import { studentProjection } from '../students/student.rows.ts';
import { type Source, accessPeriod } from '../grants/grant.ts';
import type { EnrollmentEvent } from './enrollment.events.ts';
import { enrollmentProjection } from './enrollment.rows.ts';
import { type EnrollmentState, completedLessons, evolve } from './enrollment.state.ts';
import { type EnrollmentCommand, enrollmentDecider, enrollmentStream } from './enrollment.ts';

const enrolled = { member_id: 'account_1', course_id: 'course_1' };
const hour = 3_600_000;
const time = (step: number): string => isoTime(Date.UTC(2026, 0, 1) + step * hour);
const sources: readonly Source[] = ['line_a', 'line_b'].map((source_id) => ({ source_type: 'order_line', source_id }));

const ids = ['lesson_a', 'lesson_b', 'lesson_c', 'lesson_d'] as const;
const lessonIds = fc.constantFrom(...ids);
const releases = fc.constantFrom(
  { type: 'immediate' } as const,
  { type: 'after_days', days: 1 } as const,
  { type: 'after_lesson', lesson_id: 'lesson_a' } as const,
);

/** What happens to the course, to the access, or by the member. */
type Step =
  | {
      readonly what: 'publish' | 'change';
      readonly id: string;
      readonly required: boolean;
      readonly quiz: boolean;
      readonly release: OutlineRelease;
    }
  | { readonly what: 'unpublish' | 'remove'; readonly id: string }
  | { readonly what: 'start' | 'complete' | 'pass'; readonly id: string; readonly position: number | undefined }
  | { readonly what: 'grant' | 'revoke'; readonly source: Source; readonly lasts: number | null }
  | { readonly what: 'reset' | 'notice' };
type OutlineRelease = {
  readonly type: 'immediate' | 'after_days' | 'after_lesson';
  readonly days?: number;
  readonly lesson_id?: string;
};

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constantFrom('publish' as const, 'change' as const),
      id: lessonIds,
      required: fc.boolean(),
      quiz: fc.boolean(),
      release: releases,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constantFrom('unpublish' as const, 'remove' as const), id: lessonIds }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constantFrom('start' as const, 'complete' as const, 'pass' as const),
      id: lessonIds,
      position: fc.option(fc.integer({ min: 0, max: 900 }), { nil: undefined }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constantFrom('grant' as const, 'grant' as const, 'revoke' as const),
      source: fc.constantFrom(...sources),
      lasts: fc.option(fc.integer({ min: 1, max: 20 }), { nil: null }),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom({ what: 'reset' } as const, { what: 'notice' } as const) },
);

const published = (
  type: 'LessonPublished' | 'LessonChanged',
  { id, required, quiz, release }: Extract<Step, { what: 'publish' | 'change' }>,
) =>
  ({
    type,
    data: {
      course_id: 'course_1',
      lesson_id: id,
      title: id,
      type: quiz ? 'quiz' : 'video',
      duration_s: 600,
      preview: false,
      required,
      pass_mark: null,
      release,
    },
  }) satisfies OutlineFact;

/** The outline after a step; a lesson that is not there is added when it is published. */
function outlineThen(before: Outline, step: Step): Outline {
  const course_id = 'course_1';
  const isThere = 'id' in step && before.sections.some(({ lessons }) => lessons.some(({ id }) => id === step.id));
  switch (step.what) {
    case 'publish': {
      const fact = published('LessonPublished', step);
      if (isThere) return outlineAfter(before, fact);
      const data = { course_id, lesson_id: step.id, section_id: 'section_1', position: 0 };
      return outlineAfter(outlineAfter(before, { type: 'LessonAdded', data }), fact);
    }
    case 'change':
      return isThere ? outlineAfter(before, published('LessonChanged', step)) : before;
    case 'unpublish':
      return outlineAfter(before, { type: 'LessonUnpublished', data: { course_id, lesson_id: step.id } });
    case 'remove':
      return outlineAfter(before, { type: 'LessonRemoved', data: { course_id, lesson_id: step.id } });
    default:
      return before;
  }
}

/** The command of a step at a time; undefined when it is about the course. */
function commandOf(step: Step, outline: Outline, now: string, at: number): EnrollmentCommand | undefined {
  const path = { title: 'Course', lessons: lessonsOf(outline), open: false, timezone: 'Europe/Lisbon' };
  const base = { ...enrolled, now };
  switch (step.what) {
    case 'start':
      return { type: 'StartLesson', ...base, lesson_id: step.id, path, position_s: step.position };
    case 'complete':
    case 'pass': {
      const passed = step.what === 'pass';
      return { type: 'CompleteLesson', ...base, lesson_id: step.id, path, passed, position_s: step.position };
    }
    case 'grant': {
      const expires_at = step.lasts === null ? null : time(at + step.lasts);
      return { type: 'GrantAccess', ...base, ...step.source, starts_at: now, expires_at };
    }
    case 'revoke':
      return { type: 'RevokeAccess', ...base, ...step.source, reason: 'refund' };
    case 'notice':
      return { type: 'NoticeCompletion', ...base, path };
    case 'reset':
      return { type: 'ResetProgress', ...base };
    default:
      return undefined;
  }
}

const section: OutlineFact = {
  type: 'SectionAdded',
  data: { course_id: 'course_1', section_id: 'section_1', position: 0, release: { type: 'immediate' } },
};

interface Happened {
  readonly event: EnrollmentEvent;
  readonly at: string;
}

/** One moment of a history: what was, what was asked, what came of it. */
interface Moment {
  readonly step: Step;
  readonly before: EnrollmentState;
  readonly after: EnrollmentState;
  readonly outline: Outline;
  readonly now: string;
  readonly events: readonly EnrollmentEvent[];
  readonly repeated: number;
}

/** Brings the steps to the decider, an hour apart, each command twice. */
function play(steps: readonly Step[]): { readonly moments: readonly Moment[]; readonly log: readonly Happened[] } {
  const moments: Moment[] = [];
  const log: Happened[] = [];
  let outline = outlineAfter(noOutline, section);
  let state: EnrollmentState = null;
  const decide = (command: EnrollmentCommand | undefined, at: string): readonly EnrollmentEvent[] => {
    const decision = command ? enrollmentDecider.decide(command, state) : [];
    if (isRejection(decision)) return [];
    for (const event of decision) {
      log.push({ event, at });
      state = evolve(state, event, { at, version: log.length });
    }
    return decision;
  };
  for (const [at, step] of steps.entries()) {
    const now = time(at);
    outline = outlineThen(outline, step);
    const command = commandOf(step, outline, now, at);
    const before: EnrollmentState = state;
    const events = decide(command, now);
    const repeated = decide(command, now).length;
    moments.push({ step, before, after: state, outline, now, events, repeated });
  }
  return { moments, log };
}

/** Most begin with access and something to learn, so that more comes of what follows. */
const beginning: readonly Step[] = [
  { what: 'publish', id: 'lesson_a', required: true, quiz: false, release: { type: 'immediate' } },
  { what: 'publish', id: 'lesson_b', required: false, quiz: false, release: { type: 'immediate' } },
  { what: 'grant', source: { source_type: 'order_line', source_id: 'line_a' }, lasts: null },
];
const histories = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.array(step, { maxLength: 30, size: 'max' }))
  .map(([kind, steps]) => (kind === 0 ? steps : [...beginning, ...steps]));
const doneBy = (state: EnrollmentState): ReadonlySet<string> => (state ? completedLessons(state) : new Set());
const isReset = ({ events }: Moment): boolean => events.some(({ type }) => type === 'ProgressReset');

/** What must hold at every moment. Plain comparisons: an `expect` for each would take minutes. */
function holds(moment: Moment): boolean {
  const { before, after, outline, now, events, repeated, step } = moment;
  const [was, is] = [doneBy(before), doneBy(after)];
  const { percent, completed, required } = progressIn({ lessons: lessonsOf(outline) }, is);
  const learnt = events.some(({ type }) => type.startsWith('Lesson'));
  const stored = events.flatMap(({ type, data }) => (type === 'LessonCompleted' ? [data] : []));
  const isAllDone = required > 0 && completed === required;
  const isLearning = step.what === 'start' || step.what === 'complete' || step.what === 'pass';
  return (
    Number.isInteger(percent) &&
    percent >= 0 &&
    percent <= 100 &&
    (percent === 100) === isAllDone &&
    stored.every((each) => each.percent === percent && each.completed === completed && each.required === required) &&
    // Completed is sticky, of lessons and of the course, but for a reset.
    (isReset(moment) ? is.size === 0 && !after?.completed_at : [...was].every((id) => is.has(id))) &&
    (isReset(moment) || !before?.completed_at || after?.completed_at === before.completed_at) &&
    // Nothing is learnt without access, and saying it again changes nothing.
    (!learnt || (after !== null && accessPeriod(after, now) !== null)) &&
    repeated === 0 &&
    // Whoever learns something while all is done has completed the course.
    (!isLearning || !learnt || !isAllDone || Boolean(after?.completed_at)) &&
    (step.what !== 'notice' || !isAllDone || Boolean(after?.completed_at))
  );
}

describe('progress', () => {
  test('10,000 histories of a course, its access and its learning', () => {
    let [finished, resets, most] = [0, 0, 0];
    fc.assert(
      fc.property(histories, (steps) => {
        const { moments, log } = play(steps);
        finished += log.filter(({ event }) => event.type === 'EnrollmentCompleted').length;
        resets += log.filter(({ event }) => event.type === 'ProgressReset').length;
        most = Math.max(most, log.length);
        return moments.every(holds);
      }),
      { numRuns: 10_000 },
    );
    // The histories are worth something: courses were completed, and begun anew.
    expect([finished, resets, most].map((count, index) => count > [2_000, 800, 20][index]!)).toEqual([
      true,
      true,
      true,
    ]);
  }, 60_000);

  test('10,000 histories: folding from any state that was kept leads to the same as folding all', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (steps, cut) => {
        const { log } = play(steps);
        const fold = (from: EnrollmentState, some: readonly Happened[], version: number) =>
          some.reduce<EnrollmentState>(
            (state, { event, at }, index) => evolve(state, event, { at, version: version + index + 1 }),
            from,
          );
        const at = log.length === 0 ? 0 : cut % (log.length + 1);
        const kept = JSON.parse(JSON.stringify(fold(null, log.slice(0, at), 0))) as EnrollmentState;
        return JSON.stringify(fold(kept, log.slice(at), at)) === JSON.stringify(fold(null, log, 0));
      }),
      { numRuns: 10_000 },
    );
  }, 60_000);

  const models: readonly Projection[] = [enrollmentProjection, studentProjection];

  /** What a read model has after the commits, which come in batches of these sizes. */
  async function projected(projection: Projection, commits: readonly IncomingCommit[], sizes: readonly number[]) {
    const documents = memoryDocuments();
    await documents.open(projection.collection);
    const running = projector({ documents, projection, source: 'learning' });
    for (let at = 0, turn = 0; at < commits.length; turn += 1) {
      const size = sizes.length === 0 ? commits.length : sizes[turn % sizes.length]!;
      await running.handle(0, commits.slice(at, at + size));
      at += size;
    }
    expect(await running.parked()).toEqual([]);
    return (await documents.query(projection.collection, 'school_1', { limit: 200 })).items;
  }

  test('projections rebuilt equal live: 400 histories of two members', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.tuple(histories, histories), sizes, async (members, batches) => {
        const played = members.map((steps) => play(steps).log);
        const events = played.flatMap((log, index) =>
          log.map(({ event: { type, data }, at }, version) => ({
            at,
            stream: enrollmentStream(`account_${index}`, 'course_1'),
            type,
            data: { ...data, member_id: `account_${index}` },
            version: version + 1,
          })),
        );
        const commits = events
          .toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)))
          .map(({ at, ...event }, index) =>
            incomingFromCommit({ position: index + 1, tenant: 'school_1', at, events: [{ ...event, schema: 1 }] }),
          );
        for (const model of models) {
          const [live, anew] = [await projected(model, commits, batches), await projected(model, commits, [])];
          if (JSON.stringify(live) !== JSON.stringify(anew)) return false;
        }
        // And what lists are asked for is what the log says.
        const rows = await projected(enrollmentProjection, commits, batches);
        return rows.every(({ id, body }) => {
          const own = events.filter(({ stream }) => stream === id);
          const percents = own.flatMap(({ type, data }) => {
            if (type === 'ProgressReset') return [0];
            if (type === 'EnrollmentCompleted') return [100];
            return type === 'LessonCompleted' && 'percent' in data ? [data.percent] : [];
          });
          const last = own.findLast(({ type }) => type.startsWith('Lesson'));
          return body['percent'] === (percents.at(-1) ?? 0) && body['last_activity_at'] === (last?.at ?? null);
        });
      }),
      { numRuns: 400 },
    );
  }, 60_000);
});
