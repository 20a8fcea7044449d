import type { KeyStore, Searched, Slot, StoredKey } from './key-store.ts';

interface Kept extends StoredKey {
  readonly slot: Slot;
  readonly reported: boolean;
}

/** A key store in the memory of this process, for tests and services without data. */
export function memoryKeyStore(): KeyStore {
  const kept = new Map<string, Kept>();
  const searches = new Map<string, Searched>();
  const key = ({ tenant, subject }: Slot): string =>
    JSON.stringify(subject === undefined ? [tenant] : [tenant, subject]);
  const put = (slot: Slot, wrapped: string | null, reported = false): void =>
    void kept.set(key(slot), { slot, wrapped, reported });
  const closed = ({ tenant }: Slot): boolean => kept.get(key({ tenant }))?.wrapped === null;
  const get = (slot: Slot): StoredKey | undefined => {
    if (closed(slot)) return { wrapped: null };
    const found = kept.get(key(slot));
    return found && { wrapped: found.wrapped };
  };

  return {
    get: async (slot) => get(slot),
    async add(slot, wrapped) {
      const before = get(slot);
      if (!before) put(slot, wrapped);
      return before ?? { wrapped };
    },
    async replace(slot, from, to) {
      if (get(slot)?.wrapped !== from) return false;
      put(slot, to);
      return true;
    },
    async destroy(slot) {
      if (slot.subject === undefined)
        for (const [name, each] of kept) if (each.slot.tenant === slot.tenant) kept.delete(name);
      if (get(slot)?.wrapped !== null) put(slot, null);
    },
    async schools(after, limit) {
      return [...kept.values()]
        .flatMap(({ slot: { tenant, subject }, wrapped }) =>
          subject === undefined && wrapped !== null ? [{ tenant, wrapped }] : [],
        )
        .filter(({ tenant }) => tenant > after)
        .sort((one, other) => (one.tenant < other.tenant ? -1 : 1))
        .slice(0, limit);
    },
    async subjects(tenant, after, limit) {
      const own = [...kept.values()].filter(({ slot }) => slot.tenant === tenant);
      return own
        .flatMap(({ slot: { subject }, wrapped }) => (subject === undefined ? [] : [{ subject, wrapped }]))
        .filter(({ subject }) => subject > after)
        .sort((one, other) => (one.subject < other.subject ? -1 : 1))
        .slice(0, limit);
    },
    async unreported(limit) {
      const waiting = [...kept.values()].filter(({ wrapped, reported }) => wrapped === null && !reported);
      return waiting
        .flatMap(({ slot: { tenant, subject } }) => (subject === undefined ? [] : [{ tenant, subject }]))
        .slice(0, limit);
    },
    async markReported(slot) {
      if (kept.get(key(slot))?.wrapped === null) put(slot, null, true);
    },
    searched: async (epoch, lane) => searches.get(`${epoch} ${lane}`),
    saveSearched: async (epoch, lane, searched) => void searches.set(`${epoch} ${lane}`, searched),
    close: async () => kept.clear(),
  };
}
