import { type Checkpoint, checkpointFrom, storedJson, together } from '@lyceum/kernel';
import { failureOf, inTime } from '@lyceum/mongo';
import type { Collection as Records } from 'mongodb';
import { randomUUID } from 'node:crypto';
import type { Change } from './record.ts';

/**
 * A step of a checkpoint, as it is stored. `moving`: the changes are decided, and kept here until they are made. `moved`:
 * they are made, and the checkpoint stands at `to`.
 */
export interface MoveRecord {
  readonly _id: string;
  readonly scope: string;
  readonly epoch: number;
  readonly state: 'moving' | 'part' | 'moved';
  readonly from: number;
  readonly to: number;
  /** The id of the commit at `to`, where it is known. */
  readonly commit?: string;
  /** Who made it; equal in both states of one move. */
  readonly by: string;
  /** JSON of the changes, in parts: the first one here, the others in documents of their own. */
  readonly changes: string;
  readonly parts: number;
}

/** Where a checkpoint stands. `pending`: the move to it has been decided, but perhaps not made. */
export interface LastMove {
  readonly epoch: number;
  readonly position: number;
  /** The id of the commit there, where it is known. Not kept while a move is pending: it is that of its end. */
  readonly commitId?: string;
  readonly by: string;
  readonly pending?: MoveRecord;
}

const nowhere: LastMove = { epoch: 0, position: 0, by: '' };

/** Commands that insert steps, after which the old ones of all checkpoints in them are deleted. */
const cleanEvery = 8;

/** Characters in one part of the changes: well below the 16 MB of a document, whatever the script. */
const partLength = 3 * 1024 * 1024;

/**
 * The checkpoints of a collection, by insertion only: the next epoch belongs to the process that inserts it first, so two projectors
 * never both move on from one place, on any server. Each step first stores its changes whole (`moving`), and once they are
 * made, that they are (`moved`): the next process after a crash in between makes them again.
 */
export class Moves {
  readonly #records: Records<MoveRecord>;
  /** The last step of each checkpoint since old ones were deleted. */
  readonly #stepped = new Map<string, number>();
  #commands = 0;

  constructor(records: Records<MoveRecord>) {
    this.#records = records;
  }

  /** Where a checkpoint stands now. */
  readonly last: (scope: string) => Promise<LastMove> = together((scopes) => this.#newest(scopes));

  /**
   * Moves a checkpoint alone, durably and in one insertion. Undefined when another process has moved it since `at`. Throws
   * what the driver throws; then it may have moved all the same.
   */
  step(scope: string, at: LastMove, end: number | Checkpoint): Promise<LastMove | undefined> {
    return this.#step({ ...moveFrom(scope, at, end), state: 'moved', changes: '', parts: 0 });
  }

  readonly #step = together((moves: readonly MoveRecord[]) => this.#makeSteps(moves));

  /**
   * Decides the next move, durably. Undefined when another process has moved it since `at`. Throws what the driver throws; then
   * it may be decided all the same.
   */
  async begin(
    scope: string,
    at: LastMove,
    end: number | Checkpoint,
    changes: readonly Change[],
  ): Promise<MoveRecord | undefined> {
    const parts = inParts(JSON.stringify(changes));
    const move: MoveRecord = {
      ...moveFrom(scope, at, end),
      state: 'moving',
      changes: parts[0]!,
      parts: parts.length,
    };
    for (const [index, text] of parts.entries())
      if (index > 0)
        await this.#records.insertOne({ ...move, _id: partId(move, index), state: 'part', changes: text }, inTime());
    try {
      await this.#records.insertOne(move, inTime());
    } catch (error) {
      if (failureOf(error) !== 'duplicate') throw error;
      await this.#deleteParts(move);
      return undefined;
    }
    // Old epochs are deleted, so one of them could be inserted again, by a process that slept long: it leads nowhere.
    if (isNewest(move, await this.last(scope))) return move;
    await this.#records.deleteOne({ _id: move._id }, inTime());
    await this.#deleteParts(move);
    return undefined;
  }

  /** The changes of a move. Undefined when it has been made and cleared away. */
  async changes(move: MoveRecord): Promise<readonly Change[] | undefined> {
    const ids = [move._id, ...Array.from({ length: move.parts - 1 }, (_, index) => partId(move, index + 1))];
    const found = await Promise.all(ids.map((_id) => this.#records.findOne({ _id }, inTime())));
    if (found.some((part) => part?.by !== move.by)) return undefined;
    return storedJson(found.map((part) => part?.changes).join(''));
  }

  /** Records that the changes of a move are made, and forgets what is not needed any more. */
  async end(move: MoveRecord): Promise<LastMove> {
    const moved: MoveRecord = { ...move, _id: `${move._id}/moved`, state: 'moved', changes: '', parts: 0 };
    await this.#records.insertOne(moved, inTime()).catch((error: unknown) => {
      if (failureOf(error) !== 'duplicate') throw error;
    });
    await this.#deleteParts(move);
    const { scope, epoch } = move;
    await this.#records.deleteMany({ scope, $or: [{ epoch: { $lt: epoch } }, { _id: move._id }] }, inTime());
    return ended(move);
  }

  async #newest(scopes: readonly string[]): Promise<readonly LastMove[]> {
    const filter = { scope: { $in: [...new Set(scopes)] }, state: { $in: ['moving' as const, 'moved' as const] } };
    const found = await this.#records.find(filter, { projection: { changes: 0 }, ...inTime() }).toArray();
    // A move that is made counts as made, even when its beginning is still there.
    found.sort((a, b) => a.epoch - b.epoch || (a.state === 'moved' ? 1 : -1));
    const newest = new Map(found.map((move) => [move.scope, move]));
    return scopes.map((scope) => {
      const move = newest.get(scope);
      if (!move) return nowhere;
      const { epoch, from, by, state } = move;
      return state === 'moved' ? ended(move) : { epoch, position: from, by, pending: move };
    });
  }

