import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '@lyceum/web';
import type { FeedPage, Wanted } from './change.feed.ts';
import type { FeedPosition } from './change.cursor.ts';
import type { StreamOptions } from './change.stream.ts';
import { SignalWaiter } from './signal-waiter.ts';

/** Milliseconds between two looks at a long history. */
const between = 20;

/**
 * The first page that holds a change, or what there is when the time is over (milliseconds), the reader leaves or may not
 * read any more. A service that stops answering meanwhile is asked again; one that does not answer at all fails.
 */
export async function pageWithin(
  wait: number,
  from: FeedPosition,
  wanted: Wanted,
  { feed, signal, patience, gone, currentReader }: Omit<StreamOptions, 'codec' | 'requestId'>,
): Promise<FeedPage> {
  const until = Date.now() + wait;
  const waiter = new SignalWaiter({ signal, gone }, wanted.school);
  try {
    let page = await feed.read(from, wanted);
    while (page.steps.length === 0 && !gone.aborted && Date.now() < until) {
      // Facts of other schools are passed over at once, but not faster than others can be served meanwhile.
      if (page.more) await delay(between);
      else await waiter.waitFor(Math.min(patience.look, until - Date.now()), patience.currentReader, currentReader);
      const now = currentReader();
      if (now === 'over' || gone.aborted) return page;
      page = await feed.read(page.position, { ...wanted, reader: now }).catch(orElse(page));
    }
    return page;
  } finally {
    waiter.close();
  }
}

/** What is refused is refused; what fails leaves everything as it was, to be looked at a while later. */
const orElse =
  (page: FeedPage) =>
  (error: unknown): FeedPage => {
    if (error instanceof Problem) throw error;
    return { ...page, more: false };
  };
