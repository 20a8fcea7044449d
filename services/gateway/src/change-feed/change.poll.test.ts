import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '@lyceum/testkit';
import { WrittenHistory } from '../testing/written-history.ts';
import { ChangeFeed } from './change.feed.ts';
import { pageWithin } from './change.poll.ts';
import { ChangeSignal } from './change-signal.ts';

/** Nothing happens by itself. */
const deaf = { currentReader: 600_000, look: 600_000, silence: 600_000 };

describe('an answer that waits for a change', () => {
  async function open(more: Partial<Parameters<typeof pageWithin>[3]> = {}) {
    const clock = new FakeClock();
    const catalog = new WrittenHistory();
    const sources = new Map([['catalog', catalog] as const]);
    const feed = new ChangeFeed({ sources, clock, kept: 86_400_000 });
    const end = new AbortController();
    const wanted = { school: 'school_1', reader: undefined, types: undefined, limit: 10 };
    const options = { feed, signal: new ChangeSignal(sources), patience: deaf, gone: end.signal };
    const archive = (id: string, school = 'school_1') =>
      catalog.write(school, new Date(clock.now()).toISOString(), [['CourseArchived', id, { course_id: id }]]);
    const from = await feed.now('school_1');
    return {
      catalog,
      archive,
      end,
      poll: (ms: number) => pageWithin(ms, from, wanted, { ...options, currentReader: () => undefined, ...more }),
    };
  }
  const subjects = ({ steps }: Awaited<ReturnType<Awaited<ReturnType<typeof open>>['poll']>>) =>
    steps.map(({ change }) => change.subject);

  test('RFC 7240 §4.3: comes at once when there is something', async () => {
    const { archive, poll } = await open();
    archive('course_1');
    expect(subjects(await poll(600_000))).toEqual(['course_1']);
  });

  test('RFC 7240 §4.3: comes with the first change of the school', async () => {
    const { archive, poll } = await open();
    const waiting = poll(600_000);
    archive('course_9', 'school_2');
    archive('course_1');
    expect(subjects(await waiting)).toEqual(['course_1']);
  });

  test('RFC 7240 §4.3: is empty when the time is over, and goes on where it began', async () => {
    const { catalog, poll } = await open({ patience: { ...deaf, currentReader: 5 } });
    const { steps, more, position } = await poll(20);
    expect([steps, more, position.catalog?.position]).toEqual([[], false, (await catalog.head()).position]);
  });

  test('finds what no bell told of', async () => {
    const silent = { listen: () => () => undefined };
    const { archive, poll } = await open({ signal: silent, patience: { ...deaf, currentReader: 5, look: 10 } });
    const waiting = poll(600_000);
    archive('course_1');
    expect(subjects(await waiting)).toEqual(['course_1']);
  });

  test('is over with its reader, and when the reader may not read any more', async () => {
    const { end, poll } = await open();
    const waiting = poll(600_000);
    end.abort();
    expect((await waiting).steps).toEqual([]);
    const token = { over: false };
    const revoked = await open({
      patience: { ...deaf, currentReader: 5 },
      currentReader: () => (token.over ? 'over' : undefined),
    });
    const reading = revoked.poll(600_000);
    token.over = true;
    expect((await reading).steps).toEqual([]);
  });

  test('a service that does not answer meanwhile delays it; a log in another life is gone', async () => {
    const { catalog, archive, poll } = await open();
    const waiting = poll(600_000);
    await new Promise((resolve) => setImmediate(resolve));
    catalog.failing = true;
    archive('course_1');
    await new Promise((resolve) => setImmediate(resolve));
    catalog.failing = false;
    archive('course_2');
    expect(subjects(await waiting)).toEqual(['course_1', 'course_2']);
    catalog.failing = true;
    await expect(poll(20)).rejects.toThrow();
    catalog.failing = false;
    catalog.epoch = 'second';
    await expect(poll(20)).rejects.toMatchObject({ code: 'gone' });
  });
});
