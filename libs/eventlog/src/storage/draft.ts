import { CommitTooLarge } from '../errors.ts';
import { type Append, type Expectation, maxCommitBytes } from '../port.ts';

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
  const written: { readonly stream: string; count: number }[] = [];
  const rows = append.events.map(({ stream, type, schema, data }) => {
    let place = written.findIndex((each) => each.stream === stream);
    if (place < 0) place = written.push({ stream, count: 0 }) - 1;
    written[place]!.count += 1;
    return [place, type, schema, data];
  });
  if (!storable(tenant) || !storable(commitId) || !written.every(({ stream }) => storable(stream)))
    throw new TypeError('tenant, commit id and streams must be non-empty, well-formed text');

  const events = JSON.stringify(rows);
  const bytes = events.length * 3 > maxCommitBytes ? Buffer.byteLength(events) : 0;
  if (bytes > maxCommitBytes) throw new CommitTooLarge(`the commit has ${bytes} bytes, more than ${maxCommitBytes}`);

  const expectations = append.expectations.map(({ stream, version }) => ({ stream, version }));
  return { tenant, commitId, fingerprint, at, expectations, written, meta: JSON.stringify(append.meta), events };
}

/** Engines end text at NUL or replace lone surrogates: two names would become one. */
const storable = (name: string): boolean => name !== '' && (!suspicious.test(name) || !/[\0\p{Surrogate}]/u.test(name));

/** Found in few names, and looked for several times as fast as halves of a pair. */
// oxlint-disable-next-line no-control-regex -- NUL is among it
const suspicious = /[\0\ud800-\udfff]/;
