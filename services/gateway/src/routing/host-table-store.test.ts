import { afterEach, expect, test } from '@jest/globals';
import { type Ephemeral, EphemeralUnavailable, memoryEphemeral } from '@lyceum/ephemeral';
import { FakeClock, until } from '@lyceum/testkit';
import { parseAuthority } from './authority.ts';
import { HostTable } from './host-table.ts';
import { HostTableStore } from './host-table-store.ts';
import { addSchool } from '../testing/test-edge.ts';

const pause = 5;
const opened: HostTableStore[] = [];
afterEach(async () => void (await Promise.all(opened.splice(0).map((store) => store.close()))));

/** What gateways share, which answers nothing for the first so many reads; `reads` counts those that were refused. */
function shared(refused = 0) {
  const memory = memoryEphemeral(new FakeClock());
  const state = { refused, reads: 0 };
  const ephemeral: Pick<Ephemeral, 'isShared' | 'get' | 'putIfAbsent' | 'compareAndDelete'> = {
    isShared: true,
    get(key) {
      if (state.refused === 0) return memory.get(key);
      state.refused -= 1;
      state.reads += 1;
      return Promise.reject(new EphemeralUnavailable('away'));
    },
    putIfAbsent: (...put) => memory.putIfAbsent(...put),
    compareAndDelete: (...both) => memory.compareAndDelete(...both),
  };
  const open = () => {
    const store = new HostTableStore({ ephemeral: ephemeral as Ephemeral, logger: { debug: () => undefined } }, pause);
    opened.push(store);
    return store;
  };
  return { state, ephemeral, open };
}

/** Keeps a table with one school, and waits until it is kept. */
async function kept({ open }: ReturnType<typeof shared>): Promise<void> {
  const hosts = new HostTable();
  addSchool(hosts, { id: 'school_1', host: 'kites.test', base_url: 'https://kites.test' });
  const store = open();
  store.changed(undefined, () => hosts);
  await until(async () => (await open().recall()) !== undefined);
}

const found = (hosts: HostTable | undefined) => hosts?.at(parseAuthority('kites.test')!)?.id;

test('what one gateway kept, another recalls', async () => {
  const between = shared();
  expect(await between.open().recall()).toBeUndefined();
  await kept(between);
  expect(found(await between.open().recall())).toBe('school_1');
});

test('what cannot be read at once is read a moment later', async () => {
  const between = shared();
  await kept(between);
  between.state.refused = 70;
  expect(found(await between.open().recall())).toBe('school_1');
});

test('where nothing can be read, nothing is recalled, after a few tries', async () => {
  const between = shared(Infinity);
  expect(await between.open().recall()).toBeUndefined();
  expect(between.state.reads).toBe(3 * 64);
});
