import type { FactSource } from '@lyceum/contracts';
import type { Collection, Documents, Write } from '@lyceum/documents';
import type { Checkpoint } from '@lyceum/kernel';

/** Where news of trust comes from: a lane of a source, in one epoch of its log. */
export interface Part {
  readonly key: string;
  readonly source: FactSource;
  readonly lane: number;
  readonly epoch: string;
  /** The place that is stored, and the one that is known. */
  stored: number;
  known: Checkpoint;
  readonly writes: Map<string, Write>;
  /** When stored pieces end, milliseconds. */
  readonly ends: Map<string, number>;
}

/** Where in a source a message is. */
export interface Place extends Checkpoint {
  readonly lane: number;
}

type Where = NonNullable<Parameters<Documents['query']>[2]['where']>;

/** One piece of what is kept. */
type Piece = Awaited<ReturnType<Documents['query']>>['items'][number];

/** Under what the places of a source are stored, in one epoch of its log. */
export const keyOf = (source: FactSource, epoch: string): string => `${source}@${epoch}`;

/** The pieces of lanes of a source, in one epoch of its log. */
const pieceOf = (source: FactSource, epoch: string, lanes: readonly number[]): Where => [
  { field: 'source', is: source },
  { field: 'life', is: epoch },
  { field: 'lane', in: lanes },
];

/**
 * What is kept of trust: a document for each piece, by source, epoch of its log and lane. A release that keeps more kinds
 * of pieces has another version: what one before has stored may be past an event of which it kept nothing.
 */
export const collection: Collection = {
  name: 'trust',
  version: 3,
  fields: { source: 'text', life: 'text', lane: 'number' },
};

/** Trust is kept for all schools together, under a tenant that none of them can be. */
export const tenant = '_platform';

/** Where it is kept that nothing of an epoch is missing: no lane, so that releases before do not look there. */
export const completeLane = -1;

const pageSize = 200;

/** All pieces for which the conditions hold. */
export async function* found(documents: Documents, ...where: Where) {
  let after: { value: string; id: string } | undefined;
  for (;;) {
    const query = { where, limit: pageSize, ...(after ? { after } : {}) };
    const { items, more } = await documents.query(collection, tenant, query);
    yield* items;
    const last = items.at(-1)?.id;
    if (!more || last === undefined) return;
    after = { value: last, id: last };
  }
}

/**
 * What is stored of a lane, and its place. The place is read first: what is added meanwhile comes once more. When another
 * process discards the lane meanwhile, the place goes back with the pieces, and both are read again.
 */
export async function storedLane(
  documents: Documents,
  source: FactSource,
  epoch: string,
  lane: number,
): Promise<{ readonly known: Checkpoint; readonly pieces: readonly Piece[] }> {
  const key = keyOf(source, epoch);
  for (;;) {
    const known = await documents.checkpointOf(collection, key, lane);
    const pieces: Piece[] = [];
    for await (const piece of found(documents, ...pieceOf(source, epoch, [lane]))) pieces.push(piece);
    const now = await documents.checkpointOf(collection, key, lane);
    const isSame = now.position === known.position && now.commitId === known.commitId;
    if (isSame || now.position > known.position) return { known, pieces };
  }
}

/** Deletes the pieces of a lane. Its place goes back with them: whoever went on from there would lack them for ever. */
export async function discard(documents: Documents, source: FactSource, epoch: string, lane: number): Promise<void> {
  const key = keyOf(source, epoch);
  const stored = await documents.checkpoint(collection, key, lane);
  const gone: Write[] = [];
  for await (const { id } of found(documents, ...pieceOf(source, epoch, [lane, completeLane])))
    gone.push({ tenant, id, body: null });
  await documents.apply(collection, key, lane, stored, 0, gone);
}

/** Deletes what a source said in other epochs of its log. */
export async function deleteOtherEpochs(documents: Documents, source: FactSource, epoch: string): Promise<void> {
  const lanes = new Map<string, Set<number>>();
  for (const other of [{ below: epoch }, { above: epoch }])
    for await (const { body } of found(documents, { field: 'source', is: source }, { field: 'life', ...other })) {
      const life = String(body['life']);
      // With the first lane goes the note that nothing is missing: a start goes by it no more.
      lanes.set(life, (lanes.get(life) ?? new Set([0])).add(Number(body['lane'])));
    }
  for (const [life, all] of lanes)
    for (const lane of all) if (lane !== completeLane) await discard(documents, source, life, lane);
}