  async #makeSteps(moves: readonly MoveRecord[]): Promise<readonly (LastMove | undefined)[]> {
    await this.#records.insertMany([...moves], { ordered: false, ...inTime() }).catch((error: unknown) => {
      if (failureOf(error) !== 'duplicate') throw error;
    });
    const newest = await this.#newest(moves.map(({ scope }) => scope));
    const made = await Promise.all(moves.map((move, index) => this.#stepMade(move, newest[index]!, moves.length > 1)));
    for (const [index, { scope, epoch }] of moves.entries()) if (made[index]) this.#stepped.set(scope, epoch);
    await this.#clean();
    return made;
  }

  async #stepMade(move: MoveRecord, newest: LastMove, isOneOfMany: boolean): Promise<LastMove | undefined> {
    const { _id, epoch, by } = move;
    if (isNewest(move, newest)) return ended(move);
    // FerretDB stops at the first duplicate: what stands behind it was not inserted.
    if (newest.epoch < epoch && isOneOfMany) return (await this.#makeSteps([move]))[0];
    // As in `begin`: an old epoch leads nowhere.
    await this.#records.deleteOne({ _id, by }, inTime());
    return undefined;
  }

  /** Deletes old steps now and then, in one command. What is not deleted now is deleted with the next ones. */
  async #clean(): Promise<void> {
    this.#commands += 1;
    if (this.#commands % cleanEvery > 0) return;
    const old = Array.from(this.#stepped, ([scope, epoch]) => ({ scope, epoch: { $lt: epoch } }));
    this.#stepped.clear();
    if (old.length > 0) await this.#records.deleteMany({ $or: old }, inTime()).catch(() => undefined);
  }

  async #deleteParts(move: MoveRecord): Promise<void> {
    for (let index = 1; index < move.parts; index += 1)
      await this.#records.deleteOne({ _id: partId(move, index) }, inTime());
  }
}

/** What all states of a move have in common. */
function moveFrom(scope: string, at: LastMove, end: number | Checkpoint) {
  const epoch = at.epoch + 1;
  const { position, commitId } = checkpointFrom(end);
  return {
    _id: `${scope}/${epoch}`,
    scope,
    epoch,
    from: at.position,
    to: position,
    ...(commitId === undefined ? {} : { commit: commitId }),
    by: randomUUID(),
  };
}

const isNewest = ({ epoch, by }: MoveRecord, newest: LastMove): boolean => newest.epoch === epoch && newest.by === by;

const ended = ({ epoch, to, commit, by }: MoveRecord): LastMove => ({
  epoch,
  position: to,
  ...(commit ? { commitId: commit } : {}),
  by,
});

const partId = (move: MoveRecord, index: number): string => `${move._id}/${move.by}/${index}`;

function inParts(text: string): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length || from === 0;) {
    let to = Math.min(from + partLength, text.length);
    // A pair of surrogates is one character to the server.
    if (/[\ud800-\udbff]/.test(text.charAt(to - 1)) && to < text.length) to -= 1;
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts;
}
