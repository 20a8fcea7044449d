import { afterEach, describe, expect, test } from '@jest/globals';
import { type Analytics, type ToldFact, course, enrollment, on, startAnalytics } from '../testing.ts';

let service: Analytics | undefined;
afterEach(async () => service?.close());

async function told(facts: readonly ToldFact[], now?: string): Promise<Analytics> {
  service = await startAnalytics({ facts, ...(now === undefined ? {} : { now }) });
  return service;
}

const [ada, bob, cem] = ['ada', 'bob', 'cem'].map((name) => enrollment(name, 1)) as [Enrolled, Enrolled, Enrolled];
const adaToo = enrollment('ada', 2);
type Enrolled = ReturnType<typeof enrollment>;

describe('cohorts', () => {
  test('worked example: of those who began in a week, how many reached each step; who lost access before the end is apart', async () => {
    const { rows } = await told([
      ada.activated(on('03-02')),
      bob.activated(on('03-03')),
      cem.activated(on('03-08')),
      adaToo.activated(on('03-09')),
      ada.started(on('03-04')),
      ada.learnt(on('03-05'), 50),
      ada.learnt(on('03-20'), 100),
      ada.completed(on('03-20')),
      bob.learnt(on('03-05'), 10),
      bob.learnt(on('03-06'), 30),
      bob.lapsed(on('03-07')),
      ada.lapsed(on('03-21')),
      // What was reached stays so.
      bob.reset(on('03-08')),
      cem.lapsed(on('03-09')),
      cem.activated(on('03-10'), 'staff', true),
    ]);
    expect(await rows('funnel?from=2026-03-02&to=2026-03-16')).toEqual([
      {
        cohort: '2026-03-02',
        course_id: null,
        enrolled: 3,
        started: 2,
        reached_25: 2,
        reached_50: 1,
        reached_75: 1,
        completed: 1,
        lapsed: 1,
      },
      {
        cohort: '2026-03-09',
        course_id: null,
        enrolled: 1,
        started: 0,
        reached_25: 0,
        reached_50: 0,
        reached_75: 0,
        completed: 0,
        lapsed: 0,
      },
    ]);
    const [ofCourse] = await rows(`funnel?from=2026-03-02&to=2026-03-09&course_id=${course(1)}`);
    expect(ofCourse).toMatchObject({ enrolled: 3, completed: 1 });
  });

  test('worked example: of the members who came in a week, how many were active in each week from it on; one that runs is null', async () => {
    const { rows } = await told(
      [
        ada.activated(on('03-02')),
        bob.activated(on('03-08')),
        adaToo.activated(on('03-16')),
        ada.started(on('03-02')),
        bob.started(on('03-09')),
        ada.started(on('03-16')),
        adaToo.started(on('03-17')),
        ada.started(on('03-24')),
      ],
      on('03-25'),
    );
    const shown = async (path: string) =>
      (await rows(path)).map((row) => [row.cohort, row.students, row.week, row.active, row.share_bp]);
    expect(await shown('retention?from=2026-03-02&to=2026-03-23')).toEqual([
      ['2026-03-02', 2, 0, 1, 5_000],
      ['2026-03-02', 2, 1, 1, 5_000],
      ['2026-03-02', 2, 2, 1, 5_000],
      ['2026-03-02', 2, 3, null, null],
    ]);
    expect(await shown(`retention?from=2026-03-02&to=2026-03-23&course_id=${course(2)}`)).toEqual([
      ['2026-03-16', 1, 0, 1, 10_000],
      ['2026-03-16', 1, 1, null, null],
    ]);
  });

  test('worked example: who is idle for 14 days stands at exactly one lesson, the one completed last', async () => {
    const { rows, tell } = await told(
      [
        ...[ada, bob, cem].map((each) => each.activated(on('03-01'))),
        ada.learnt(on('03-02'), 10, 'first'),
        ada.learnt(on('03-03'), 20, 'second'),
        bob.learnt(on('03-03'), 10, 'first'),
        // Active in the last 14 days.
        bob.attempted(on('03-17', '23:00')),
        adaToo.activated(on('03-01')),
      ],
      on('03-31'),
    );
    const shown = async () =>
      (await rows(`drop_off?course_id=${course(1)}`))
        .map(({ lesson_id, students }) => [lesson_id, students])
        .sort((one, other) => (String(one) < String(other) ? -1 : 1));
    expect(await shown()).toEqual(
      [
        ['first', 1],
        ['second', 1],
        [null, 1],
      ].sort((one, other) => (String(one) < String(other) ? -1 : 1)),
    );
    await tell(bob.learnt(on('03-30'), 40, 'second'), cem.completed(on('03-30')));
    expect(await shown()).toEqual([['second', 1]]);
    await tell(bob.reset(on('03-30')));
    service!.clock.advance(100 * 86_400_000);
    // So long after, days are not known one by one any more, and who comes back is still found.
    await tell(ada.learnt('2026-07-08T12:00:00.000Z', 60, 'third'), adaToo.started('2026-07-08T12:00:00.000Z'));
    expect(await shown()).toEqual([[null, 1]]);
  });
});
