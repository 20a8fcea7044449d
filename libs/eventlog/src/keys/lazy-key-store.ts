import type { KeyStore } from './key-store.ts';

/** A key store that is opened by its first use, so that a service without personal data never has one. */
export function lazyKeyStore(open: () => Promise<KeyStore>): KeyStore {
  let opening: Promise<KeyStore> | undefined;
  const store = (): Promise<KeyStore> => {
    opening ??= open().catch((error: unknown) => {
      // The next use tries again.
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    get: async (slot) => (await store()).get(slot),
    add: async (slot, wrapped) => (await store()).add(slot, wrapped),
    replace: async (slot, from, to) => (await store()).replace(slot, from, to),
    destroy: async (slot) => (await store()).destroy(slot),
    schools: async (after, limit) => (await store()).schools(after, limit),
    subjects: async (tenant, after, limit) => (await store()).subjects(tenant, after, limit),
    unreported: async (limit) => (await store()).unreported(limit),
    markReported: async (slot) => (await store()).markReported(slot),
    searched: async (epoch, lane) => (await store()).searched(epoch, lane),
    saveSearched: async (epoch, lane, searched) => (await store()).saveSearched(epoch, lane, searched),
    close: async () => (await opening)?.close(),
  };
}
