import { type Decider, isRejection, ofStream } from '@lyceum/kernel';
import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { memoryKeyStore } from '../keys/memory-key-store.ts';
import { Vault } from '../keys/vault.ts';
import { encryptedEventLog } from '../personal/encrypted-log.ts';
import { catalogueOf } from '../personal/plan.ts';
import { claimStream, claimant } from '../claims.ts';
import { execute } from '../execute.ts';
import { fold } from './fold.ts';
import { memoryEventLog } from '../memory/memory.ts';
import { Unavailable } from '../errors.ts';
import type { EventLog } from '../port.ts';
import { withStates } from './with-states.ts';
import { sampleAppend } from '../testing.ts';
import { noted } from '../testing/sample.ts';

type Counted = { readonly type: 'Counted'; readonly data: { readonly by: number } };
const parse = (value: unknown) => value as Counted['data'];
const events = { Counted: { version: 1, data: { parse } } };

/** Counts, and how often it was asked to. */
function counting() {
  let evolved = 0;
  const decider: Decider<number, number, Counted, 'never'> = {
    events,
    initial: 0,
    decide: (by) => [{ type: 'Counted', data: { by } }],
    evolve(state, { data }) {
      evolved += 1;
      return state + data.by;
    },
  };
  const evolutions = () => {
    const count = evolved;
    evolved = 0;
    return count;
  };
  return { decider, evolutions };
}

/** The same of personal fields: an erased number makes all of it erased. */
function personalOnes(subject: string = ofStream) {
  const { decider, evolutions } = counting();
  const text = { def: { type: 'string' }, meta: () => undefined };
  const marked = { def: { type: 'number' }, meta: () => ({ personal: subject }) };
  const data = { parse, def: { type: 'object', shape: { by: subject === ofStream ? marked : text, n: marked } } };
  const events = { Counted: { version: 1, data } };
  const vault = new Vault(memoryKeyStore(), [Buffer.alloc(32, 7)]);
  const below = encryptedEventLog(memoryEventLog(), { vault, catalogue: catalogueOf([events]) });
  const log = withStates(below, { erasures: vault });
  const about = {
    ...decider,
    events,
    evolve(state: number, event: Counted) {
      const known = decider.evolve(state, event, { at: '', version: 1 });
      return (event.data.by === null ? 'erased' : known) as number;
    },
  };
  return { vault, below, log, about, evolutions };
}

const add = async (log: EventLog, decider: ReturnType<typeof counting>['decider'], by: number) => {
  const at = '2026-01-05T08:00:00.000Z';
  const request = { tenant: 't', stream: 's', command: by, at, meta: { actor: 'test' }, commitId: randomUUID() };
  const done = await execute(log, decider, request);
  if (isRejection(done)) throw new Error(done.reason);
  return done.state;
};

/** A log that remembers states, over one whose reads of streams are counted. */
function countingReads() {
  const below = memoryEventLog();
  let count = 0;
  const load = async (...what: Parameters<EventLog['load']>) => {
    count += 1;
    return below.load(...what);
  };
  const reads = () => {
    const since = count;
    count = 0;
    return since;
  };
  return { below, log: withStates({ ...below, load }), reads };
}

const line = 'x'.repeat(1_000);
const one: Counted = { type: 'Counted', data: { by: 1 } };
const at = { at: '2026-01-05T08:00:00.000Z', version: 1 };

