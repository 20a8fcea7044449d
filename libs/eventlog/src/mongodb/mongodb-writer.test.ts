import { expect, test } from '@jest/globals';
import { draft } from '../storage/draft.ts';
import { Lane } from './mongodb-lane.ts';
import type { LaneIndex } from './lane-index.ts';
import { LaneWriter } from './mongodb-writer.ts';
import { OutcomeUnknown, Unavailable } from '../errors.ts';
import type { StoredCommit } from '../storage/store.ts';
import { sampleAppend } from '../testing.ts';

/** A lane that shows nothing, whose inserts fail in this way, the last one again and again. */
const writerOf = (...failures: readonly Error[]): LaneWriter => writerOn({}, failures);

/** The same of a lane that shows something. `stored` hears of what is inserted before it fails. */
function writerOn(
  shown: Partial<LaneIndex>,
  failures: readonly Error[],
  stored: (commits: readonly StoredCommit[]) => void = () => undefined,
): LaneWriter {
  const index: Partial<LaneIndex> = {
    complete: false,
    forget: () => undefined,
    learn: () => undefined,
    open: async () => undefined,
    following: async () => ({ commits: [], end: true }),
    reread: async () => undefined,
    known: () => 0,
    version: async () => 0,
    remembered: () => undefined,
    find: async () => undefined,
    ...shown,
  };
  let inserts = 0;
  return new LaneWriter(new Lane(0, index as LaneIndex), {
    async insert(commits) {
      stored(commits);
      throw failures[Math.min(inserts++, failures.length - 1)]!;
    },
    grown: () => undefined,
    turn: (work) => work(),
  });
}

const lost = Object.assign(new Error('the answer got lost'), { name: 'MongoNetworkError' });
const duplicate = Object.assign(new Error('E11000'), { name: 'MongoServerError', code: 11_000 });
const halted = Object.assign(new Error('server selection timed out'), { name: 'MongoServerSelectionError' });

test('E-A7: an append that may be the commit at its position, which nobody can see yet, is not said to be surely not written', async () => {
  const written = writerOf(lost, duplicate, halted).append(draft(sampleAppend()));
  await expect(written).rejects.toThrow(OutcomeUnknown);
});

test('an append that is stored, whose answer got lost and which cannot be read then, is not said to be surely not written', async () => {
  const commits: StoredCommit[] = [];
  const shown: Partial<LaneIndex> = {
    following: async (position) => ({ commits: commits.slice(position), end: true }),
    remembered: () => commits[0]?.position,
    async find() {
      throw halted;
    },
  };
  const written = writerOn(shown, [lost], (sent) => commits.push(...sent)).append(draft(sampleAppend()));
  await expect(written).rejects.toThrow(OutcomeUnknown);
});

test('an append that was never sent is surely not written', async () => {
  await expect(writerOf(halted).append(draft(sampleAppend()))).rejects.toThrow(Unavailable);
});
