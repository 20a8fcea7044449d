import type { Channel, History, Message } from '@lyceum/channel';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { laneOf } from '@lyceum/eventlog';
import { historyInKnownVersions } from './known-versions.ts';
import { LanePages, type PageReader, pageReader } from './lane-pages.ts';
import { Silences } from './silences.ts';

/** One commit's facts, as the owner's log has them. */
export type PublishedFacts = Pick<Message, 'position' | 'at' | 'facts'>;

/** What a service has published of a school. Everything is read from the owner's log; rejects while the owner does not answer. */
export interface FactHistory {
  /** Where the school's part of the log ends, and in which epoch of the log (see `EventLog.epoch`). */
  head(school: string): Promise<{ readonly position: number; readonly epoch?: string }>;
  /**
   * Facts of the school after a position, ascending, about `limit` commits. `reached`: up to here nothing is missing;
   * `more`: there is more than was looked at.
   */
  after(
    school: string,
    position: number,
    limit: number,
  ): Promise<{ readonly published: readonly PublishedFacts[]; readonly reached: number; readonly more: boolean }>;
  /** The position after which everything was published at this time or later (RFC 3339 UTC). */
  since(school: string, at: string): Promise<number>;
  /** Rings soon after something new was published of a school. Best effort: look now and then as well. */
  follow(ring: (school: string) => void): { close(): Promise<void> };
}

/** Pages that are read for one answer, at most: a lane is shared by many schools. */
const mostPages = 40;

/** When something was published here. What came with a school from elsewhere keeps its old times, which do not grow along a lane. */
const publishedAt = ({ at, arrived }: Message): string => arrived ?? at;

/** The history of a service, in the versions that this release knows; `find` is asked again until it succeeds. */
export function factHistory(
  source: string,
  channel: Pick<Channel, 'subscribe'>,
  find: () => Promise<History | undefined>,
): FactHistory {
  let known: History | undefined;
  const silences = new Silences();
  const pages = new LanePages();
  /** Readings that have not begun, by what is wanted: callers that want the same get the same answer. */
  const waiting = new Map<string, ReturnType<FactHistory['after']>>();
  const found = async (): Promise<History> => {
    if (known) return known;
    const history = await find();
    if (!history) throw new Error(`nothing gives the history of the ${source} service`);
    known ??= historyInKnownVersions(history);
    return known;
  };
  const headOf = async (history: History, lane: number) => {
    const { heads = [], epoch } = (await history.heads?.()) ?? {};
    return { position: heads[lane] ?? 0, ...(epoch === undefined ? {} : { epoch }) };
  };
  return {
    async head(school) {
      const history = await found();
      return headOf(history, laneOf(school, history.lanes));
    },
    async after(school, position, limit) {
      const history = await found();
      const lane = laneOf(school, history.lanes);
      const wanted = `${school} ${position} ${limit}`;
      const reading =
        waiting.get(wanted) ??
        inTurn(school, async () => {
          waiting.delete(wanted);
          const { position: head, epoch } = await headOf(history, lane);
          const read = pageReader(pages, history, lane, { head, epoch });
          return readLane(read, position, { school, limit, epoch, silences });
        });
      // Begun, it may miss what is published from now on; it begins at the earliest after this.
      waiting.set(wanted, reading);
      return reading;
    },
    async since(school, at) {
      const history = await found();
      const lane = laneOf(school, history.lanes);
      return inTurn(school, async () => {
        let [low, high] = [0, (await headOf(history, lane)).position];
        while (low < high) {
          const middle = Math.floor((low + high) / 2);
          const [next] = await history.backfill(lane, middle, 1);
          if (!next || publishedAt(next) >= at) high = middle;
          else low = next.position;
        }
        return low;
      });
    },
    follow(ring) {
      return channel.subscribe({
        consumer: 'changes',
        source,
        from: async (lane) => (await headOf(await found(), lane)).position,
        handle: async ({ tenant }) => ring(tenant),
      });
    },
  };
}

/** How many times as long as a piece of work took others have before the next one for the same school. */
const rest = 2;

/**
 * Work for a school waits for the work for it before: many readers of one school do not all read the same at once. Where
 * the log is in this process, nothing that work waits for lets others run; so there is a pause after each piece, and a
 * school uses a third of the process at most, however many readers it has.
 */
function oneByOne(): <T>(school: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (school, work) => {
    const timed = async () => {
      const began = performance.now();
      return { done: await work(), took: performance.now() - began };
    };
    const run = (last.get(school) ?? Promise.resolve()).then(timed);
    const settled = run
      .then(
        ({ took }) => delay(rest * took),
        () => nextTurn(),
      )
      .finally(() => last.get(school) === settled && last.delete(school));
    last.set(school, settled);
    return run.then(({ done }) => done);
  };
}

/** One turn for the histories of all services: they are often in one process. */
const inTurn = oneByOne();

/** What is wanted of a lane. */
interface LaneReading {
  readonly school: string;
  readonly limit: number;
  readonly epoch?: string | undefined;
  readonly silences: Silences;
}

/** Reads pages of a lane and keeps what is of one school; others have their turn between two pages. */
async function readLane(
  read: PageReader,
  after: number,
  { school, limit, epoch, silences }: LaneReading,
): ReturnType<FactHistory['after']> {
  const published: PublishedFacts[] = [];
  let reached = after;
  for (let page = 0; page < mostPages && published.length < limit; page += 1) {
    if (page > 0) await nextTurn();
    const from = silences.end(epoch, school, reached);
    const { messages, end, isLast } = await read(from);
    const own = messages.filter(({ tenant, position }) => tenant === school && position > from);
    published.push(...own);
    reached = end;
    const found = own.map(({ position }) => position);
    silences.looked(epoch, school, from, reached, found);
    if (isLast) return { published, reached, more: false };
  }
  return { published, reached, more: true };
}
