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

/** A commit as one line of text: JSON of what places it, a tab, its meta data, a tab, its events. JSON has neither tab nor line feed. */
export const toLine = (commit: StoredCommit): string => `${headOf(commit)}\t${commit.meta}\t${commit.events}`;

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
  const [lane, position, tenant, commitId, prev, fingerprint, at, touched] = JSON.parse(head) as Head;
  const streams = touched.map(([id, before, after]) => ({ id, before, after }));
  return { lane, position, tenant, commitId, prev, fingerprint, at, meta, streams, events };
}
