import type { FactOf } from '@lyceum/contracts';
import { type Collection, type Document, type Documents, type Projection, eventGuard, rowAs } from '@lyceum/documents';

const files: Collection = { name: 'files', version: 1, fields: {} };

/** A file as the media service published it. One that was rejected or deleted is known no longer. */
export interface KnownFile {
  readonly state: 'announced' | 'ready';
  readonly purpose: string;
  readonly access: 'public' | 'private';
  readonly content_type: string;
  /** Bytes. */
  readonly size: number;
  /** The account that announced it. */
  readonly owner_id: string;
}

type FileFact = Extract<FactOf<'media'>, { data: { file_id: string } }>;

const isFileFact = eventGuard<FileFact>('FileAnnounced', 'FileReady', 'FileRejected', 'FileDeleted');

/** The file after an integration event; null when there is none any more. */
function after(fact: FileFact, before: KnownFile | undefined): KnownFile | null {
  switch (fact.type) {
    case 'FileAnnounced': {
      const { purpose, access, content_type, size, owner_id } = fact.data;
      return { state: 'announced', purpose, access, content_type, size, owner_id };
    }
    case 'FileReady':
      return before ? { ...before, state: 'ready', content_type: fact.data.content_type } : null;
    case 'FileRejected':
    case 'FileDeleted':
      return null;
  }
}

/** The files of schools that a service's things may name, from the integration events of the media service. */
export const knownFiles: Projection = {
  collection: files,
  key: (fact) => (isFileFact(fact) ? fact.data.file_id : undefined),
  project(fact, before): Document | null {
    if (!isFileFact(fact)) return before ?? null;
    const file = after(fact, rowAs<KnownFile>(before));
    return file && { ...file };
  },
};

/** A file, as far as integration events have arrived. */
export const knownFile = async (
  documents: Pick<Documents, 'get'>,
  school: string,
  id: string,
): Promise<KnownFile | undefined> => rowAs<KnownFile>(await documents.get(files, school, id));
