import { describe, expect, test } from '@jest/globals';
import { Gap } from '../errors.ts';
import { type OpenLog, noted, sampleAppend, tenantsApart, withLog } from './sample.ts';

/** What readers may rely on. */
export function testReads(open: OpenLog): void {
  describe('reads', () => {
    test(
      'load gives only commits that touch the streams, once each, in order, as of one position',
      withLog(open, async (log) => {
        const write = (...streams: string[]) => log.append(sampleAppend({ events: streams.map((s) => noted(s)) }));
        await write('a');
        await write('b');
        await write('a', 'b');
        await write('c');
        const loaded = await log.load('school_a', ['b', 'a', 'missing']);
        expect(loaded.commits.map((commit) => commit.position)).toEqual([1, 2, 3]);
        expect(loaded.heads).toEqual({ a: 2, b: 2, missing: 0 });
        expect(loaded).toMatchObject({ lane: log.laneOf('school_a'), position: 4 });
        expect((await log.load('school_a', ['c'])).commits.map((commit) => commit.position)).toEqual([4]);
      }),
    );

    test(
      'load from a version gives the commits with later events, whole',
      withLog(open, async (log) => {
        for (const size of [2, 3, 1]) await log.append(sampleAppend({ events: Array(size).fill(noted('s')) }));
        const after = async (version: number): Promise<number[]> =>
          (await log.load('school_a', ['s'], version)).commits.map((commit) => commit.position);
        expect(await after(0)).toEqual([1, 2, 3]);
        expect(await after(1)).toEqual([1, 2, 3]);
        expect(await after(2)).toEqual([2, 3]);
        expect(await after(4)).toEqual([2, 3]);
        expect(await after(5)).toEqual([3]);
        expect(await after(6)).toEqual([]);
        expect((await log.load('school_a', ['s'], 6)).heads).toEqual({ s: 6 });
      }),
    );

    test(
      'a log that tells how far a stream has got without waiting tells what a load would',
      withLog(open, async (log) => {
        await log.append(sampleAppend({ events: [noted('s'), noted('s'), noted('other')] }));
        await log.append(sampleAppend({ events: [noted('other')] }));
        for (const [tenant, stream] of [
          ['school_a', 's'],
          ['school_a', 'missing'],
          ['school_b', 's'],
        ] as const) {
          const { heads, lane, position } = await log.load(tenant, [stream]);
          const told = log.observeNow?.(tenant, stream);
          expect(told).toEqual(log.looksOut ? undefined : { version: heads[stream], lane, position });
        }
      }),
    );

    test(
      'an empty log has no commits, and every lane is at 0',
      withLog(open, async (log) => {
        expect(await log.load('school_a', ['s'])).toEqual({
          commits: [],
          heads: { s: 0 },
          lane: log.laneOf('school_a'),
          position: 0,
        });
        expect(await log.find('school_a', 'unknown')).toBeUndefined();
        for (let lane = 0; lane < log.lanes; lane += 1) {
          expect(await log.head(lane)).toBe(0);
          expect(await log.readLane(lane, 0, 10)).toEqual([]);
        }
      }),
    );

    test(
      'readLane pages through a lane and never shows another one',
      withLog(open, async (log) => {
        const [one, two] = tenantsApart(log, 2) as [string, string];
        for (let n = 0; n < 5; n += 1) {
          await log.append(sampleAppend({ tenant: one }));
          await log.append(sampleAppend({ tenant: two }));
        }
        const page = await log.readLane(log.laneOf(one), 2, 2);
        expect(page.map((commit) => [commit.tenant, commit.position])).toEqual([
          [one, 3],
          [one, 4],
        ]);
        expect(await log.readLane(log.laneOf(one), 5, 2)).toEqual([]);
        expect(await log.head(log.laneOf(two))).toBe(5);
      }),
    );

    test(
      'reading on from a position that the lane does not have is a gap',
      withLog(open, async (log) => {
        await log.append(sampleAppend());
        const error = await log.readLane(log.laneOf('school_a'), 3, 10).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(Gap);
        expect(error).toMatchObject({ lane: log.laneOf('school_a'), at: 3 });
      }),
    );

    test(
      'text of any script, and names with quotes, blanks and prototypes, come back as they were',
      withLog(open, async (log) => {
        const names = ["o'neil; --", 'unique/slug/Ünïcode 漢字 🎓', '__proto__', 'constructor', ' ', '%_'];
        for (const name of names) await log.append(sampleAppend({ events: [noted(name, `${name}\0\ud800"\\`)] }));
        for (const name of names) {
          const { commits, heads } = await log.load('school_a', [name]);
          expect(Object.entries(heads)).toEqual([[name, 1]]);
          expect(commits.map((c) => c.events[0]!.data)).toEqual([{ text: `${name}\0\ud800"\\` }]);
        }
      }),
    );

    test(
      'wake rings for the lane that grew, after the commit is visible, until it is stopped',
      withLog(open, async (log) => {
        const heard: { lane: number; head: Promise<number> }[] = [];
        const stop = log.wake((lane) => heard.push({ lane, head: log.head(lane) }));
        log.wake(() => {
          throw new Error('a broken listener');
        });
        const { commit } = await log.append(sampleAppend());
        expect(heard.map((each) => each.lane)).toEqual([commit.lane]);
        expect(await heard[0]!.head).toBe(1);
        stop();
        await log.append(sampleAppend());
        expect(heard).toHaveLength(1);
      }),
    );
  });
}
