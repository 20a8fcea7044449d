import type { History, Message } from '@lyceum/channel';
import { BoundedMap } from '@lyceum/kernel';

/** Positions of a page; it begins at a multiple of them, so that readers who are at different places have the same pages. */
const pageSize = 100;
/** Messages that are remembered, at least. */
const mostMessages = 5_000;

/** What was published after the position at which a page begins, up to and with `end`. */
export interface LanePage {
  readonly messages: readonly Message[];
  readonly end: number;
  /** Nothing was published after `end` when it was read. */
  readonly isLast: boolean;
}

/** Pages of lanes that were read lately. What stands in a log never changes in one epoch of it, but it grows. */
export class LanePages {
  readonly #pages = new BoundedMap<string, LanePage>(mostMessages, ({ messages }) => 1 + messages.length);

  /** The page; `head`: where the lane ends. */
  get(key: string, head: number): LanePage | undefined {
    const page = this.#pages.get(key);
    return page && (!page.isLast || page.end === head) ? page : undefined;
  }

  keep(key: string, page: LanePage): void {
    this.#pages.set(key, page);
  }
}

/** Gives the page with what follows a position; it may begin before it. */
export type PageReader = (position: number) => Promise<LanePage>;

/** Reads pages of a lane, from memory where they are known. `head`: where the lane ended before the first page. */
export function pageReader(
  pages: LanePages,
  { backfill }: Pick<History, 'backfill'>,
  lane: number,
  { head, epoch }: { readonly head: number; readonly epoch?: string | undefined },
): PageReader {
  return async (position) => {
    const start = position - (position % pageSize);
    const key = `${epoch ?? ''} ${lane} ${start}`;
    const known = pages.get(key, head);
    if (known) return known;
    const messages = await backfill(lane, start, pageSize);
    const isLast = messages.length < pageSize;
    const end = Math.max(messages.at(-1)?.position ?? start, isLast ? head : 0);
    const page = { messages, end, isLast };
    pages.keep(key, page);
    return page;
  };
}