describe('states that are remembered', () => {
  test('spare the replay of what this process has folded, and nothing else', async () => {
    const log = withStates(memoryEventLog());
    const { decider, evolutions } = counting();
    for (let by = 1; by <= 5; by += 1) await add(log, decider, by);
    expect(evolutions()).toBe(5);
    expect(await fold(log, decider, 't', 's')).toMatchObject({ state: 15, version: 5 });
    expect(evolutions()).toBe(0);
    expect(await fold(log, decider, 't', 'other')).toMatchObject({ state: 0, version: 0 });
  });

  test('are given to many, so whoever changes one is found by tests', async () => {
    const log = withStates(memoryEventLog());
    const { decider } = counting();
    const listing = {
      events,
      initial: { all: [] as number[] },
      evolve: ({ all }: { readonly all: number[] }, { data }: Counted) => ({ all: [...all, data.by] }),
    };
    await add(log, decider, 1);
    const { state } = await fold(log, listing, 't', 's');
    expect(() => state.all.push(2)).toThrow(TypeError);
    expect((await fold(log, listing, 't', 's')).state).toBe(state);
  });

  test('take in what others wrote since, and belong to the decider that folded them', async () => {
    const below = memoryEventLog();
    const log = withStates(below);
    const { decider, evolutions } = counting();
    await add(log, decider, 1);
    await add(below, decider, 2);
    evolutions();
    expect(await fold(log, decider, 't', 's')).toMatchObject({ state: 3, version: 2 });
    expect(evolutions()).toBe(1);
    const doubling = { ...decider, evolve: (state: number, { data }: Counted) => state + 2 * data.by };
    expect(await fold(log, doubling, 't', 's')).toMatchObject({ state: 6, version: 2 });
    expect(await fold(log, decider, 't', 's')).toMatchObject({ state: 3, version: 2 });
  });

  test('are looked up without reading the log, as long as a stream has not moved', async () => {
    const { below, log, reads } = countingReads();
    const { decider } = counting();
    await add(log, decider, 1);
    await log.append(sampleAppend({ tenant: 't', events: [noted('another')] }));
    const position = await log.head(log.laneOf('t'));
    reads();
    expect(await fold(log, decider, 't', 's')).toEqual({ state: 1, version: 1, lane: log.laneOf('t'), position });
    expect(reads()).toBe(0);
    await add(below, decider, 2);
    expect(await fold(log, decider, 't', 's')).toMatchObject({ state: 3, version: 2, position: position + 1 });
    expect(reads()).toBe(1);
    await log.close();
    await expect(fold(log, decider, 't', 's')).rejects.toThrow(Unavailable);
  });

  test('of a stream that does not exist are known without reading the log, until it does', async () => {
    const { below, log, reads } = countingReads();
    const { decider } = counting();
    expect(await fold(log, decider, 't', 's')).toMatchObject({ state: 0, version: 0 });
    expect(reads()).toBe(0);
    await add(below, decider, 1);
    expect(await fold(log, decider, 't', 's')).toMatchObject({ state: 1, version: 1 });
  });

  test('tell who holds a claim without reading the log, until it is given back', async () => {
    const { log, reads } = countingReads();
    const stream = claimStream('slug', 'home');
    const write = (type: string) => {
      const event = { stream, type, schema: 1, data: { by: 'page-1' } };
      return log.append(sampleAppend({ tenant: 't', events: [event] }));
    };
    await write('Claimed');
    for (let time = 0; time < 3; time += 1) expect(await claimant(log, 't', 'slug', 'home')).toBe('page-1');
    expect(reads()).toBe(1);
    await write('Released');
    expect(await claimant(log, 't', 'slug', 'home')).toBeUndefined();
    expect(await claimant(log, 'another', 'slug', 'home')).toBeUndefined();
  });

  test('are not made of personal fields, which must be gone after an erasure', async () => {
    const log = withStates(memoryEventLog());
    const { decider, evolutions } = counting();
    const marked = { def: { type: 'string' }, meta: () => ({ personal: ofStream }) };
    const data = { parse, def: { type: 'object', shape: { name: marked } } };
    const about = { ...decider, events: { Counted: { version: 1, data } } };
    await add(log, decider, 1);
    evolutions();
    for (let time = 0; time < 2; time += 1) await fold(log, about, 't', 's');
    expect(evolutions()).toBe(2);
  });

  test('of personal fields are kept where the vault tells of erasures, and go with the key', async () => {
    const { vault, log, about, evolutions } = personalOnes();
    await add(log, about, 1);
    evolutions();
    for (let time = 0; time < 2; time += 1) expect(await fold(log, about, 't', 's')).toMatchObject({ state: 1 });
    expect(evolutions()).toBe(0);
    await vault.destroy('t', 'somebody else');
    await fold(log, about, 't', 's');
    expect(evolutions()).toBe(0);
    await vault.destroy('t', 's');
    expect(await fold(log, about, 't', 's')).toMatchObject({ state: 'erased' });
  });

  test('of personal fields that were read while somebody was erased are not kept', async () => {
    const { vault, log, about, evolutions } = personalOnes();
    await add(log, about, 1);
    await vault.destroySchool('another');
    evolutions();
    const reading = fold(log, about, 't', 's');
    vault.forget('t', 's');
    await reading;
    await fold(log, about, 't', 's');
    expect(evolutions()).toBe(2);
    expect(log.states!.get(about, 't', 's')?.state).not.toBe(1);
  });

  test('of personal fields about somebody else than the stream are never kept', async () => {
    const { log, about, evolutions } = personalOnes('by');
    await add(log, about, 1);
    evolutions();
    for (let time = 0; time < 2; time += 1) await fold(log, about, 't', 's');
    expect(evolutions()).toBe(2);
  });

  test('are not kept where they are too heavy, and make room for one another', async () => {
    const log = withStates(memoryEventLog(), { bytes: 80_000 });
    const { decider, evolutions } = counting();
    const { decide } = decider;
    const long: Decider<string, number, Counted, 'never'> = {
      events,
      initial: '',
      decide: (by) => decide(by, 0),
      evolve: (text) => (decider.evolve(0, one, at), `${text}${line}`),
    };
    const write = async (stream: string) => {
      const asked = { tenant: 't', stream, command: 1, at: at.at, meta: { actor: 'test' }, commitId: randomUUID() };
      await execute(log, long, asked);
      evolutions();
    };
    const replayed = async (stream: string) => {
      await fold(log, long, 't', stream);
      return evolutions();
    };
    await write('s0');
    expect(await replayed('s0')).toBe(0);
    for (let count = 1; count < 300; count += 1) await write(`s${count}`);
    expect(await replayed('s299')).toBe(0);
    expect(await replayed('s0')).toBe(1);
    for (let count = 0; count < 9; count += 1) await write('s299');
    expect([await replayed('s299'), await replayed('s299')]).toEqual([10, 10]);
  });

  describe('of a log on a server', () => {
    /** A log in whose place another one can be put, and which other processes write to. */
    function onServer() {
      let below = memoryEventLog();
      let loaded: (number | undefined)[] = [];
      const server: EventLog = {
        ...below,
        looksOut: true,
        load: (tenant, streams, from) => (loaded.push(from), below.load(tenant, streams, from)),
        find: (...what) => below.find(...what),
        append: (append) => below.append(append),
      };
      delete (server as { observeNow?: unknown }).observeNow;
      const froms = () => {
        const all = loaded;
        loaded = [];
        return all;
      };
      const replace = () => (below = memoryEventLog());
      return { log: withStates(server), froms, replace, below: () => below };
    }

    test('spare the replay; their last event is loaded again, with what others wrote since', async () => {
      const { log, froms, below } = onServer();
      const { decider, evolutions } = counting();
      for (let by = 1; by <= 3; by += 1) await add(log, decider, by);
      await fold(log, decider, 't', 's');
      await add(below(), decider, 4);
      evolutions();
      froms();
      expect(await fold(log, decider, 't', 's')).toMatchObject({ state: 10, version: 4 });
      expect([evolutions(), froms()]).toEqual([1, [2]]);
      expect(await fold(log, decider, 't', 's')).toMatchObject({ state: 10, version: 4 });
      expect([evolutions(), froms()]).toEqual([0, [3]]);
    });

    test.each([0, 1, 2, 5])(
      'count for nothing when a log with %i events of the stream is in its place',
      async (length) => {
        const { log, replace, below } = onServer();
        const { decider } = counting();
        for (let by = 1; by <= 2; by += 1) await add(log, decider, by);
        replace();
        for (let by = 0; by < length; by += 1) await add(below(), decider, 10);
        expect(await fold(log, decider, 't', 's')).toMatchObject({ state: 10 * length, version: length });
        expect(await add(log, decider, 1)).toBe(10 * length + 1);
      },
    );

    test('hold nothing personal: of an erasure by another process this one would hear too late', async () => {
      const { vault, below, about, evolutions } = personalOnes();
      const log = withStates({ ...below, looksOut: true }, { erasures: vault });
      await add(log, about, 1);
      evolutions();
      for (let time = 0; time < 2; time += 1) await fold(log, about, 't', 's');
      expect(log.states!.get(about, 't', 's')).toBeUndefined();
      expect(evolutions()).toBeGreaterThan(0);
    });
  });
});
