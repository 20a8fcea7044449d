import { type Clock, systemClock } from '@lyceum/kernel';
import type { Database } from '@lyceum/sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { Maintenance } from '../../embedded/embedded.ts';
import { newestArchived } from './archived-rows.ts';
import { type LaneRow, contentOf } from './block.ts';
import { type Batch, type MadeBlock, Moving } from './moving.ts';

/** What was moved into the archive. */
export interface Archived {
  readonly commits: number;
  /** Characters of the commits as they were, and bytes of the blocks that they are in now. */
  readonly sizeBefore: number;
  readonly sizeAfter: number;
}

/** Which commits of a log are archived, and when. */
export interface ArchiveOptions {
  /** Milliseconds since a commit was made; younger ones stay. */
  readonly olderThan: number;
  /** The machine's when not given. */
  readonly clock?: Clock;
  /** Milliseconds from the opening to the first look (a minute when not given), and from each look to the next (an hour). */
  readonly first?: number;
  readonly every?: number;
  /** Milliseconds between two moves, in which others have the disk and the processor: a second when not given. */
  readonly pause?: number;
  /** Characters of the rows that are moved at once: 512 KiB when not given. Less stays where it is until there is more. */
  readonly together?: number;
  /** Characters of a block, which has commits of one lane, but for a longer row: 32 KiB when not given. A read opens all of it. */
  readonly room?: number;
  /** Called after each look that moved something. */
  readonly onArchived?: (archived: Archived) => void;
  /** A look that failed: what it moved before that stays moved, the next one goes on. */
  readonly onFailed?: (error: unknown) => void;
}

const minute = 60_000;

const [deflated, inflated] = [promisify(deflate), promisify(inflate)];

/** Moves old commits of a log into its archive from time to time, some rows at once, until it is closed. */
export const archiving =
  (database: Database, lanes: number, options: ArchiveOptions): Maintenance =>
  (inTurn) => {
    const { first = minute, every = 60 * minute, onArchived, onFailed } = options;
    const stopping = new AbortController();
    const { signal } = stopping;
    const archive = async () => {
      for (let wait = first; await slept(wait, signal); wait = every) {
        let told: Archived = { commits: 0, sizeBefore: 0, sizeAfter: 0 };
        try {
          for await (const each of moves(database, lanes, { ...options, inTurn, signal })) told = total(told, each);
        } catch (error) {
          // When the log is closed meanwhile, the move that would have been next is refused.
          if (!signal.aborted) onFailed?.(error);
        }
        if (told.commits > 0) onArchived?.(told);
      }
    };
    const done = archive();
    return {
      close() {
        stopping.abort();
        return done;
      },
    };
  };

interface Looking extends ArchiveOptions {
  readonly inTurn: Parameters<Maintenance>[0];
  readonly signal: AbortSignal;
}

async function* moves(
  database: Database,
  lanes: number,
  { olderThan, clock = systemClock, pause = 1_000, together = 512 * 1024, room = 32 * 1024, inTurn, signal }: Looking,
): AsyncGenerator<Archived> {
  const moving = new Moving(database);
  const before = clock.now() - olderThan;
  for (let after = newestArchived(database, lanes); ;) {
    const batch = await moving.next(after, before, together);
    if (!batch || signal.aborted) return;
    const blocks = await blocksOf(batch, room);
    await inTurn(() => moving.move(batch.rows, blocks));
    const sizeAfter = blocks.reduce((size, { content }) => size + content.length, 0);
    yield { commits: batch.commits, sizeBefore: batch.size, sizeAfter };
    if (!(await slept(pause, signal))) return;
    after = batch.last;
  }
}

/** Blocks of one lane each, compressed in another thread. Each is read again before the rows that it is made of go. */
async function blocksOf({ lanes }: Batch, room: number): Promise<readonly MadeBlock[]> {
  const blocks: MadeBlock[] = [];
  for (const [lane, rows] of lanes)
    for (const some of inRooms(rows, room)) {
      const text = contentOf(some);
      const content = await deflated(text);
      if (!text.equals(await inflated(content))) throw new Error('a block could not be read again: nothing was moved');
      blocks.push({ lane, first: some[0]!.row, last: some.at(-1)!.row, content });
    }
  return blocks;
}

/** The rows in about equal parts, so that none is small. */
function* inRooms(rows: readonly LaneRow[], room: number): Iterable<readonly LaneRow[]> {
  const size = rows.reduce((sum, { lines }) => sum + lines.length, 0);
  const part = size / Math.ceil(size / room);
  let [from, length] = [0, 0];
  for (const [index, { lines }] of rows.entries()) {
    length += lines.length;
    if (length < part && index < rows.length - 1) continue;
    yield rows.slice(from, index + 1);
    [from, length] = [index + 1, 0];
  }
}

const total = (one: Archived, other: Archived): Archived => ({
  commits: one.commits + other.commits,
  sizeBefore: one.sizeBefore + other.sizeBefore,
  sizeAfter: one.sizeAfter + other.sizeAfter,
});

/** Whether the time went by before it was stopped. */
const slept = (milliseconds: number, signal: AbortSignal): Promise<boolean> =>
  sleep(milliseconds, true, { ref: false, signal }).catch(() => false);
