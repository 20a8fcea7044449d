import { describe, expect, test } from '@jest/globals';
import { IdempotencyMismatch, Unavailable } from '../errors.ts';
import { type OpenLog, noted, sampleAppend, wholeLane, withLog } from './sample.ts';

/** What closing and opening again must keep. */
export function testLifetime(open: OpenLog): void {
  describe('close', () => {
    test(
      'finishes the appends in flight',
      withLog(open, async (log) => {
        const pending = Array.from({ length: 10 }, () => log.append(sampleAppend()));
        await log.close();
        const positions = (await Promise.all(pending)).map((appended) => appended.commit.position);
        expect(positions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      }),
    );

    test(
      'refuses every later call as unavailable, and may be repeated',
      withLog(open, async (log) => {
        await log.close();
        await log.close();
        await expect(log.append(sampleAppend())).rejects.toThrow(Unavailable);
        await expect(log.load('school_a', ['s'])).rejects.toThrow(Unavailable);
        await expect(log.find('school_a', 'x')).rejects.toThrow(Unavailable);
        await expect(log.readLane(0, 0, 1)).rejects.toThrow(Unavailable);
        await expect(log.head(0)).rejects.toThrow(Unavailable);
      }),
    );
  });

  describe('opening again', () => {
    test(
      'what was acknowledged is there, and the log goes on after it (where the storage outlives the log)',
      withLog(open, async (log, { reopen }) => {
        const append = sampleAppend({ events: [noted('a'), noted('b')] });
        await log.append(append);
        await Promise.all(
          Array.from({ length: 30 }, (_, n) => log.append(sampleAppend({ events: [noted(`s${n % 4}`)] }))),
        );
        const lane = log.laneOf('school_a');
        const before = await wholeLane(log, lane);
        expect(before).toHaveLength(31);
        if (!reopen) return;
        const again = await reopen();
        expect(again.lanes).toBe(log.lanes);
        expect(again.laneOf('school_a')).toBe(lane);
        expect(await wholeLane(again, lane)).toEqual(before);
        expect(await again.append(append)).toEqual({ commit: before[0], replayed: true });
        await expect(again.append({ ...append, fingerprint: 'other' })).rejects.toThrow(IdempotencyMismatch);
        const next = await again.append(
          sampleAppend({ expectations: [{ stream: 's0', version: 8 }], events: [noted('s0')] }),
        );
        expect(next.commit).toMatchObject({ position: 32, prev: before.at(-1)!.commitId });
      }),
    );
  });
}
