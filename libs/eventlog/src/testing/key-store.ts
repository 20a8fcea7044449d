import { describe, expect, test } from '@jest/globals';
import type { KeyStore } from '../keys/key-store.ts';

/** A key store under test, and how to get rid of it. */
export interface OpenedKeyStore {
  readonly store: KeyStore;
  /** Closes the store and opens the same storage again. Absent when nothing outlives the process. */
  readonly reopen?: () => Promise<KeyStore>;
  readonly dispose: () => Promise<void>;
}

const [school, other] = ['school_a', 'school_b'];
const ada = { tenant: school, subject: 'account_1' };
const destroyed = { wrapped: null };

/** The conformance suite of the `KeyStore` port: every adapter passes it. `open` gives an empty store. */
export function testKeyStore(name: string, open: () => Promise<OpenedKeyStore>): void {
  const withStore = (work: (store: KeyStore, opened: OpenedKeyStore) => Promise<void>) => async () => {
    const opened = await open();
    try {
      await work(opened.store, opened);
    } finally {
      await opened.dispose();
    }
  };

  describe(`${name} is a key store`, () => {
    test(
      'the subjects of a school are listed in order, page by page, with those that are destroyed',
      withStore(async (store) => {
        await store.add({ tenant: school }, 'own');
        await store.add({ tenant: other, subject: 'account_0' }, 'another');
        for (const n of [3, 1, 2]) await store.add({ tenant: school, subject: `account_${n}` }, `key ${n}`);
        await store.destroy({ tenant: school, subject: 'account_2' });
        expect(await store.subjects(school, '', 2)).toEqual([
          { subject: 'account_1', wrapped: 'key 1' },
          { subject: 'account_2', wrapped: null },
        ]);
        expect(await store.subjects(school, 'account_2', 2)).toEqual([{ subject: 'account_3', wrapped: 'key 3' }]);
        await store.destroy({ tenant: school });
        expect(await store.subjects(school, '', 2)).toEqual([]);
      }),
    );

    test(
      'a slot is empty until a key is added, and then keeps the first one',
      withStore(async (store) => {
        expect(await store.get(ada)).toBeUndefined();
        expect(await store.add(ada, 'first')).toEqual({ wrapped: 'first' });
        expect(await store.add(ada, 'second')).toEqual({ wrapped: 'first' });
        expect(await store.get(ada)).toEqual({ wrapped: 'first' });
        expect(await store.get({ tenant: school })).toBeUndefined();
        expect(await store.get({ ...ada, tenant: other })).toBeUndefined();
      }),
    );

    test(
      'of many that add a key at once, one wins for all',
      withStore(async (store) => {
        const racers = Array.from({ length: 16 }, (_, n) => store.add(ada, `key ${n}`));
        const winners = new Set((await Promise.all(racers)).map(({ wrapped }) => wrapped));
        expect(winners.size).toBe(1);
        expect(await store.get(ada)).toEqual({ wrapped: [...winners][0] });
      }),
    );

    test(
      'a key is replaced only by who knows it',
      withStore(async (store) => {
        await store.add({ tenant: school }, 'old');
        expect(await store.replace({ tenant: school }, 'else', 'new')).toBe(false);
        expect(await store.replace({ tenant: school }, 'old', 'new')).toBe(true);
        expect(await store.replace({ tenant: school }, 'old', 'newer')).toBe(false);
        expect(await store.get({ tenant: school })).toEqual({ wrapped: 'new' });
        expect(await store.replace({ tenant: school }, 'new', 'newer')).toBe(true);
        const racers = ['a', 'b', 'c', 'd'].map((to) => store.replace({ tenant: school }, 'newer', to));
        expect((await Promise.all(racers)).filter(Boolean)).toHaveLength(1);
        expect(await store.replace(ada, 'none', 'new')).toBe(false);
      }),
    );

    test(
      'a destroyed key is gone for ever, also one that never was; its neighbours stay',
      withStore(async (store) => {
        const neighbour = { tenant: school, subject: 'account_2' };
        const never = { tenant: school, subject: 'account_3' };
        await store.add(ada, 'key');
        await store.add(neighbour, 'key');
        for (const slot of [ada, ada, never]) await store.destroy(slot);
        for (const slot of [ada, never]) {
          expect(await store.get(slot)).toEqual(destroyed);
          expect(await store.add(slot, 'again')).toEqual(destroyed);
          expect(await store.replace(slot, 'key', 'again')).toBe(false);
        }
        expect(await store.get(neighbour)).toEqual({ wrapped: 'key' });
      }),
    );

    test(
      'a key that is added while its slot is destroyed does not stay',
      withStore(async (store) => {
        for (let n = 0; n < 20; n += 1) {
          const slot = { tenant: school, subject: `account_${n}` };
          await Promise.all([store.add(slot, 'key'), store.destroy(slot), store.add(slot, 'another')]);
          expect(await store.get(slot)).toEqual(destroyed);
        }
      }),
    );

    test(
      'destroying a school takes the keys of all its subjects along, for ever, and no other school',
      withStore(async (store) => {
        await store.add({ tenant: school }, 'school key');
        await store.add(ada, 'key');
        await store.add({ ...ada, tenant: other }, 'key');
        await store.destroy({ tenant: school });
        for (const slot of [{ tenant: school }, ada, { tenant: school, subject: 'new' }]) {
          expect(await store.get(slot)).toEqual(destroyed);
          expect(await store.add(slot, 'again')).toEqual(destroyed);
        }
        expect(await store.get({ ...ada, tenant: other })).toEqual({ wrapped: 'key' });
      }),
    );

    test(
      'lists the schools that have a key, in order, page by page',
      withStore(async (store) => {
        for (const n of [3, 1, 4, 2]) await store.add({ tenant: `school_${n}` }, `key ${n}`);
        await store.add(ada, 'a subject is no school');
        await store.replace({ tenant: 'school_3' }, 'key 3', 'new 3');
        await store.destroy({ tenant: 'school_2' });
        const first = await store.schools('', 2);
        expect(first).toEqual([
          { tenant: 'school_1', wrapped: 'key 1' },
          { tenant: 'school_3', wrapped: 'new 3' },
        ]);
        expect(await store.schools('school_3', 2)).toEqual([{ tenant: 'school_4', wrapped: 'key 4' }]);
        expect(await store.schools('school_4', 2)).toEqual([]);
      }),
    );

    test(
      'remembers which erasures have been told, and nothing else as such',
      withStore(async (store) => {
        const second = { tenant: other, subject: 'account_2' };
        await store.add({ tenant: school, subject: 'alive' }, 'key');
        await store.markReported({ tenant: school, subject: 'alive' });
        expect(await store.unreported(10)).toEqual([]);
        await store.add(ada, 'key');
        await store.destroy(ada);
        await store.destroy(second);
        expect(await store.unreported(1)).toHaveLength(1);
        expect(await store.unreported(10)).toEqual(expect.arrayContaining([ada, second]));
        await store.markReported(ada);
        await store.markReported(ada);
        expect(await store.unreported(10)).toEqual([second]);
        await store.destroy(ada);
        expect(await store.unreported(10)).toEqual([second]);
        expect(await store.get(ada)).toEqual(destroyed);
      }),
    );

    test(
      'E-A3: keeps how far the lanes of a log were searched for erasures, by log epoch, through a restart',
      withStore(async (store, { reopen }) => {
        expect(await store.searched('first', 0)).toBeUndefined();
        await store.saveSearched('first', 0, { position: 7, commitId: 'seven' });
        await store.saveSearched('first', 1, { position: 2, commitId: 'two' });
        await store.saveSearched('first', 0, { position: 9, commitId: 'nine' });
        const kept = (await reopen?.()) ?? store;
        expect(await kept.searched('first', 0)).toEqual({ position: 9, commitId: 'nine' });
        expect(await kept.searched('first', 1)).toEqual({ position: 2, commitId: 'two' });
        expect(await kept.searched('second', 0)).toBeUndefined();
        const racers = [1, 2, 3, 4].map((position) => kept.saveSearched('first', 2, { position, commitId: 'any' }));
        await Promise.all(racers);
        expect((await kept.searched('first', 2))?.commitId).toBe('any');
      }),
    );

    test(
      'what was resolved is there when the storage is opened again',
      withStore(async (store, { reopen }) => {
        if (!reopen) return expect(await store.get(ada)).toBeUndefined();
        await store.add({ tenant: school }, 'school key');
        await store.add(ada, 'key');
        await store.destroy({ tenant: school, subject: 'gone' });
        const again = await reopen();
        expect(await again.get({ tenant: school })).toEqual({ wrapped: 'school key' });
        expect(await again.get(ada)).toEqual({ wrapped: 'key' });
        expect(await again.get({ tenant: school, subject: 'gone' })).toEqual(destroyed);
        expect(await again.unreported(2)).toEqual([{ tenant: school, subject: 'gone' }]);
      }),
    );
  });
}
