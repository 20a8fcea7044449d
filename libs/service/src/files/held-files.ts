import { fileReferenceEvents, fileReferenceOf } from '@lyceum/contracts';
import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import type { Ports } from '@lyceum/web';
import { z } from 'zod';
import type { Slice } from '../slice.ts';
import { knownFiles } from './known-files.ts';

const held: Collection = { name: 'file-holders', version: 1, fields: {} };

interface HeldFile {
  /** Ids of the things that name it. */
  readonly holders: readonly string[];
}

/** The files that a service's own things name. */
const heldFiles: Projection = {
  collection: held,
  key: (event) => fileReferenceOf(event)?.data.file_id,
  project(recorded, before): Document | null {
    const event = fileReferenceOf(recorded);
    if (!event) return before ?? null;
    const { holder_id } = event.data;
    const others = (rowAs<HeldFile & Document>(before)?.holders ?? []).filter((id) => id !== holder_id);
    const holders = event.type === 'FileReferenced' ? [...others, holder_id] : others;
    return holders.length === 0 ? null : { holders };
  },
};

const question = z.object({ school: z.string(), ids: z.array(z.string()).max(200) });

/** Those of some files that the service's things name: the media service asks before it deletes one. */
async function answerHeldFiles(asked: unknown, { documents }: Pick<Ports, 'documents'>) {
  const { school, ids } = question.parse(asked);
  const rows = await Promise.all(ids.map((id) => documents.get(held, school, id)));
  return { held: ids.filter((_id, index) => rows[index] !== undefined) };
}

/** The part of a service whose things name files: which files there are, and which of them something names. */
export const fileSlice: Slice = {
  name: 'files',
  operations: [],
  events: fileReferenceEvents,
  projections: [heldFiles],
  follows: [{ source: 'media', projection: knownFiles }],
  toFact: fileReferenceOf,
  answers: { 'held-files': answerHeldFiles },
};
