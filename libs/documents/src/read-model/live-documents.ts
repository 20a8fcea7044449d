import { collectionKey } from '../collection/declaration.ts';
import { type Build, type Pointer, Pointers, collectionOf } from './pointers.ts';
import type { Collection, Documents } from '../port.ts';

/** How a reader follows the pointers. */
export interface LiveOptions {
  /** Milliseconds that a pointer is believed without looking again; 500 when not given. */
  readonly ttl?: number;
}

/** Documents whose reads go to the live build of a read model. */
export interface LiveDocuments extends Documents {
  /** The collection that a read of this one goes to now. */
  live(collection: Collection): Promise<Collection>;
  /** The store itself, where every name means exactly one collection. */
  readonly stored: Documents;
  /** Looks at the pointers anew at the next read. */
  refresh(): void;
}

/** Waiting looks this often whether the pointer has moved. */
const slice = 100;

/**
 * Reads go to the build that the pointer names, so a rebuild never takes a read model away: the version that the caller
 * declares if it is complete, else an older one that declares all its fields, else the one being built. `open`, `apply`
 * and `drop` go to exactly the collection that they name.
 */
export async function liveDocuments(documents: Documents, { ttl = 500 }: LiveOptions = {}): Promise<LiveDocuments> {
  const pointers = await Pointers.open(documents);
  const known = new Map<string, { readonly collection: Promise<Collection>; readonly until: number }>();
  const opened = new Set<string>();

  const resolve = async (collection: Collection): Promise<Collection> => {
    const chosen = chosenOf(await pointers.read(collection.name), collection);
    if (chosen !== collection && !opened.has(collectionKey(chosen))) {
      await documents.open(chosen);
      opened.add(collectionKey(chosen));
    }
    return chosen;
  };
  const live = (collection: Collection): Promise<Collection> => {
    const key = collectionKey(collection);
    const cached = known.get(key);
    if (cached && performance.now() < cached.until) return cached.collection;
    const resolved = resolve(collection);
    known.set(key, { collection: resolved, until: performance.now() + ttl });
    resolved.catch(() => known.delete(key));
    return resolved;
  };

  return {
    ...(documents.exclusive ? { exclusive: true } : {}),
    live,
    stored: documents,
    refresh: () => known.clear(),
    open: (collection) => documents.open(collection),
    drop: (collection) => documents.drop(collection),
    apply: (...write) => documents.apply(...write),
    checkpoint: async (collection, source, lane) => documents.checkpoint(await live(collection), source, lane),
    checkpointOf: async (collection, source, lane) => documents.checkpointOf(await live(collection), source, lane),
    get: async (collection, tenant, id) => documents.get(await live(collection), tenant, id),
    query: async (collection, tenant, query) => documents.query(await live(collection), tenant, query),
    tenants: async (collection, after) => documents.tenants(await live(collection), after),
    async waitFor(collection, source, lane, position, timeout) {
      const end = performance.now() + timeout;
      for (;;) {
        const left = end - performance.now();
        const wait = Math.max(0, Math.min(slice, left));
        if (await documents.waitFor(await live(collection), source, lane, position, wait)) return true;
        if (left <= slice) return false;
      }
    },
    scrub: async () => documents.scrub?.(),
    close: () => documents.close(),
  };
}

/** The store behind live documents; any other documents are their own. */
export const storedOf = (documents: Documents): Documents =>
  'stored' in documents ? (documents as LiveDocuments).stored : documents;

/** The build for a reader that declares `wanted`. */
function chosenOf(pointer: Pointer, wanted: Collection): Collection {
  const { building } = pointer;
  const build = liveBuild(pointer, wanted) ?? (building?.version === wanted.version ? building : undefined);
  return build ? collectionOf(wanted.name, build) : wanted;
}

/** The complete build for a reader that declares `wanted`; undefined while there is none. */
export function liveBuild({ live, kept }: Pointer, { version, fields }: Collection): Build | undefined {
  if (live?.version === version) return live;
  const own = kept.filter((build) => build.complete && build.version === version).at(-1);
  return own ?? (live && covers(live.fields, fields) ? live : undefined);
}

/** Whether a build declares every field that a reader may ask for. */
export const covers = (has: Collection['fields'], wants: Collection['fields']): boolean =>
  Object.entries(wants).every(([field, kind]) => Object.hasOwn(has, field) && has[field] === kind);
