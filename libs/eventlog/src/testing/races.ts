import { describe, expect, test } from '@jest/globals';
import { ConcurrencyConflict } from '../errors.ts';
import type { Appended } from '../port.ts';
import { type OpenLog, noted, sampleAppend, tenantsApart, wholeLane, withLog } from './sample.ts';

const fulfilled = (settled: readonly PromiseSettledResult<Appended>[]): readonly Appended[] =>
  settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));

/** What many callers at once may rely on. */
export function testRaces(open: OpenLog): void {
  describe('concurrent appends', () => {
    test(
      '64 callers on 4 lanes lose nothing and leave every lane contiguous',
      withLog(open, async (log) => {
        const tenants = tenantsApart(log, 4);
        const caller = async (index: number): Promise<string[]> => {
          const ids: string[] = [];
          for (let n = 0; n < 5; n += 1) {
            const append = sampleAppend({ tenant: tenants[index % 4]!, events: [noted(`s-${index % 16}`)] });
            ids.push((await log.append(append)).commit.commitId);
          }
          return ids;
        };
        const acknowledged = (await Promise.all(Array.from({ length: 64 }, (_, index) => caller(index)))).flat();
        const lanes = await Promise.all(tenants.map((tenant) => wholeLane(log, log.laneOf(tenant))));
        for (const lane of lanes) expect(lane.map((c) => c.position)).toEqual(lane.map((_, n) => n + 1));
        expect(
          lanes
            .flat()
            .map((commit) => commit.commitId)
            .sort(),
        ).toEqual(acknowledged.sort());
      }),
    );

    test(
      'of 64 creates of one stream exactly one wins, and the others learn its version',
      withLog(open, async (log) => {
        const settled = await Promise.allSettled(
          Array.from({ length: 64 }, () =>
            log.append(sampleAppend({ expectations: [{ stream: 'note-1', version: 0 }] })),
          ),
        );
        expect(fulfilled(settled)).toHaveLength(1);
        for (const each of settled)
          if (each.status === 'rejected') {
            expect(each.reason).toBeInstanceOf(ConcurrencyConflict);
            expect(each.reason).toMatchObject({ stream: 'note-1', expected: 0, actual: 1 });
          }
        expect(await log.head(log.laneOf('school_a'))).toBe(1);
      }),
    );

    test(
      'a later caller of the same moment sees what an earlier one wrote',
      withLog(open, async (log) => {
        const at = (version: number) => log.append(sampleAppend({ expectations: [{ stream: 'note-1', version }] }));
        const settled = await Promise.allSettled([at(0), at(1), at(1), at(2), at(7), at(3)]);
        expect(settled.map((each) => each.status)).toEqual([
          'fulfilled',
          'fulfilled',
          'rejected',
          'fulfilled',
          'rejected',
          'fulfilled',
        ]);
        expect((await log.load('school_a', ['note-1'])).heads).toEqual({ 'note-1': 4 });
      }),
    );

    test(
      'the same commit id from 20 callers at once is written once, and all get the same commit',
      withLog(open, async (log) => {
        const append = sampleAppend({ expectations: [{ stream: 'note-1', version: 0 }] });
        const appended = await Promise.all(Array.from({ length: 20 }, () => log.append(append)));
        expect(appended.filter((each) => !each.replayed)).toHaveLength(1);
        for (const each of appended) expect(each.commit).toEqual(appended[0]!.commit);
        expect(await log.head(appended[0]!.commit.lane)).toBe(1);
      }),
    );

    test(
      'what the caller changes after the call does not reach the log',
      withLog(open, async (log) => {
        const data = { text: 'before' };
        const append = sampleAppend({ events: [{ ...noted('s'), data }] });
        const pending = log.append(append);
        data.text = 'after';
        const { commit } = await pending;
        (commit.events[0]!.data as { text: string }).text = 'changed in the answer';
        expect((await log.find('school_a', append.commitId))!.events[0]!.data).toEqual({ text: 'before' });
      }),
    );
  });
}
