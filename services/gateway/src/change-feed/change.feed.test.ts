import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '@lyceum/testkit';
import fc from 'fast-check';
import { WrittenHistory } from '../testing/written-history.ts';
import { ChangeFeed, type Wanted } from './change.feed.ts';
import { type FeedPosition, changeCursors } from './change.cursor.ts';

const day = 86_400_000;
const at = (clock: FakeClock, days: number): string => new Date(clock.now() + days * day).toISOString();
const wanted: Wanted = { school: 'school_1', reader: undefined, types: undefined, limit: 100 };
const published = (id: string) =>
  ['CoursePublished', id, { course_id: id, slug: id, title: id, access: 'open', listed: true }] as const;

function opened() {
  const clock = new FakeClock();
  const [catalog, school] = [new WrittenHistory(), new WrittenHistory()];
  const sources = new Map([['catalog', catalog] as const, ['school', school] as const]);
  return { clock, catalog, school, feed: new ChangeFeed({ sources, clock, kept: 30 * day }) };
}

describe('the change feed', () => {
  test('gives the changes of one school in their envelope, by time, and nothing of another school', async () => {
    const { clock, catalog, school, feed } = opened();
    catalog.write('school_1', at(clock, -2), [published('course_1')]);
    catalog.write('school_2', at(clock, -2), [published('course_2')]);
    school.write('school_1', at(clock, -3), [['SchoolSignUpSet', 'school_1', { sign_up: 'open' }]]);
    const { steps, more } = await feed.read({}, wanted);
    expect(steps.map(({ change }) => [change.type, change.source, change.subject])).toEqual([
      ['SchoolSignUpSet', '/services/school', 'school_1'],
      ['CoursePublished', '/services/catalog', 'course_1'],
    ]);
    expect(steps[1]!.change).toMatchObject({
      specversion: '1.0',
      schoolid: 'school_1',
      version: 1,
      time: at(clock, -2),
    });
    expect(more).toBe(false);
  });

  test('a source that gives no answer hides none of the others, and comes later from where the reader was', async () => {
    const { clock, catalog, school, feed } = opened();
    const signUp = (at: string) => school.write('school_1', at, [['SchoolSignUpSet', 'school_1', { sign_up: 'open' }]]);
    catalog.write('school_1', at(clock, -3), [published('course_1')]);
    signUp(at(clock, -2));
    const types = ({ steps }: Awaited<ReturnType<typeof feed.read>>) => steps.map(({ change }) => change.type);
    school.failing = true;
    const first = await feed.read({}, wanted);
    expect(types(first)).toEqual(['CoursePublished']);
    school.failing = false;
    const second = await feed.read(first.position, wanted);
    expect(types(second)).toEqual(['SchoolSignUpSet']);
    signUp(at(clock, -1));
    school.failing = true;
    const third = await feed.read(second.position, wanted);
    expect(types(third)).toEqual([]);
    await expect(feed.now('school_1')).rejects.toThrow();
    catalog.failing = true;
    await expect(feed.read(third.position, wanted)).rejects.toThrow('the owner does not answer');
    school.failing = false;
    expect(types(await feed.read(third.position, wanted))).toEqual(['SchoolSignUpSet']);
    school.epoch = 'second';
    await expect(feed.read(third.position, wanted)).rejects.toMatchObject({ code: 'gone' });
  });

  test('S14: the publication of an unlisted course tells the public nothing, its leaving the lists does', async () => {
    const { clock, catalog, feed } = opened();
    const unlisted = { course_id: 'course_1', slug: 'secret', title: 'S', access: 'open', listed: false };
    catalog.write('school_1', at(clock, -3), [
      ['CoursePublished', 'course_1', unlisted],
      ['CourseShown', 'course_1', unlisted],
    ]);
    expect((await feed.read({}, wanted)).steps).toEqual([]);
    catalog.write('school_1', at(clock, -2), [['CourseShown', 'course_1', unlisted]]);
    const { steps } = await feed.read({}, wanted);
    expect(steps.map(({ change }) => [change.type, change.data])).toEqual([
      ['CourseUnpublished', { course_id: 'course_1' }],
    ]);
  });

  test('S14: a course that was never listed changes, is taken back and put away without a word to the public', async () => {
    const { clock, catalog, feed } = opened();
    const mark = { course_id: 'course_1', never_listed: true };
    catalog.write('school_1', at(clock, -3), [
      ['CourseShown', 'course_1', { ...mark, slug: 'secret', title: 'S', access: 'open', listed: false }],
      ['CourseUnpublished', 'course_1', mark],
      ['CourseArchived', 'course_1', mark],
    ]);
    expect((await feed.read({}, wanted)).steps).toEqual([]);
    const owner = { subject: 'mem_1', role: 'owner', scopes: new Set(['courses:read'] as const) } as const;
    const { steps } = await feed.read({}, { ...wanted, reader: owner });
    expect(steps.map(({ change }) => change.type)).toEqual(['CourseShown', 'CourseUnpublished', 'CourseArchived']);
    expect(JSON.stringify(steps)).not.toContain('never_listed');
  });

  test('subjects are ids of the API, or the place of what has none', async () => {
    const { clock, catalog, school, feed } = opened();
    const lesson = { course_id: 'course_1', lesson_id: 'lesson_1' };
    catalog.write('school_1', at(clock, -3), [
      ['LessonRemoved', 'curriculum_1', lesson],
      ['CurriculumTotalled', 'curriculum_1', { course_id: 'course_1', lesson_count: 0, duration_s: 0 }],
    ]);
    school.write('school_1', at(clock, -2), [
      ['DomainVerified', 'domains', { domain: 'learn.example' }],
      ['MemberErased', 'mem_2', { member_id: 'mem_2' }],
    ]);
    const scopes = new Set(['curriculum:read', 'school:read', 'members:read'] as const);
    const { steps } = await feed.read({}, { ...wanted, reader: { subject: 'mem_1', role: 'owner', scopes } });
    expect(steps.map(({ change }) => change.subject)).toEqual([
      'lesson_1',
      'course_1/curriculum',
      'learn.example',
      'mem_2',
    ]);
  });

  test('read in pages of any size, and from the cursor of any change, it is the same sequence', async () => {
    const commit = fc.tuple(fc.constantFrom('school_1', 'school_2'), fc.integer({ min: 0, max: 4 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.array(commit, { maxLength: 25 }), fc.integer({ min: 1, max: 7 }), async (commits, limit) => {
        const { clock, catalog, school, feed } = opened();
        for (const [index, [tenant, count, other]] of commits.entries())
          (other ? school : catalog).write(
            tenant,
            at(clock, -20 + index / 10),
            Array.from({ length: count }, (_, n) =>
              other ? (['SchoolSignUpSet', tenant, { n }] as const) : published(`c${index}.${n}`),
            ),
          );
        const whole = (await feed.read({}, wanted)).steps;
        const paged: string[] = [];
        let position: FeedPosition = {};
        for (let more = true; more;) {
          const page = await feed.read(position, { ...wanted, limit });
          expect(page.steps.length).toBeLessThanOrEqual(limit);
          paged.push(...page.steps.map(({ change }) => change.id));
          ({ position, more } = page);
        }
        const ids = whole.map(({ change }) => change.id);
        expect(paged).toEqual(ids);
        for (const [index, step] of whole.entries()) {
          const rest = await feed.read(step.position, wanted);
          expect(rest.steps.map(({ change }) => change.id)).toEqual(ids.slice(index + 1));
        }
      }),
      { numRuns: 40 },
    );
  });

  test('the end of a page is kept beyond what the reader may not see, so nothing is looked at twice', async () => {
    const { clock, school, feed } = opened();
    for (let n = 0; n < 5; n += 1) school.write('school_1', at(clock, -1), [['MemberJoined', 'mem_1', {}]]);
    const { steps, position } = await feed.read({}, wanted);
    expect(steps).toEqual([]);
    expect(position.school?.position).toBe(5);
  });

  test('it begins with the oldest change that is kept', async () => {
    const { clock, catalog, feed } = opened();
    catalog.write('school_1', at(clock, -40), [published('course_1')]);
    catalog.write('school_1', at(clock, -5), [published('course_2')]);
    const { steps } = await feed.read({}, wanted);
    expect(steps.map(({ change }) => change.subject)).toEqual(['course_2']);
  });

  test('C17: a cursor of a log that was restored is gone, also when the log has become shorter', async () => {
    const { clock, catalog, feed } = opened();
    catalog.write('school_1', at(clock, -1), [published('course_1')]);
    const { position } = await feed.read({}, wanted);
    catalog.epoch = 'second';
    await expect(feed.read(position, wanted)).rejects.toMatchObject({ code: 'gone' });
    const ahead = { ...position, catalog: { position: 9, facts: 0, epoch: 'second' } };
    await expect(feed.read(ahead, wanted)).rejects.toMatchObject({ code: 'gone' });
  });

  test('now is after everything; what comes then is seen', async () => {
    const { clock, catalog, feed } = opened();
    catalog.write('school_1', at(clock, -1), [published('course_1')]);
    const now = await feed.now('school_1');
    expect((await feed.read(now, wanted)).steps).toEqual([]);
    catalog.write('school_1', at(clock, 0), [published('course_2')]);
    expect((await feed.read(now, wanted)).steps.map(({ change }) => change.subject)).toEqual(['course_2']);
  });

  test('only the types that are asked for are given', async () => {
    const { clock, catalog, feed } = opened();
    catalog.write('school_1', at(clock, -1), [published('course_1'), ['CourseArchived', 'course_3', {}]]);
    const { steps } = await feed.read({}, { ...wanted, types: new Set(['CourseArchived']) });
    expect(steps.map(({ change }) => change.subject)).toEqual(['course_3']);
  });
});

describe('cursors of the feed', () => {
  const clock = new FakeClock();
  const codec = changeCursors('a secret of this test', clock, 30 * day);
  const position: FeedPosition = {
    catalog: { position: 7, facts: 1, epoch: 'first' },
    auth: { position: 0, facts: 0 },
  };

  test('come back as they were given', () => {
    expect(codec.open('school_1', codec.seal('school_1', position))).toEqual(position);
  });

  test('are gone when they are older than what is kept, and the error tells what to do', () => {
    const later = new FakeClock();
    const cursor = changeCursors('a secret', later, 30 * day).seal('school_1', position);
    later.advance(30 * day);
    expect(changeCursors('a secret', later, 30 * day).open('school_1', cursor)).toEqual(position);
    later.advance(1000);
    expect(() => changeCursors('a secret', later, 30 * day).open('school_1', cursor)).toThrow(
      expect.objectContaining({ code: 'gone', message: expect.stringContaining('after=now') }),
    );
  });

  test('are refused at another school, with another secret, and changed in any place', () => {
    const cursor = codec.seal('school_1', position);
    const refused = { code: 'invalid_request' };
    expect(() => codec.open('school_2', cursor)).toThrow(expect.objectContaining(refused));
    expect(() => changeCursors('another', clock, 30 * day).open('school_1', cursor)).toThrow(
      expect.objectContaining(refused),
    );
    for (const at of [0, 10, 25, cursor.length - 1]) {
      const forged = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
      expect(() => codec.open('school_1', forged)).toThrow(expect.objectContaining(refused));
    }
  });
});
