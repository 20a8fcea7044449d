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

/** A commit as one line of text: JSON of what places it, a tab, its meta data, a tab, its events. JSON has neither tab nor line feed. */
export function toLine(commit: StoredCommit): string {
  const { lane, position, tenant, commitId, prev, fingerprint, at } = commit;
  const streams = commit.streams.map(({ id, before, after }): Head[7][number] => [id, before, after]);
  const head: Head = [lane, position, tenant, commitId, prev, fingerprint, at, streams];
  return `${JSON.stringify(head)}\t${commit.meta}\t${commit.events}`;
}

/** The commit in a line. Throws a `SyntaxError` when the line is damaged. */
export function fromLine(line: string): StoredCommit {
  const [head, meta, events] = line.split('\t');
  if (head === undefined || meta === undefined || events === undefined) throw new SyntaxError('a commit is cut off');
  const [lane, position, tenant, commitId, prev, fingerprint, at, touched] = JSON.parse(head) as Head;
  const streams = touched.map(([id, before, after]) => ({ id, before, after }));
  return { lane, position, tenant, commitId, prev, fingerprint, at, meta, streams, events };
}
