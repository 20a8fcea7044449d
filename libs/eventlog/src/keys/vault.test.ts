import { describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { Erased } from '../errors.ts';
import { type Bound, decrypt, encrypt } from './cipher.ts';
import type { KeyStore } from './key-store.ts';
import { memoryKeyStore } from './memory-key-store.ts';
import { KeyMissing, KeyTaken, Vault } from './vault.ts';
import { WrappingKeyMissing } from './wrapping.ts';

const [oldRoot, newRoot] = [randomBytes(32), randomBytes(32)];
const bound: Bound = ['test'];

/** Something that only the subject's key opens. */
const sealedBy = async (vault: Vault, school: string, subject: string): Promise<Buffer> =>
  encrypt(await vault.keyFor(school, subject), bound, Buffer.from('secret'));

const openedBy = async (vault: Vault, school: string, subject: string, sealed: Buffer): Promise<string | undefined> => {
  const key = await vault.keyOf(school, subject);
  return key && decrypt(key, bound, sealed)?.toString();
};

describe('a vault', () => {
  test('takes over the keys of a school from another installation: the same keys, and the same erasures', async () => {
    const there = new Vault(memoryKeyStore(), [oldRoot]);
    const [ada, derived] = [await there.keyFor('s', 'ada'), await there.derive('s', 'purpose')];
    await there.keyFor('s', 'bob');
    await there.destroy('s', 'bob');
    const key = (await there.schoolKey('s'))!;
    const here = new Vault(memoryKeyStore(), [newRoot]);
    expect(await here.schoolKey('s')).toBeUndefined();
    for (let twice = 0; twice < 2; twice += 1) {
      await here.adopt('s', key);
      for (const subject of await there.subjects('s', '', 10)) await here.adoptSubject('s', subject);
    }
    expect((await here.keyOf('s', 'ada'))!.export()).toEqual(ada.export());
    expect(await here.keyOf('s', 'bob')).toBeUndefined();
    expect((await here.derive('s', 'purpose')).equals(derived)).toBe(true);
    await expect(here.adopt('s', Buffer.alloc(32))).rejects.toThrow(KeyTaken);
    await expect(here.adoptSubject('s', { subject: 'ada', wrapped: 'other' })).rejects.toThrow(KeyTaken);
    await here.destroySchool('s');
    await expect(here.schoolKey('s')).rejects.toThrow(Erased);
    await expect(here.adopt('s', key)).rejects.toThrow(KeyTaken);
  });

  test('gives each subject of each school a key of its own, the same after a restart', async () => {
    const store = memoryKeyStore();
    const vault = new Vault(store, [oldRoot]);
    const [one, two] = [await sealedBy(vault, 's1', 'a'), await sealedBy(vault, 's2', 'a')];
    await sealedBy(vault, 's1', 'b');
    const again = new Vault(store, [oldRoot]);
    expect(await openedBy(again, 's1', 'a', one)).toBe('secret');
    expect(await openedBy(again, 's2', 'a', two)).toBe('secret');
    for (const [school, subject] of [
      ['s1', 'b'],
      ['s2', 'a'],
    ] as const)
      expect(await openedBy(again, school, subject, one)).toBeUndefined();
  });

  test('two processes that need a new key at once get the same one', async () => {
    const store = memoryKeyStore();
    const [one, two] = [new Vault(store, [oldRoot]), new Vault(store, [oldRoot])];
    const sealed = await Promise.all([one, two, one, two].map((vault) => sealedBy(vault, 's', 'a')));
    for (const each of sealed) expect(await openedBy(one, 's', 'a', each)).toBe('secret');
  });

  test('a destroyed key is gone at once and for ever, in this vault and in others that did not hold it', async () => {
    const store = memoryKeyStore();
    const vault = new Vault(store, [oldRoot]);
    const heard: unknown[] = [];
    vault.onErased((...erased) => heard.push(erased));
    await sealedBy(vault, 's', 'a');
    await sealedBy(vault, 's', 'b');
    await vault.destroy('s', 'a');
    for (const each of [vault, new Vault(store, [oldRoot])]) {
      expect(await each.keyOf('s', 'a')).toBeUndefined();
      await expect(each.keyFor('s', 'a')).rejects.toThrow(Erased);
      expect(await each.keyOf('s', 'b')).toBeDefined();
      expect(await Promise.all(['a', 'b', 'c'].map((subject) => each.keyStatus('s', subject)))).toEqual([
        'erased',
        'known',
        undefined,
      ]);
    }
    expect(heard).toEqual([['s', 'a']]);
  });

  test('a vault that holds a key that another one destroyed drops it when it is told', async () => {
    const store = memoryKeyStore();
    const [one, two] = [new Vault(store, [oldRoot]), new Vault(store, [oldRoot])];
    const sealed = await sealedBy(one, 's', 'a');
    expect(await openedBy(two, 's', 'a', sealed)).toBe('secret');
    await one.destroy('s', 'a');
    two.forget('s', 'a');
    expect(await two.keyOf('s', 'a')).toBeUndefined();
  });

  test('a key that is being loaded while it is destroyed is not held', async () => {
    const store = memoryKeyStore();
    await new Vault(store, [oldRoot]).keyFor('s', 'a');
    const destroying: { by?: Vault } = {};
    const slow: KeyStore = {
      ...store,
      async get(slot) {
        const found = await store.get(slot);
        if (slot.subject === 'a') await destroying.by!.destroy('s', 'a');
        return found;
      },
    };
    const vault = (destroying.by = new Vault(slow, [oldRoot]));
    expect(await vault.keyOf('s', 'a')).toBeUndefined();
    expect(await vault.keyOf('s', 'a')).toBeUndefined();
  });

  test('with a school go the keys of all its subjects and what was derived from it', async () => {
    const vault = new Vault(memoryKeyStore(), [oldRoot]);
    await sealedBy(vault, 's', 'a');
    const kept = await sealedBy(vault, 'other', 'a');
    const derived = await vault.derive('s', 'e-mail');
    expect((await vault.derive('s', 'e-mail')).equals(derived)).toBe(true);
    for (const other of [vault.derive('s', 'else'), vault.derive('other', 'e-mail')])
      expect((await other).equals(derived)).toBe(false);
    await vault.destroySchool('s');
    expect(await vault.keyOf('s', 'a')).toBeUndefined();
    await expect(vault.keyFor('s', 'new')).rejects.toThrow(Erased);
    await expect(vault.derive('s', 'e-mail')).rejects.toThrow(Erased);
    expect(await openedBy(vault, 'other', 'a', kept)).toBe('secret');
  });

  test('a key that the store never had is missing, which is not the same as erased', async () => {
    const vault = new Vault(memoryKeyStore(), [oldRoot]);
    await expect(vault.keyOf('s', 'a')).rejects.toThrow(KeyMissing);
    await vault.keyFor('s', 'b');
    await expect(vault.keyOf('s', 'a')).rejects.toThrow(KeyMissing);
  });

  test('neither keys nor vaults show a byte of a key when they are printed', async () => {
    const store = memoryKeyStore();
    const vault = new Vault(store, [oldRoot]);
    const key = await vault.keyFor('s', 'a');
    const printed = [vault, key].map((each) => inspect(each, { depth: 9, showHidden: true }) + JSON.stringify(each));
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      for (const bytes of [key.export(), oldRoot]) expect(printed.join('')).not.toContain(bytes.toString(encoding));
  });
});

describe('the wrapping key', () => {
  test('must be the one that the store was written under', async () => {
    const store = memoryKeyStore();
    await new Vault(store, [oldRoot]).keyFor('s', 'a');
    await expect(new Vault(store, [newRoot]).keyOf('s', 'a')).rejects.toThrow(WrappingKeyMissing);
    await expect(new Vault(store, [newRoot]).keyOf('s', 'a')).rejects.toThrow(/KEY_ENCRYPTION_KEY_PREVIOUS/);
    expect(() => new Vault(store, [])).toThrow(TypeError);
    expect(() => new Vault(store, [randomBytes(16)])).toThrow(TypeError);
  });

  test('a wrapped key opens in its own place only', async () => {
    const store = memoryKeyStore();
    await new Vault(store, [oldRoot]).keyFor('s1', 'a');
    await new Vault(store, [oldRoot]).keyFor('s1', 'b');
    const [school, subject] = [await store.get({ tenant: 's1' }), await store.get({ tenant: 's1', subject: 'a' })];
    const moved = memoryKeyStore();
    await moved.add({ tenant: 's2' }, school!.wrapped!);
    await expect(new Vault(moved, [oldRoot]).keyFor('s2', 'a')).rejects.toThrow(WrappingKeyMissing);
    const swapped = memoryKeyStore();
    await swapped.add({ tenant: 's1' }, school!.wrapped!);
    await swapped.add({ tenant: 's1', subject: 'b' }, subject!.wrapped!);
    await expect(new Vault(swapped, [oldRoot]).keyFor('s1', 'b')).rejects.toThrow(KeyMissing);
  });

  test('is succeeded without a pause: the predecessor opens until everything is wrapped anew', async () => {
    const store = memoryKeyStore();
    const schools = Array.from({ length: 250 }, (_, n) => `s${n}`);
    const sealed = new Map<string, Buffer>();
    const before = new Vault(store, [oldRoot]);
    for (const school of schools) sealed.set(school, await sealedBy(before, school, 'a'));
    await before.destroySchool('s7');

    const both = new Vault(store, [newRoot, oldRoot]);
    expect(await openedBy(both, 's3', 'a', sealed.get('s3')!)).toBe('secret');
    expect(await both.rewrap()).toBe(249);
    expect(await both.rewrap()).toBe(0);
    const after = new Vault(store, [newRoot]);
    for (const school of schools)
      expect(await openedBy(after, school, 'a', sealed.get(school)!)).toBe(school === 's7' ? undefined : 'secret');
    await expect(new Vault(store, [oldRoot]).keyOf('s1', 'a')).rejects.toThrow(WrappingKeyMissing);
  });

  test('a rewrap that crashes anywhere leaves everything readable, and the next one completes it', async () => {
    for (let crash = 0; crash <= 5; crash += 1) {
      const store = memoryKeyStore();
      const schools = ['s1', 's2', 's3', 's4', 's5'];
      const sealed = await Promise.all(schools.map((school) => sealedBy(new Vault(store, [oldRoot]), school, 'a')));
      let left = crash;
      const dying: KeyStore = {
        ...store,
        async replace(...replacement) {
          if ((left -= 1) < 0) throw new Error('the power went');
          return store.replace(...replacement);
        },
      };
      const first = new Vault(dying, [newRoot, oldRoot]).rewrap();
      await (crash < 5 ? expect(first).rejects.toThrow('the power went') : first);
      const restarted = new Vault(store, [newRoot, oldRoot]);
      const readable = () => Promise.all(schools.map((school, n) => openedBy(restarted, school, 'a', sealed[n]!)));
      expect(new Set(await readable())).toEqual(new Set(['secret']));
      expect(await restarted.rewrap()).toBe(5 - crash);
      const done = new Vault(store, [newRoot]);
      for (const [n, school] of schools.entries()) expect(await openedBy(done, school, 'a', sealed[n]!)).toBe('secret');
    }
  });

  test('several processes may rewrap at once', async () => {
    const store = memoryKeyStore();
    const schools = Array.from({ length: 30 }, (_, n) => `s${n}`);
    for (const school of schools) await new Vault(store, [oldRoot]).derive(school, 'x');
    const counts = await Promise.all([1, 2, 3].map(() => new Vault(store, [newRoot, oldRoot]).rewrap()));
    expect(counts.reduce((sum, count) => sum + count)).toBe(30);
    for (const school of schools) await new Vault(store, [newRoot]).derive(school, 'x');
  });
});
