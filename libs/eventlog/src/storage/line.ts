import { storedJson } from '@lyceum/kernel';
import { crc32 } from 'node:zlib';
import type { StoredCommit } from './store.ts';

type Head = [
  lane: number,
  position: number,
  tenant: string,
  commitId: string,
  prev: string,
  fingerprint: string,
  at: string,
  streams: [id: string, before: number, after: number][],
];

/** What JSON writes in another way than it is. */
// oxlint-disable-next-line no-control-regex -- control characters are among it
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/;

const plain = (text: string): boolean => !escaped.test(text);

const textOf = (commit: StoredCommit): string => `${headOf(commit)}\t${commit.meta}\t${commit.events}`;

/**
 * A commit as one line of text: JSON of what places it, a tab, its meta data, a tab, its events, a tab, the checksum of all
 * that. JSON has neither tab nor line feed. Lines of older releases end with the events, and those releases read no further.
 */
export function toLine(commit: StoredCommit): string {
  const text = textOf(commit);
  return `${text}\t${crc32(text)}`;
}

/** A number that all parts of a commit lead to (CRC-32): it shows damage, not intent. */
export const checksumOf = (commit: StoredCommit): number => crc32(textOf(commit));

/** The commit in a line that was stored; undefined when the line is damaged. */
export function storedLine(line: string | undefined): StoredCommit | undefined {
  if (line === undefined) return undefined;
  const end = line.lastIndexOf('\t');
  const sum = line.slice(end + 1);
  // A line of an older release ends with its events.
  if (!sum.startsWith('[') && sum !== String(crc32(line.slice(0, end)))) return undefined;
  try {
    const commit = fromLine(line);
    return isWhole(commit) ? commit : undefined;
  } catch {
    return undefined;
  }
}

const isWhole = ({ meta, events }: StoredCommit): boolean => meta.endsWith('}') && events.endsWith(']');

/** Names rarely need an escape, and then JSON put together by hand is several times as fast. */
function headOf(commit: StoredCommit): string {
  const { lane, position, tenant, commitId, prev, fingerprint, at } = commit;
  let isPlain = [tenant, commitId, prev, fingerprint, at].every(plain);
  let touched = '';
  for (const { id, before, after } of commit.streams) {
    isPlain &&= plain(id);
    touched += `${touched === '' ? '' : ','}["${id}",${before},${after}]`;
  }
  if (isPlain) return `[${lane},${position},"${tenant}","${commitId}","${prev}","${fingerprint}","${at}",[${touched}]]`;
  const streams = commit.streams.map(({ id, before, after }): Head[7][number] => [id, before, after]);
  return JSON.stringify([lane, position, tenant, commitId, prev, fingerprint, at, streams] satisfies Head);
}

/** The commit in a line. Throws a `SyntaxError` when the line is damaged. */
export function fromLine(line: string): StoredCommit {
  const [head, meta, events] = line.split('\t');
  if (head === undefined || meta === undefined || events === undefined) throw new SyntaxError('a commit is cut off');
  const [lane, position, tenant, commitId, prev, fingerprint, at, touched] = storedJson<Head>(head);
  const streams = touched.map(([id, before, after]) => ({ id, before, after }));
  return { lane, position, tenant, commitId, prev, fingerprint, at, meta, streams, events };
}
