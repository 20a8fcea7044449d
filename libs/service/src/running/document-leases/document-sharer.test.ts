import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { CheckpointFenced, type Documents, DocumentsUnavailable, memoryDocuments } from '@lyceum/documents';
import { setTimeout as sleep } from 'node:timers/promises';
import { documentLeases } from './document-leases.ts';
import type { Contender, Leases } from '../leases.ts';

const times = { beat: 40, look: 15, lifetime: 400, aside: 400, notAgain: 2_000 };
const lanes = 16;
interface StartOptions {
  readonly form?: string;
  readonly store?: Documents;
  readonly lifetime?: number;
  readonly beat?: number;
}

/** For processes that nobody is to take for dead on a busy machine. */
const patient = { lifetime: 5_000 };
const work = { name: 'work', version: 1, fields: {} };

/** The documents as one process sees them, which can be cut off from them, or sleep in front of them. */
function cuttable(documents: Documents) {
  let isCut = false;
  let held: Promise<void> | undefined;
  let wake = (): void => undefined;
  const reach = async (): Promise<void> => {
    await held;
    if (isCut) throw new DocumentsUnavailable('cut off');
  };
  const store = Object.assign(Object.create(documents) as Documents, {
    open: (...asked) => documents.open(...asked),
    get: (...asked) => reach().then(() => documents.get(...asked)),
    checkpoint: (...asked) => reach().then(() => documents.checkpoint(...asked)),
    apply: (...write) => reach().then(() => documents.apply(...write)),
  } satisfies Partial<Documents>);
  return {
    store,
    cut: (now: boolean) => void (isCut = now),
    sleep: () => void (held = new Promise((resolve) => (wake = resolve))),
    wake: () => wake(),
  };
}

