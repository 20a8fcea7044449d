import { type Checkpoint, OtherHistory } from '@lyceum/kernel';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { HistoryDiverged, type SourceCommit, backfillOf, messagesOf } from './facts.ts';
import type { Message } from './port.ts';
import { Owner } from './testing/owner.ts';

const owner = new Owner();

const commitsOf = (crossing: readonly boolean[]): readonly SourceCommit[] =>
  crossing.map((crosses, index) => ({
    lane: 0,
    position: index + 1,
    tenant: 'school',
    at: '2026-01-05T08:00:00.000Z',
    events: [{ id: `${index}`, type: 'Said', schema: 1, stream: 's', version: 1, data: { text: crosses ? 'x' : '-' } }],
  }));

const isChain = (messages: readonly Message[], from: number): void => {
  let last = from;
  for (const { previous, position } of messages) {
    expect(previous).toBe(last);
    expect(position).toBeGreaterThan(previous);
    last = position;
  }
};

describe('facts', () => {
  test('messages of commits form one chain, however the commits are cut into batches', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 30 }), fc.integer({ min: 1, max: 7 }), (crossing, size) => {
        const commits = commitsOf(crossing);
        const messages: Message[] = [];
        let previous: Checkpoint = { position: 0 };
        for (let at = 0; at < commits.length; at += size) {
          const next = messagesOf('owner', commits.slice(at, at + size), previous, owner.toFact);
          messages.push(...next.messages);
          previous = next.previous;
        }
        isChain(messages, 0);
        const expected = crossing.flatMap((crosses, index) => (crosses ? [index + 1] : []));
        expect(messages.map(({ position }) => position)).toEqual(expected);
        expect(previous.position).toBe(expected.at(-1) ?? 0);
      }),
    );
  });

  test('S10: who wants one message has few commits read, and others have their turn while many without facts are passed', async () => {
    const commits = commitsOf([...Array<boolean>(1_500).fill(false), true, ...Array<boolean>(500).fill(true)]);
    const order: string[] = [];
    const read: number[] = [];
    const readLane = async (_lane: number, after: number, limit: number) => {
      order.push('read');
      read.push(limit);
      return commits.slice(after, after + limit);
    };
    const backfill = backfillOf('owner', { head: async () => commits.length, readLane }, owner.toFact);
    expect(await backfill(0, 1_600, 1)).toHaveLength(1);
    expect(read).toEqual([16]);
    let isOver = false;
    const others = (): void => void (isOver || (order.push('others'), setImmediate(others)));
    setImmediate(others);
    const [first] = await backfill(0, 0, 1);
    isOver = true;
    expect(first!.position).toBe(1_501);
    expect(Math.max(...read)).toBe(200);
    expect(order.slice(1).join(' ')).not.toContain('read read');
  });

  test('C17: a reader that is ahead of a restored owner is refused, and does not wait for others to fill its positions', async () => {
    const commits = commitsOf([true, true, true]);
    const log = { head: async () => 3, readLane: async (_lane: number, after: number) => commits.slice(after) };
    const backfill = backfillOf('owner', log, owner.toFact);
    expect(await backfill(0, 3, 10)).toEqual([]);
    await expect(backfill(0, 4, 10)).rejects.toThrow(HistoryDiverged);
  });

  test('a reader whose commit is not the one at its position is told so, also at the end, and where no fact follows', async () => {
    const ids = (commit: SourceCommit): SourceCommit => {
      const prev = commit.position === 1 ? '' : `id-${commit.position - 1}`;
      return { ...commit, commitId: `id-${commit.position}`, prev };
    };
    const commits = commitsOf([true, true, true, false]).map(ids);
    const readLane = async (_lane: number, after: number, limit: number) => commits.slice(after, after + limit);
    const backfill = backfillOf('owner', { head: async () => 4, readLane }, owner.toFact);
    for (const after of [1, 2, 3, 4]) {
      await expect(backfill(0, after, 10, 'other')).rejects.toThrow(OtherHistory);
      const found = await backfill(0, after, 10, `id-${after}`);
      expect(found.map(({ position }) => position)).toEqual([2, 3].filter((position) => position > after));
      expect(await backfill(0, after, 10)).toEqual(found);
      if (found[0]) expect(found[0]).toMatchObject({ previousId: `id-${after}`, commitId: `id-${after + 1}` });
    }
    const { messages } = messagesOf('owner', commits, 0, owner.toFact);
    expect(messages.map(({ previousId }) => previousId)).toEqual([undefined, 'id-1', 'id-2']);
  });

  test('pages of history chain from the position asked, hold every fact once, and are short only at the end', async () => {
    const history = fc.array(fc.boolean(), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(history, fc.nat(60), fc.integer({ min: 1, max: 9 }), async (crossing, start, limit) => {
        const commits = commitsOf(crossing);
        const log = {
          head: async () => commits.length,
          readLane: async (_lane: number, after: number, most: number) =>
            commits.slice(after, after + Math.min(most, 5)),
        };
        const backfill = backfillOf('owner', log, owner.toFact);
        const from = Math.min(start, commits.length);
        const found: Message[] = [];
        for (;;) {
          const page = await backfill(0, found.at(-1)?.position ?? from, limit);
          found.push(...page);
          if (page.length < limit) break;
        }
        isChain(found, from);
        const expected = crossing.flatMap((crosses, index) => (crosses && index + 1 > from ? [index + 1] : []));
        expect(found.map(({ position }) => position)).toEqual(expected);
      }),
    );
  });

  test('a log that gives nothing below its head is an error, not an end', async () => {
    const log = { head: async () => 3, readLane: async () => [] };
    await expect(backfillOf('owner', log, owner.toFact)(0, 1, 10)).rejects.toThrow('after position 1');
  });
});
