import type { Logger } from 'pino';

/** Work beside the requests that a process serves. It may end early, and throw, once `signal` says that the process stops. */
export interface BackgroundWork {
  /** What it does, for the log. */
  readonly title: string;
  perform(signal: AbortSignal): Promise<void>;
}

/** Begins the work, if there is any, and says so in the log; closing lets it end before what it works on is closed. */
export function inBackground(work: BackgroundWork | undefined, logger: Logger): { close(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const done = work ? performed(work, signal, logger) : Promise.resolve();
  return {
    close() {
      stopping.abort();
      return done;
    },
  };
}

async function performed({ title, perform }: BackgroundWork, signal: AbortSignal, logger: Logger): Promise<void> {
  const began = performance.now();
  logger.info(`${title}: goes on in the background`);
  try {
    await perform(signal);
    if (!signal.aborted) logger.info({ duration_ms: Math.round(performance.now() - began) }, `${title}: complete`);
  } catch (err) {
    if (!signal.aborted) logger.warn({ err }, `${title}: interrupted; the next start goes on with it`);
  }
}
