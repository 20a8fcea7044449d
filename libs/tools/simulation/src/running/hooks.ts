import type { InitializeHook, LoadHook } from 'node:module';

interface Change {
  readonly url: string;
  readonly from: string;
  readonly to: string;
}

let changes: readonly Change[] = [];

/** Node gives the changes to the thread that loads modules. */
export const initialize: InitializeHook<readonly Change[]> = (given) => void (changes = given);

/** Loads a module with its changes. */
export const load: LoadHook = async (url, context, next) => {
  const loaded = await next(url, context);
  const own = changes.filter((change) => change.url === url);
  if (own.length === 0) return loaded;
  const text = own.reduce((source, { from, to }) => source.replace(from, () => to), String(loaded.source));
  return { ...loaded, source: text };
};
