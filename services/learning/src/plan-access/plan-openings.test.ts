import { describe, expect, test } from '@jest/globals';
import {
  type PlanOpenings,
  everNamed,
  everOpenedAll,
  nothingOpened,
  openTo,
  openingsAfter,
  opensToSomebody,
} from './plan-openings.ts';

type Courses = 'all' | readonly string[];

const set = (before: PlanOpenings, position: number, courses: Courses, keep_existing = false) => {
  const grants = { courses: courses === 'all' ? courses : [...courses], digital_products: [] };
  return openingsAfter(
    before,
    { grants: { ...grants, posts: false, event_discount_percent: 0 }, keep_existing },
    position,
  );
};

type Setting = readonly [Courses, 'kept'?];

/** A plan whose courses were set to these in turn, at the positions 10, 20, 30 and so on. */
const setTo = (...all: readonly Setting[]) =>
  all.reduce<PlanOpenings>(
    (plan, [courses, kept], index) => set(plan, 10 * (index + 1), courses, kept === 'kept'),
    nothingOpened,
  );

const to = (plan: PlanOpenings, item_id: string, since = 15) => {
  const { opens, generation } = openTo(plan, { item_type: 'course', item_id }, since);
  return [opens, generation];
};

describe('what a plan opens', () => {
  test('is nothing at first, and nothing of another type', () => {
    expect(to(nothingOpened, 'one')).toEqual([false, 0]);
    expect(openTo(setTo(['all']), { item_type: 'digital_product', item_id: 'one' }, 15).opens).toBe(false);
  });

  test('is what it names, or all there are', () => {
    expect([to(setTo([['one']]), 'one'), to(setTo([['one']]), 'two')]).toEqual([
      [true, 0],
      [false, 0],
    ]);
    expect(to(setTo(['all']), 'whatever')).toEqual([true, 0]);
  });

  test('is the same grant where a name takes the place of all, or all that of a name', () => {
    const named = setTo(['all'], [['one']]);
    expect([to(named, 'one'), to(named, 'two')]).toEqual([
      [true, 0],
      [false, 1],
    ]);
    expect(to(setTo([['one']], ['all']), 'one')).toEqual([true, 0]);
  });

  test('is another grant each time that it was closed between', () => {
    expect(to(setTo([['one']], [[]], [['one']]), 'one')).toEqual([true, 1]);
    expect(to(setTo(['all'], [[]], ['all']), 'one')).toEqual([true, 1]);
    expect(to(setTo(['all'], [['one']], ['all'], [['two']]), 'one')).toEqual([false, 1]);
    expect(to(setTo(['all'], [['one']], [['two']]), 'two')).toEqual([true, 1]);
  });

  test('is kept by those who had the plan when it was removed, where they may', () => {
    const plan = setTo([['one']], [[], 'kept']);
    expect([to(plan, 'one', 15), to(plan, 'one', 25)]).toEqual([
      [true, 0],
      [false, 1],
    ]);
    expect(opensToSomebody(plan, { item_type: 'course', item_id: 'one' })).toBe(true);
    // What is removed later, and is not it, changes nothing.
    expect(to(setTo([['one']], [['two'], 'kept'], [[]]), 'one', 15)).toEqual([true, 0]);
  });

  test('that was all there are is kept with what comes later', () => {
    const plan = setTo(['all'], [['one'], 'kept']);
    expect([to(plan, 'new', 15), to(plan, 'new', 25)]).toEqual([
      [true, 0],
      [false, 1],
    ]);
  });

  test('is kept no more once it was opened again and removed for all', () => {
    const plan = setTo([['one']], [[], 'kept'], [['one']], [[]]);
    expect(to(plan, 'one', 15)).toEqual([false, 2]);
    expect(opensToSomebody(plan, { item_type: 'course', item_id: 'one' })).toBe(false);
  });

  test('is kept by those of the newest removal', () => {
    const plan = setTo([['one']], [[], 'kept'], [['one']], [[], 'kept']);
    expect([to(plan, 'one', 15), to(plan, 'one', 35), to(plan, 'one', 45)]).toEqual([
      [true, 1],
      [true, 1],
      [false, 2],
    ]);
  });

  test('is remembered: all that may have to be taken back', () => {
    const plan = setTo([['one']], ['all'], [['two']]);
    expect(everNamed(plan, 'course')).toEqual(['one', 'two']);
    expect([everOpenedAll(plan, 'course'), everOpenedAll(setTo([['one']]), 'course')]).toEqual([true, false]);
    // A name that objects have anyhow is nobody's course.
    expect(to(plan, 'constructor')).toEqual([false, 1]);
  });
});
