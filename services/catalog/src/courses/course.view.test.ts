import { describe, expect, test } from '@jest/globals';
import { isRejection } from '@lyceum/kernel';
import fc from 'fast-check';
import type { CourseEvent } from './course.events.ts';
import { changesOf, newCourse } from './course.create.ts';
import { changeCourseBody, courseItem, courseReply } from './course.schema.ts';
import { type Course, type CourseState, evolve, exists } from './course.state.ts';
import { type CourseCommand, courseDecider } from './course.ts';
import { courseDocument, courseItemDocument, courseOf, type CourseRow, rowOf } from './course.view.ts';

const currency = 'USD';
const start: CourseCommand = {
  type: 'CreateCourse',
  id: 'course_00000000-0000-7000-8000-000000000001',
  by: 'acc_1',
  slug: 'any-course',
  currency,
  ...newCourse({ title: 'Any' }, { currency, newPriceId: () => '' }),
  lecturer_ids: ['l1'],
};

const body = fc.record(
  {
    title: fc.constantFrom('One', 'Two'),
    slug: fc.constantFrom('any-course', 'other-course', 'third-course'),
    description: fc.constantFrom(null, 'text', 'other\n\ntext'),
    tags: fc.option(fc.uniqueArray(fc.constantFrom('a', 'b', 'c'))),
    listing: fc.constantFrom('listed', 'unlisted'),
    lecturer_ids: fc.uniqueArray(fc.constantFrom('l1', 'l2', 'l3')),
    prices: fc.array(fc.record({ amount: fc.nat(3) }), { maxLength: 3 }),
    seat_limit: fc.option(fc.integer({ min: 1, max: 9 })),
  },
  { requiredKeys: [] },
);

const command = fc.oneof(
  { weight: 4, arbitrary: body.map((said) => ({ said })) },
  fc.constantFrom('PublishCourse', 'UnpublishCourse').map((type) => ({ type })),
  { weight: 1, arbitrary: fc.constantFrom('ArchiveCourse', 'DeleteCourse').map((type) => ({ type })) },
);

/** Everything that happened to a course after any commands, with where it happened. */
const histories = fc.array(command, { maxLength: 12 }).map((commands) => {
  let price = 0;
  const given = { currency, newPriceId: () => `price_${(price += 1)}` };
  let state: CourseState = courseDecider.initial;
  const history: { event: CourseEvent; context: { at: string; version: number } }[] = [];
  for (const each of [start, ...commands]) {
    const wanted =
      'said' in each ? { type: 'ChangeCourse', changes: changesOf(changeCourseBody.parse(each.said), given) } : each;
    const events = courseDecider.decide(
      { currency, lesson_count: 1, active: ['l1'], ...wanted } as CourseCommand,
      state,
    );
    if (isRejection(events)) continue;
    const at = new Date(Date.UTC(2026, 0, 1) + history.length * 1000).toISOString();
    for (const event of events) {
      const context = { at, version: history.length + 1 };
      history.push({ event, context });
      state = evolve(state, event, context);
    }
  }
  return { history, state };
});

const views = ['anonymous', 'member', 'staff'] as const;

describe('after any history', () => {
  test('a state that was kept as JSON folds on to the same state', () => {
    fc.assert(
      fc.property(histories, fc.nat(12), ({ history, state }, taken) => {
        const fold = (from: CourseState, part: typeof history) =>
          part.reduce((before, { event, context }) => evolve(before, event, context), from);
        const kept = JSON.parse(JSON.stringify(fold(courseDecider.initial, history.slice(0, taken)))) as CourseState;
        expect(fold(kept, history.slice(taken))).toEqual(state);
      }),
    );
  });

  test('the row of the list shows what the course shows, but for its description', () => {
    fc.assert(
      fc.property(histories, ({ history, state }) => {
        let row: CourseRow | null = null;
        for (const { event, context } of history) {
          const course = evolve(row ? courseOf(row) : courseDecider.initial, event, context);
          row = exists(course) ? rowOf(course) : null;
        }
        expect(row !== null).toBe(exists(state));
        for (const view of row ? views : []) {
          const { description: _, ...rest } = courseDocument(state as Course, view);
          expect(courseItemDocument(courseOf(JSON.parse(JSON.stringify(row)) as CourseRow), view)).toEqual(rest);
        }
      }),
    );
  });

  test('every view is what its schema says, and staff fields are in the staff view only', () => {
    const marked = Object.entries(courseReply.shape).filter(([, field]) => field.meta()?.['sees'] === 'staff');
    const hidden = Object.fromEntries(marked.map(([name]) => [name, true as const]));
    const open = courseReply.omit(hidden as { status: true }).strict();
    fc.assert(
      fc.property(histories, ({ state }) => {
        if (!exists(state)) return;
        expect(courseReply.strict().parse(courseDocument(state, 'staff'))).toEqual(courseDocument(state, 'staff'));
        for (const view of ['anonymous', 'member'] as const) open.parse(courseDocument(state, view));
      }),
    );
    expect(Object.keys(courseItem.shape)).not.toContain('description');
  });

  test('the version is the number of events, and times never run ahead of the last', () => {
    fc.assert(
      fc.property(histories, ({ history, state }) => {
        if (!exists(state)) return;
        expect(state.version).toBe(history.length);
        expect(state.updated_at).toBe(history.at(-1)!.context.at);
        expect(state.created_at).toBe(history[0]!.context.at);
      }),
    );
  });
});
