import { setTimeout as delay } from 'node:timers/promises';
import type { Principal } from '@lyceum/oauth';
import { Problem, problemBody } from '@lyceum/web';
import type { ChangeFeed, FeedPage, Wanted } from './change.feed.ts';
import type { ChangeCursors, FeedPosition } from './change.cursor.ts';
import type { ChangeSignal } from './change-signal.ts';
import { SignalWaiter } from './signal-waiter.ts';

/** How long a stream waits, milliseconds. */
export interface Patience {
  /** How often it looks whether its reader may still read. */
  readonly currentReader: number;
  /** Looks for changes at the latest after this, when no signal comes. */
  readonly look: number;
  /** Sends a comment at the latest after this, so that no proxy takes it for dead. */
  readonly silence: number;
  /** How long a stream stays open, a little more or less: its reader comes back with `Last-Event-ID`. An hour when not given. */
  readonly duration?: number;
}

const hour = 3_600_000;

/** What a stream works with. */
export interface StreamOptions {
  readonly feed: Pick<ChangeFeed, 'read'>;
  readonly signal: Pick<ChangeSignal, 'listen'>;
  readonly codec: ChangeCursors;
  readonly patience: Patience;
  /** Aborted when the reader is gone, or the process stops. */
  readonly gone: AbortSignal;
  readonly requestId: string;
  /** The reader as of now: `undefined` is the public, `over` a reader whose token does not count any more. */
  readonly currentReader: () => Principal | undefined | 'over';
}

/**
 * Server-sent events, from the places on until the reader leaves or may not read any more. Each change is one event, its
 * id the cursor after it; silence is broken by a comment, with the cursor as far as nothing was missed. What cannot be
 * answered ends the stream with an event `error`.
 * @see HTML §9.2
 */
export async function* changeStream(
  from: FeedPosition,
  wanted: Wanted,
  options: StreamOptions,
): AsyncGenerator<string> {
  const { feed, codec, patience, gone, currentReader } = options;
  const waiter = new SignalWaiter(options, wanted.school);
  const idOf = (position: FeedPosition): string => `id: ${codec.seal(wanted.school, position)}\n`;
  let position = from;
  // Not all at the same time come back.
  const end = Date.now() + (patience.duration ?? hour) * (0.9 + Math.random() / 5);
  try {
    yield `retry: 2000\n${idOf(position)}: welcome\n\n`;
    let spoken = Date.now();
    while (!gone.aborted && Date.now() < end) {
      const reader = currentReader();
      if (reader === 'over') return;
      const page = await whileAllowed(readOr(feed, position, { ...wanted, reader }), options);
      if (page === 'over') return;
      if (page instanceof Problem) return yield failure(page, options.requestId);
      for (const { change, position: after } of page?.steps ?? []) {
        if (gone.aborted) return;
        yield `${idOf(after)}event: ${change.type}\ndata: ${JSON.stringify(change)}\n\n`;
        spoken = Date.now();
      }
      position = page?.position ?? position;
      if (page?.more) continue;
      const look = Math.min(Date.now() + patience.look, end);
      while (!gone.aborted && !waiter.isSignalled && Date.now() < look) {
        await waiter.wait(patience.currentReader);
        if (currentReader() === 'over') return;
        if (Date.now() - spoken < patience.silence) continue;
        yield `${idOf(position)}: nothing new\n\n`;
        spoken = Date.now();
      }
      waiter.isSignalled = false;
    }
    if (!gone.aborted) yield `retry: 2000\n${idOf(position)}: come back\n\n`;
  } finally {
    waiter.close();
  }
}

/** What is read, or `over` as soon as its reader may not read any more, or is gone. Reading goes on for nobody then. */
async function whileAllowed<Read>(
  reading: Promise<Read>,
  { patience, gone, currentReader }: Pick<StreamOptions, 'patience' | 'gone' | 'currentReader'>,
): Promise<Read | 'over'> {
  const isOver = (): boolean => gone.aborted || currentReader() === 'over';
  const waiting = new AbortController();
  const over = (async (): Promise<'over'> => {
    while (!isOver()) await delay(patience.currentReader, undefined, { signal: waiting.signal });
    return 'over';
  })();
  // It ends with the reading.
  over.catch(() => undefined);
  try {
    const read = await Promise.race([reading, over]);
    return isOver() ? 'over' : read;
  } finally {
    waiting.abort();
  }
}

/** A page; a problem that ends the stream; undefined when it is better to look again, because a service does not answer. */
async function readOr(
  feed: Pick<ChangeFeed, 'read'>,
  position: FeedPosition,
  wanted: Wanted,
): Promise<FeedPage | Problem | undefined> {
  try {
    return await feed.read(position, wanted);
  } catch (error) {
    return error instanceof Problem ? error : undefined;
  }
}

const failure = (problem: Problem, requestId: string): string =>
  `event: error\ndata: ${JSON.stringify(problemBody(problem, requestId, false))}\n\n`;
