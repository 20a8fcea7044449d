import { expect, test } from '@jest/globals';
import { type Documents, memoryDocuments } from '@lyceum/documents';
import { FakeClock } from '@lyceum/testkit';
import fc from 'fast-check';
import type { Snapshot } from './followed-state.ts';
import { SnapshotDocuments } from './snapshot-documents.ts';
import { packSize, packedIn, snapshotCollection } from './snapshot-forms.ts';
import { StateSnapshots } from './state-snapshots.ts';

const collection = snapshotCollection('tried', 1);
const clock = new FakeClock();
const epoch = 'epoch';
const lanes = [0, 1];

/** What a source has told, by lane: pieces that replace what stands under their names, all at once. */
type History = readonly (readonly Snapshot[])[][];

const lasting = (id: string, body: unknown): Snapshot => ({ id, source: 'school', isLasting: true, body });
const single = (id: string, body: unknown): Snapshot => ({ id, source: 'school', body });

/** A process that follows the history. */
class Follower {
  readonly known = new Map<string, unknown>();
  readonly #snapshots: StateSnapshots;
  readonly #at = new Map<number, number>();
  readonly #history: History;
  /** Positions that were read. */
  read = 0;
  isDead = false;

  constructor(documents: Documents, history: History) {
    this.#history = history;
    const dying = {
      exclusive: documents.exclusive,
      open: (...args) => documents.open(...args),
      query: (...args) => documents.query(...args),
      checkpointOf: (...args) => documents.checkpointOf(...args),
      apply: (...args) => (this.isDead ? Promise.reject(new Error('dead')) : documents.apply(...args)),
    } as Documents;
    const state = { recall: ({ id, body }: Snapshot) => void this.known.set(id, body), forget: () => undefined };
    const given = { documents: dying, collection, state, clock, saveEvery: 60_000 };
    this.#snapshots = new StateSnapshots({ ...given, onError: () => undefined });
  }

  async start(): Promise<this> {
    await this.#snapshots.recall('school');
    for (const lane of lanes) this.#at.set(lane, (await this.#snapshots.from('school', lane, epoch)).position);
    this.follow();
    return this;
  }

  /** Takes in what is new. */
  follow(): void {
    for (const lane of lanes)
      for (let at = this.#at.get(lane)!; at < this.#history[lane]!.length; at += 1) {
        const told = this.#history[lane]![at]!;
        for (const { id, body } of told) this.known.set(id, body);
        this.read += 1;
        this.#at.set(lane, at + 1);
        this.#snapshots.record('school', lane, { position: at + 1, commitId: `${lane}-${at + 1}` }, told);
      }
    this.#snapshots.complete('school');
  }

  async stop(): Promise<void> {
    await this.#snapshots.close();
  }

  async die(): Promise<void> {
    this.isDead = true;
    await this.#snapshots.close();
  }
}

const told = (history: History): Record<string, unknown> =>
  Object.fromEntries(history.flat(2).map(({ id, body }) => [id, body]));

const shared = (): Documents => Object.assign(memoryDocuments(), { exclusive: undefined });

/** Documents of the collection, and how many of them are packs. */
async function stored(documents: Documents): Promise<readonly [documents: number, packs: number]> {
  const kept = new SnapshotDocuments(documents, collection);
  let [all, packs] = [0, 0];
  for await (const { found } of kept.ofLanes('school', epoch)) {
    all += 1;
    if (packedIn(found)) packs += 1;
  }
  return [all, packs];
}

const some = (from: number, count: number, body: unknown): readonly Snapshot[] =>
  Array.from({ length: count }, (_, index) => lasting(`s${from + index}`, body));

test('many lasting pieces become few documents, and a start has them without reading a position', async () => {
  const documents = memoryDocuments();
  const history: History = [some(0, 1_000, 'first').map((each) => [each]), [[single('one', 1)]]];
  await (await new Follower(documents, history).start()).stop();
  expect(await stored(documents)).toEqual([Math.ceil(1_000 / packSize) + 1, Math.ceil(1_000 / packSize)]);
  const next = await new Follower(documents, history).start();
  expect([next.read, Object.fromEntries(next.known)]).toEqual([0, told(history)]);
  await next.stop();
});

test('a piece that changed after it was packed is the later one, whether it stands by itself or in a later pack', async () => {
  const documents = memoryDocuments();
  const history: History = [[some(0, 300, 'first')], []];
  const follower = await new Follower(documents, history).start();
  await follower.stop();
  history[0]!.push([lasting('s7', 'second')]);
  await (await new Follower(documents, history).start()).stop();
  expect((await new Follower(documents, history).start()).known.get('s7')).toBe('second');
  history[0]!.push(some(200, 300, 'third'));
  await (await new Follower(documents, history).start()).stop();
  const last = await new Follower(documents, history).start();
  expect([last.read, Object.fromEntries(last.known)]).toEqual([0, told(history)]);
});

test('packs whose pieces were replaced many times are packed anew', async () => {
  const documents = memoryDocuments();
  const history: History = [[], []];
  for (let round = 0; round < 12; round += 1) {
    history[0]!.push(some(0, 300, round));
    await (await new Follower(documents, history).start()).stop();
  }
  const [all] = await stored(documents);
  expect(all).toBeLessThan(12);
  const last = await new Follower(documents, history).start();
  expect([last.read, Object.fromEntries(last.known)]).toEqual([0, told(history)]);
});

test('what another process has packed meanwhile is not hidden by what it left standing by itself', async () => {
  const documents = shared();
  const history: History = [[some(0, 100, 'first')], []];
  const one = await new Follower(documents, history).start();
  const other = await new Follower(documents, history).start();
  await one.stop();
  history[0]!.push(some(50, 300, 'second'));
  other.follow();
  await other.stop();
  const last = await new Follower(documents, history).start();
  expect([last.read, Object.fromEntries(last.known)]).toEqual([0, told(history)]);
});

test('whatever is told, and whichever process saves, stops or dies: a start knows what the whole history says', async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ does: fc.constant('tell' as const), lane: fc.nat(1), name: fc.nat(9) }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('many' as const), lane: fc.nat(1), name: fc.nat(600) }) },
    { weight: 3, arbitrary: fc.record({ does: fc.constantFrom('stop', 'die', 'hear' as const), process: fc.nat(1) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.boolean(), async (steps, isShared) => {
      const documents = isShared ? shared() : memoryDocuments();
      const history: History = [[], []];
      const begin = () => new Follower(documents, history).start();
      const running = isShared ? [await begin(), await begin()] : [await begin()];
      for (const [round, each] of steps.entries()) {
        if (each.does === 'tell')
          history[each.lane]!.push([
            lasting(`${each.lane} s${each.name}`, round),
            single(`${each.lane} one${each.name}`, round),
          ]);
        else if (each.does === 'many')
          history[each.lane]!.push(
            some(each.name, 280, round).map((piece) => ({ ...piece, id: `${each.lane} ${piece.id}` })),
          );
        else {
          const process = running[each.process % running.length]!;
          process.follow();
          if (each.does !== 'hear') {
            await process[each.does]();
            running[each.process % running.length] = await begin();
          }
        }
      }
      const last = await begin();
      expect(Object.fromEntries(last.known)).toEqual(told(history));
      for (const each of [...running, last]) await each.stop();
    }),
    { numRuns: 150, interruptAfterTimeLimit: 8_000 },
  );
}, 30_000);
