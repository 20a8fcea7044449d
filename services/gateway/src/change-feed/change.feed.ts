import type { FactSource } from '@lyceum/contracts';
import { type Clock, isoTime } from '@lyceum/kernel';
import type { FactHistory, PublishedFacts } from '@lyceum/internal-api';
import { Problem } from '@lyceum/web';
import { type SourcePosition, type FeedPosition, gone } from './change.cursor.ts';
import { type Reader, type Shown, changeRules, shownTo } from './change.rules.ts';

/** What the feed is read from. */
export interface FeedOptions {
  readonly sources: ReadonlyMap<FactSource, FactHistory>;
  readonly clock: Clock;
  /** Milliseconds that changes can be read back. */
  readonly kept: number;
}

/** What a reader asks for. */
export interface Wanted {
  readonly school: string;
  readonly reader: Reader;
  /** Only these types; all when not given. */
  readonly types: ReadonlySet<string> | undefined;
  /** The most changes of one page. */
  readonly limit: number;
}

/** One change in its envelope. */
export interface Change {
  readonly specversion: '1.0';
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly subject: string;
  readonly time: string;
  readonly schoolid: string;
  readonly version: number;
  readonly data: Shown['data'];
}

/** A change, and where its reader is after it. */
export interface Step {
  readonly change: Change;
  readonly position: FeedPosition;
}

/** A part of the feed. `places`: where to go on; `more`: at once. */
export interface FeedPage {
  readonly steps: readonly Step[];
  readonly position: FeedPosition;
  readonly more: boolean;
}

/** What has become of a school, out of the logs of the services that own it. Keeps nothing itself. */
export class ChangeFeed {
  readonly #options: FeedOptions;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** The positions after everything. */
  now(school: string): Promise<FeedPosition> {
    return this.#each(async (history) => {
      const { position, epoch } = await history.head(school);
      return { position, facts: 0, epoch };
    });
  }

  /**
   * The positions before everything that is kept, but for sources of which `known` has a position. A source that gives no
   * answer has none: it is read from its oldest change once it answers.
   */
  async oldest(school: string, known: FeedPosition = {}): Promise<FeedPosition> {
    const from = isoTime(this.#options.clock.now() - this.#options.kept);
    const found = await this.#answered(async (source, history) => {
      if (known[source]) return [source, known[source]] as const;
      const { epoch } = await history.head(school);
      return [source, { position: await history.since(school, from), facts: 0, epoch }] as const;
    });
    return Object.fromEntries(found);
  }

  /**
   * The changes after the places, those of one source in their order, without those of a source that gives no answer, which
   * come later. Throws `gone` when a log has begun another epoch, in which the places mean nothing.
   */
  async read(position: FeedPosition, wanted: Wanted): Promise<FeedPage> {
    const start = await this.oldest(wanted.school, position);
    const parts = await this.#answered(async (source, history) => {
      const place = start[source];
      return place && this.#part(source, history, place, wanted);
    });
    return merge(
      parts.flatMap((part) => part ?? []),
      start,
      wanted,
    );
  }

  /** What is found in the sources that answer. Rejects when none does, or when one refuses. */
  async #answered<T>(find: (source: FactSource, history: FactHistory) => Promise<T>): Promise<readonly T[]> {
    const all = await Promise.allSettled([...this.#options.sources].map(([source, history]) => find(source, history)));
    const failed = all.flatMap((each) => (each.status === 'rejected' ? [each] : []));
    const decisive = failed.find(({ reason }) => reason instanceof Problem && reason.status < 500);
    if (decisive) throw decisive.reason;
    if (failed[0] && failed.length === all.length) throw failed[0].reason;
    return all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  }

  async #part(
    source: FactSource,
    history: FactHistory,
    place: SourcePosition,
    { school, limit }: Wanted,
  ): Promise<Part> {
    const head = await history.head(school);
    if (head.epoch !== place.epoch || head.position < place.position)
      throw gone('What the cursor points to was replaced by a backup');
    const { published, reached, more } = await history.after(school, place.position, limit);
    return { source, place, published, reached, more };
  }

  async #each(place: (history: FactHistory, source: FactSource) => Promise<SourcePosition>): Promise<FeedPosition> {
    const found = [...this.#options.sources].map(async ([source, history]) => [source, await place(history, source)]);
    return Object.fromEntries(await Promise.all(found)) as FeedPosition;
  }
}

/** What one source has published after a place. */
interface Part {
  readonly source: FactSource;
  readonly place: SourcePosition;
  readonly published: readonly PublishedFacts[];
  readonly reached: number;
  readonly more: boolean;
}

interface Occurrence {
  readonly source: FactSource;
  readonly at: string;
  readonly fact: PublishedFacts['facts'][number];
  readonly after: SourcePosition;
}

/** The facts of a source in their order, without those that the place says were seen. */
function* occurrences({ source, place, published }: Part): Generator<Occurrence> {
  let before = place;
  for (const { position, at, facts } of published) {
    for (const [index, fact] of facts.entries()) {
      if (index < before.facts) continue;
      const last = index === facts.length - 1;
      const after = last ? { ...place, position, facts: 0 } : { ...before, facts: index + 1 };
      yield {
        source,
        at,
        fact: isFirstShown(fact, facts) ? { ...fact, data: { ...(fact.data as object), unseen: true } } : fact,
        after,
      };
      before = after;
    }
    before = { ...place, position, facts: 0 };
  }
}

/** Whether a course is shown here for its publication: nobody can have found it in the lists before. */
const isFirstShown = (fact: PublishedFacts['facts'][number], others: PublishedFacts['facts']): boolean =>
  fact.type === 'CourseShown' &&
  others.some(({ type, subject }) => type === 'CoursePublished' && subject === fact.subject);

/** By time, as far as the order within each source allows it. */
function merge(parts: readonly Part[], start: FeedPosition, wanted: Wanted): FeedPage {
  const queues = parts.map((part) => [...occurrences(part)]);
  const steps: Step[] = [];
  let position = start;
  for (;;) {
    const heads = queues.flatMap(([head]) => head ?? []);
    const [any] = heads;
    if (!any) break;
    if (steps.length === wanted.limit) return { steps, position, more: true };
    const first = heads.reduce((a, b) => (b.at < a.at ? b : a), any);
    queues.find(([head]) => head === first)?.shift();
    position = { ...position, [first.source]: first.after };
    const change = changeOf(first, wanted);
    if (change) steps.push({ change, position });
  }
  const ends = parts.map(({ source, place, reached }) => [source, { ...place, position: reached, facts: 0 }] as const);
  return { steps, position: { ...start, ...Object.fromEntries(ends) }, more: parts.some(({ more }) => more) };
}

function changeOf({ source, at, fact }: Occurrence, { school, reader, types }: Wanted): Change | undefined {
  const shown = shownTo(reader, source, fact.type, fact.data);
  if (!shown || (types && !types.has(shown.type))) return undefined;
  const { id, version } = fact;
  const subject = changeRules[source][fact.type]!.subject(
    fact as { readonly subject: string; readonly data: Shown['data'] },
  );
  const envelope = { source: `/services/${source}`, subject, time: at, schoolid: school, version };
  return { specversion: '1.0', id, type: shown.type, ...envelope, data: shown.data };
}
