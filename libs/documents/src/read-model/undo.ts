import { type Checkpoint, storedJson } from '@lyceum/kernel';
import { type Collection, type Documents, type Write, rowAs } from '../port.ts';

/** Where a build keeps what takes unfinished writes back: in its own collection, as a tenant that no school can be. */
const tenant = '_undo';

/** Characters of documents in one record, about: engines limit the size of what they store. */
const room = 500_000;

/** Documents as they were, as JSON: a field of theirs is none of the record's. */
interface UndoRecord {
  readonly before: string;
}

const idOf = (lane: number, number: number): string => `${lane}/${number}`;

/**
 * Records that take writes back, to be stored with these. They are numbered, beginning with `first`. The writes name in
 * `before` what they replace.
 */
export function recordsOf(lane: number, first: number, writes: readonly Write[]): readonly Write[] {
  const records: Write[] = [];
  let [part, size]: [Write[], number] = [[], 0];
  const keep = (): void => {
    const body = { before: JSON.stringify(part) } satisfies UndoRecord;
    records.push({ tenant, id: idOf(lane, first + records.length), body });
    [part, size] = [[], 0];
  };
  for (const write of writes) {
    const before = write.before ?? null;
    part.push({ tenant: write.tenant, id: write.id, body: before });
    size += before ? JSON.stringify(before).length : 0;
    if (size > room) keep();
  }
  if (part.length > 0) keep();
  return records;
}

/** Takes the first records of a lane away: what they would take back is complete. */
export const forgetting = (lane: number, records: number): readonly Write[] =>
  Array.from({ length: records }, (_, number) => ({ tenant, id: idOf(lane, number), body: null }));

/** Takes back what was written of a lane after its checkpoint `at`, the last first, so that it can be cut off again. */
export async function undo(
  documents: Documents,
  collection: Collection,
  { source, lane, at }: { readonly source: string; readonly lane: number; readonly at: Checkpoint },
): Promise<void> {
  const found: Write[] = [];
  for (let record = await read(0); record; record = await read(found.length)) found.push(record);
  for (const { id, body } of found.toReversed()) {
    const before = storedJson<readonly Write[]>(rowAs<UndoRecord>(body!).before);
    await documents.apply(collection, source, lane, at.position, at, [...before, { tenant, id, body: null }]);
  }

  async function read(number: number): Promise<Write | undefined> {
    const id = idOf(lane, number);
    const body = await documents.get(collection, tenant, id);
    return body && { tenant, id, body };
  }
}
