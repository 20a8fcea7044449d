import { type Append, CommitTooLarge, type Expectation, maxCommitBytes } from './port.ts';

/** An append turned into text the moment it is asked for, so later changes to the caller's objects cannot reach the log. */
export interface Draft {
  readonly tenant: string;
  readonly commitId: string;
  readonly fingerprint: string;
  readonly at: string;
  readonly expectations: readonly Expectation[];
  /** The streams written, in order of their first event, with the number of their events. */
  readonly written: readonly { readonly stream: string; readonly count: number }[];
  /** JSON of the meta data. */
  readonly meta: string;
  /** JSON `[[index in written, type, schema, data], …]`: ids and versions follow from the place in the log. */
  readonly events: string;
}

/** Checks and freezes an append. Throws `CommitTooLarge`; `TypeError` when it is malformed, which is a programming error. */
export function draft(append: Append): Draft {
  const { tenant, commitId, fingerprint, at } = append;
  if (append.events.length === 0) throw new TypeError('an append needs at least one event');
  const names = [tenant, commitId, ...append.events.map((event) => event.stream)];
  if (!names.every(storable)) throw new TypeError('tenant, commit id and streams must be non-empty, well-formed text');

  const counts = new Map<string, number>();
  for (const { stream } of append.events) counts.set(stream, (counts.get(stream) ?? 0) + 1);
  const index = new Map([...counts.keys()].map((stream, place) => [stream, place]));
  const events = JSON.stringify(append.events.map((e) => [index.get(e.stream), e.type, e.schema, e.data]));
  const bytes = Buffer.byteLength(events);
  if (bytes > maxCommitBytes) throw new CommitTooLarge(`the commit has ${bytes} bytes, more than ${maxCommitBytes}`);

  const expectations = append.expectations.map(({ stream, version }) => ({ stream, version }));
  const written = [...counts].map(([stream, count]) => ({ stream, count }));
  return { tenant, commitId, fingerprint, at, expectations, written, meta: JSON.stringify(append.meta), events };
}

/** Engines end text at NUL or replace lone surrogates: two names would become one. */
const storable = (name: string): boolean => name !== '' && !/[\0\p{Surrogate}]/u.test(name);
