import { describe, expect, test } from '@jest/globals';
import { CommitTooLarge, ConcurrencyConflict, IdempotencyMismatch } from '../errors.ts';
import { maxCommitBytes } from '../port.ts';
import { type OpenLog, noted, sampleAppend, wholeLane, withLog } from './sample.ts';

/** What one caller at a time may rely on. */
export function testAppends(open: OpenLog): void {
  describe('append', () => {
    test(
      'answers with the commit as it is stored',
      withLog(open, async (log) => {
        const meta = { actor: 'user_1', client: 'shop', correlation: 'r1' };
        const append = sampleAppend({ events: [noted('a', 'x'), noted('b'), noted('a', 'y')], meta });
        const { commit, replayed } = await log.append(append);
        expect(replayed).toBe(false);
        expect(commit).toEqual({
          lane: log.laneOf('school_a'),
          position: 1,
          tenant: 'school_a',
          commitId: append.commitId,
          prev: '',
          fingerprint: 'asked',
          at: append.at,
          meta,
          streams: [
            { id: 'a', before: 0, after: 2 },
            { id: 'b', before: 0, after: 1 },
          ],
          events: [
            { id: `${append.commitId}.1`, stream: 'a', version: 1, type: 'Noted', schema: 1, data: { text: 'x' } },
            { id: `${append.commitId}.2`, stream: 'b', version: 1, type: 'Noted', schema: 1, data: { text: 'hello' } },
            { id: `${append.commitId}.3`, stream: 'a', version: 2, type: 'Noted', schema: 1, data: { text: 'y' } },
          ],
        });
        expect(await log.find('school_a', append.commitId)).toEqual(commit);
        expect(await wholeLane(log, commit.lane)).toEqual([commit]);
      }),
    );

    test(
      'gives contiguous positions, each chained to the commit before it',
      withLog(open, async (log) => {
        for (let n = 1; n <= 20; n += 1) await log.append(sampleAppend({ events: [noted(`note-${n % 3}`)] }));
        const commits = await wholeLane(log, log.laneOf('school_a'));
        expect(commits.map((commit) => commit.position)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
        expect(commits.map((commit) => commit.prev)).toEqual(['', ...commits.slice(0, -1).map((c) => c.commitId)]);
      }),
    );

    test(
      'gives contiguous versions to a stream, whatever the commits hold',
      withLog(open, async (log) => {
        for (const size of [1, 3, 2]) await log.append(sampleAppend({ events: Array(size).fill(noted('s')) }));
        const { commits, heads } = await log.load('school_a', ['s']);
        expect(commits.flatMap((commit) => commit.events.map((e) => e.version))).toEqual([1, 2, 3, 4, 5, 6]);
        expect(heads).toEqual({ s: 6 });
      }),
    );

    test(
      'writes all streams of a commit or none',
      withLog(open, async (log) => {
        await log.append(sampleAppend({ events: [noted('taken')] }));
        const append = sampleAppend({
          expectations: [
            { stream: 'free', version: 0 },
            { stream: 'taken', version: 0 },
          ],
          events: [noted('free'), noted('taken')],
        });
        const error = await log.append(append).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(ConcurrencyConflict);
        expect(error).toMatchObject({ stream: 'taken', expected: 0, actual: 1 });
        expect((await log.load('school_a', ['free', 'taken'])).heads).toEqual({ free: 0, taken: 1 });
        expect(await log.find('school_a', append.commitId)).toBeUndefined();
        expect(await log.head(log.laneOf('school_a'))).toBe(1);
      }),
    );

    test(
      'checks streams that it does not write',
      withLog(open, async (log) => {
        await log.append(sampleAppend({ events: [noted('capacity')] }));
        const stale = sampleAppend({ expectations: [{ stream: 'capacity', version: 0 }], events: [noted('order')] });
        await expect(log.append(stale)).rejects.toThrow(ConcurrencyConflict);
        const fresh = { ...stale, expectations: [{ stream: 'capacity', version: 1 }] };
        expect((await log.append(fresh)).commit.streams).toEqual([{ id: 'order', before: 0, after: 1 }]);
      }),
    );

    test(
      'writes a commit id once: a repeat answers with the stored commit, even when its expectations are stale',
      withLog(open, async (log) => {
        const append = sampleAppend({ expectations: [{ stream: 'note-1', version: 0 }] });
        const first = await log.append(append);
        await log.append(sampleAppend());
        const repeated = await log.append({ ...append, events: [noted('other', 'drawn again')] });
        expect(repeated).toEqual({ commit: first.commit, replayed: true });
        expect(await log.append({ ...append, expectations: [] })).toEqual({ commit: first.commit, replayed: true });
        expect(await log.head(first.commit.lane)).toBe(2);
      }),
    );

    test(
      'refuses a repeated commit id with another fingerprint',
      withLog(open, async (log) => {
        const append = sampleAppend();
        await log.append(append);
        await expect(log.append({ ...append, fingerprint: 'other' })).rejects.toThrow(IdempotencyMismatch);
        expect(await log.head(log.laneOf('school_a'))).toBe(1);
      }),
    );

    test(
      'takes a commit of just under 1 MiB and refuses one above, which writes nothing',
      withLog(open, async (log, { room = maxCommitBytes }) => {
        const large = sampleAppend({ events: [noted('big', 'é'.repeat(room / 2 - 100))] });
        await log.append(large);
        const tooLarge = sampleAppend({ events: [noted('big', 'é'.repeat(room / 2))] });
        await expect(log.append(tooLarge)).rejects.toThrow(CommitTooLarge);
        expect((await log.load('school_a', ['big'])).heads).toEqual({ big: 1 });
        expect(await log.find('school_a', large.commitId)).toMatchObject({ events: [{ data: large.events[0]!.data }] });
      }),
    );

    test(
      'refuses what no engine can keep: no event, an empty name, NUL, a lone surrogate',
      withLog(open, async (log) => {
        const refused = [
          sampleAppend({ events: [] }),
          sampleAppend({ tenant: '' }),
          sampleAppend({ commitId: 'a\0b' }),
          sampleAppend({ events: [noted('s\ud800')] }),
        ];
        for (const append of refused) await expect(log.append(append)).rejects.toThrow(TypeError);
        expect(await log.head(log.laneOf('school_a'))).toBe(0);
      }),
    );
  });
}
