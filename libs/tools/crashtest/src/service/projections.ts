import { createHash } from 'node:crypto';
import type { Document, Incoming, Projection } from '@lyceum/documents';

/** The document after an event: how many there were, and a digest of all of them in their order. */
export function chained(event: Pick<Incoming, 'stream' | 'version' | 'data'>, before: Document | undefined): Document {
  const { stream, version, data } = event;
  const text = JSON.stringify([before?.['digest'] ?? '', stream, version, data]);
  const count = ((before?.['count'] as number | undefined) ?? 0) + 1;
  return { count, digest: createHash('sha1').update(text).digest('hex'), labels: [stream, `v${version}`] };
}

const digestOf = (name: string, key: (event: Pick<Incoming, 'stream'>) => string): Projection => ({
  collection: { name, version: 1, fields: { count: 'number', digest: 'text', labels: 'set' } },
  key,
  project: chained,
});

/** The owner's read model: a document per account. */
export const accounts = digestOf('accounts', ({ stream }) => stream);

/** The consumer's read model: one document per school, so it depends on the order of all of the school's facts. */
export const diary = digestOf('diary', () => 'diary');
