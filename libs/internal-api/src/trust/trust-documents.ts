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

/** What is kept of trust: a document for each piece, by source, epoch of its log and lane. */
export const collection: Collection = {
  name: 'trust',
  version: 2,
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

/** What deletes all pieces for which the conditions hold. */
export async function deletions(documents: Documents, ...where: Where): Promise<readonly Write[]> {
  const gone: Write[] = [];
  for await (const { id } of found(documents, ...where)) gone.push({ tenant, id, body: null });
  return gone;
}