describe('work that processes share', () => {
  let documents: Documents;
  const errors: unknown[] = [];
  const running: Contender[] = [];
  /** The processes that moved a lane, in turn. */
  let moves: Map<number, string[]>;
  beforeEach(async () => {
    documents = memoryDocuments();
    await documents.open(work);
    moves = new Map();
    errors.length = 0;
  });
  afterEach(async () => {
    for (const each of running.splice(0)) await each.close();
  });

  /** A process that works on lanes by moving a checkpoint of each, as projections do. */
  const start = (id: string, { form = 'a', store = documents, lifetime = times.lifetime, beat }: StartOptions = {}) => {
    const given = { ...times, lifetime, ...(beat === undefined ? {} : { beat }) };
    const leases: Leases = documentLeases(store, (error) => void errors.push(error), given);
    const state = { begun: 0, isPaused: false };
    const has = (lane: number) => contender.has(lane);
    const step = async (lane: number): Promise<void> => {
      try {
        const at = await documents.checkpoint(work, 'log', lane);
        await sleep(2);
        await documents.apply(work, 'log', lane, at, at + 1, []);
        moves.set(lane, [...(moves.get(lane) ?? []), id]);
      } catch (error) {
        if (!(error instanceof CheckpointFenced)) throw error;
      }
    };
    const contender = leases.share('work', {
      lanes,
      form,
      async begin() {
        state.begun += 1;
        const ending = new AbortController();
        const going = (async () => {
          for (; !ending.signal.aborted; await sleep(5))
            if (!state.isPaused) for (let lane = 0; lane < lanes; lane += 1) if (has(lane)) await step(lane);
        })();
        return {
          async close() {
            ending.abort();
            await going;
          },
        };
      },
    });
    running.push(contender);
    const held = () => [...Array(lanes).keys()].filter(has);
    return { id, contender, leases, state, held };
  };
  type Process = ReturnType<typeof start>;

  const until = async (holds: () => boolean): Promise<number> => {
    const began = performance.now();
    for (; !holds(); await sleep(5)) if (performance.now() - began > 8_000) throw new Error('it did not come about');
    return performance.now() - began;
  };
  const shared = (...all: readonly Process[]) => {
    const parts = all.map(({ held }) => held().length);
    const distinct = new Set(all.flatMap(({ held }) => held()));
    return (
      distinct.size === lanes && parts.reduce((a, b) => a + b) === lanes && Math.max(...parts) - Math.min(...parts) <= 1
    );
  };

  test.each([1, 2, 3, 4, 5])(
    '%i processes have about as many lanes each, all of them and none twice, and then rest',
    async (count) => {
      const all = Array.from({ length: count }, (_, n) => start(`p${n}`, patient));
      await until(() => shared(...all));
      const before = all.map(({ held }) => held().join());
      await sleep(3 * times.beat);
      expect(all.map(({ held }) => held().join())).toEqual(before);
      expect(all.map(({ state }) => state.begun)).toEqual(all.map(() => 1));
      expect(errors).toEqual([]);
    },
  );

  test('a process that comes gets its part while the others keep theirs, and one that is closed leaves its part within a moment', async () => {
    const [one, two] = [start('one', patient), start('two', patient)];
    await until(() => shared(one, two));
    const [ones, twos] = [one.held(), two.held()];
    const three = start('three', patient);
    await until(() => shared(one, two, three));
    expect([ones, twos].map((lanes, n) => [one, two][n]!.held().every((lane) => lanes.includes(lane)))).toEqual([
      true,
      true,
    ]);
    await two.contender.close();
    expect(two.held()).toEqual([]);
    expect(await until(() => shared(one, three))).toBeLessThan(patient.lifetime);
    // The one that leads goes as any other.
    await one.contender.close();
    await until(() => shared(three));
  });

  test('a process that falls silent is followed after a lifetime, and has stopped before', async () => {
    const { store, cut } = cuttable(documents);
    // It has two beats to stop before others take its part.
    const slow = { lifetime: 1_500, beat: 200 };
    const cutOff = start('cut off', { store, ...slow });
    await until(() => shared(cutOff));
    const other = start('other', slow);
    await until(() => shared(cutOff, other));
    cut(true);
    await until(() => other.held().length === lanes);
    expect(cutOff.held()).toEqual([]);
    cut(false);
    await until(() => shared(cutOff, other));
    expect(errors.length).toBeGreaterThan(0);
  });

  test('a process that sleeps is followed; when it wakes it moves no checkpoint from where another has moved it, and begins anew', async () => {
    const sleeping = cuttable(documents);
    const one = start('one', sleeping);
    await until(() => shared(one));
    const two = start('two');
    await until(() => shared(one, two));
    sleeping.sleep();
    one.state.isPaused = true;
    await until(() => two.held().length === lanes);
    // It wakes, and goes on for a moment beside its successor.
    one.state.isPaused = false;
    await sleep(2 * times.beat);
    sleeping.wake();
    await until(() => shared(one, two));
    await Promise.all([one.contender.close(), two.contender.close()]);
    for (const [lane, movers] of moves) expect(await documents.checkpoint(work, 'log', lane)).toBe(movers.length);
  });

  test('who meets what it does not know leaves its part to the others for good, and has it where nobody else can', async () => {
    const [one, two] = [start('one'), start('two')];
    await until(() => shared(one, two));
    one.leases.stepAside!();
    await until(() => shared(two));
    await sleep(times.aside + 6 * times.beat);
    expect([one.held(), two.held().length]).toEqual([[], lanes]);
    await two.contender.close();
    await until(() => shared(one));
  });

  test('work that cannot begin is left to others, and tried again', async () => {
    let tries = 0;
    const leases = documentLeases(documents, (error) => void errors.push(error), times);
    const failing = leases.share('work', {
      lanes,
      form: 'a',
      async begin() {
        tries += 1;
        if (tries < 3) throw new Error('not yet');
        return { close: async () => undefined };
      },
    });
    running.push(failing);
    await until(() => failing.current() !== undefined);
    expect(errors).toHaveLength(2);
  });

  test('no lane is without a process for longer than a lifetime and a look, while processes come, are closed and killed', async () => {
    const stores = new Map<string, ReturnType<typeof cuttable>>();
    const startOne = (id: string) => {
      const given = cuttable(documents);
      stores.set(id, given);
      return start(id, given);
    };
    let all = [startOne('a'), startOne('b')];
    await until(() => shared(...all));
    const last = new Map(Array.from({ length: lanes }, (_, lane) => [lane, performance.now()]));
    let longest = 0;
    const ending = new AbortController();
    const watching = (async () => {
      for (; !ending.signal.aborted; await sleep(5))
        for (let lane = 0; lane < lanes; lane += 1) {
          const now = performance.now();
          if (all.some(({ contender }) => contender.has(lane))) last.set(lane, now);
          longest = Math.max(longest, now - last.get(lane)!);
        }
    })();
    for (const id of ['c', 'd', 'e']) {
      all = [...all, startOne(id)];
      await until(() => shared(...all));
      const [leaving, ...staying] = all;
      if (id === 'd') stores.get(leaving!.id)!.cut(true);
      else await leaving!.contender.close();
      await until(() => shared(...staying));
      all = staying;
    }
    ending.abort();
    await watching;
    // What a busy machine adds is allowed for.
    expect(longest).toBeLessThan(2 * times.lifetime + 10 * times.beat);
  });

  describe('beside a release that does not share', () => {
    /** A process of the last release: the one lease under the same name, and all lanes while it has it. */
    const startOld = () => {
      const leases = documentLeases(documents, (error) => void errors.push(error), { ...times, ...patient });
      const contender = leases.contend('work', async () => ({ close: async () => undefined }));
      running.push(contender);
      return contender;
    };

    test('while a process of the last release has the whole, none of this one works; then they share', async () => {
      const old = startOld();
      await until(() => old.current() !== undefined);
      const all = [start('one'), start('two')];
      await sleep(times.lifetime + 4 * times.beat);
      expect(all.map(({ state }) => state.begun)).toEqual([0, 0]);
      await old.close();
      await until(() => shared(...all));
    });

    test('a process of the last release that comes back gets the whole once the last of this one is gone, and shares no lane for long', async () => {
      const all = [start('one', patient), start('two', patient)];
      await until(() => shared(...all));
      const old = startOld();
      await sleep(4 * times.beat);
      expect([old.current(), shared(...all)]).toEqual([undefined, true]);
      await all[0]!.contender.close();
      await Promise.race([until(() => old.current() !== undefined), until(() => shared(all[1]!))]);
      await all[1]!.contender.close();
      await until(() => old.current() !== undefined);
    });

    test('where the last release takes the whole from the one that leads, the others end within a lifetime', async () => {
      const [one, two] = [start('one'), start('two')];
      await until(() => shared(one, two));
      // What the lease of the whole becomes when its holder is killed and the last release is faster.
      const leases = { name: 'leases', version: 1, fields: {} };
      for (let isTaken = false; !isTaken;) {
        const counter = await documents.checkpoint(leases, 'work', 0);
        isTaken = await documents.apply(leases, 'work', 0, counter, counter + 1, []).then(
          () => true,
          () => false,
        );
      }
      const beating = setInterval(() => {
        void documents
          .checkpoint(leases, 'work', 0)
          .then((counter) => documents.apply(leases, 'work', 0, counter, counter + 1, []))
          .catch(() => undefined);
      }, 20);
      await until(() => one.held().length + two.held().length === 0);
      await sleep(times.lifetime);
      expect([one.held(), two.held()]).toEqual([[], []]);
      clearInterval(beating);
      await until(() => shared(one, two));
    });
  });
});
