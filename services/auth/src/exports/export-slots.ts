import { Problem } from '@lyceum/web';
import type { Readable } from 'node:stream';

/** Downloads of one school at the same time, in this process: one of each account. */
const mostAtOnce = 4;

/** Milliseconds in which a download is to be taken: whoever takes longer keeps others from theirs. */
export const longestDownload = 600_000;

/** Whose downloads are under way, by school. */
const running = new Map<string, Set<string>>();

/** Begins a download, and gives what ends it. Throws while the account has another one, or the school has too many. */
export function takeSlot(school: string, account: string): () => void {
  const accounts = running.get(school) ?? new Set<string>();
  if (accounts.has(account)) throw busy('Your data is being downloaded already: try again when that is over');
  if (accounts.size >= mostAtOnce) throw busy('Others are downloading already: try again in a moment');
  running.set(school, accounts.add(account));
  return () => {
    accounts.delete(account);
    if (accounts.size === 0) running.delete(school);
  };
}

const busy = (description: string): Problem =>
  new Problem('temporarily_unavailable', description, { headers: { 'Retry-After': '10' } });

/** A download was broken off because it was not taken in time. */
export class TakenTooSlowly extends Error {
  override readonly name = 'TakenTooSlowly';
}

/** Destroys what is not taken within so many milliseconds, with `TakenTooSlowly`. */
export function endWithin(stream: Readable, milliseconds: number): void {
  const end = () => void stream.destroy(new TakenTooSlowly(`a download was not taken within ${milliseconds} ms`));
  const timer = setTimeout(end, milliseconds).unref();
  stream.once('close', () => clearTimeout(timer));
}
