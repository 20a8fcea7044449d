import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Decider, type EventOf, type EventTypes, ofStream } from '@lyceum/kernel';
import fc from 'fast-check';
import {
  type EventLog,
  type Snapshots,
  execute,
  fold,
  memoryEventLog,
  memorySnapshots,
  withSnapshots,
  withStates,
} from '../index.ts';

const text = { parse: (value: unknown) => value as string };
const events = { Written: { version: 1, data: text }, Wiped: { version: 1, data: text } } satisfies EventTypes;
type NoteEvent = EventOf<typeof events>;
interface Note {
  readonly words: readonly string[];
  readonly changes: number;
  readonly at: string | null;
}

const noteDecider = (
  snapshot?: Decider<Note, string[], NoteEvent>['snapshot'],
): Decider<Note, string[], NoteEvent> => ({
  events,
  initial: { words: [], changes: 0, at: null },
  decide: (words) => words.map((word) => ({ type: word === '' ? 'Wiped' : 'Written', data: word })),
  evolve: (note, event, { at, version }) => ({
    words: event.type === 'Wiped' ? [] : [...note.words, event.data].slice(-5),
    changes: version,
    at,
  }),
  ...(snapshot ? { snapshot } : {}),
});

const write = (
  log: EventLog,
  decider: ReturnType<typeof noteDecider>,
  words: string[],
  stream = 'note_1',
  tenant = 'a',
) =>
  execute(log, decider, {
    tenant,
    stream,
    command: words,
    at: `2026-01-05T08:00:00.${String(words.length).padStart(3, '0')}Z`,
    meta: { actor: 'test' },
    commitId: randomUUID(),
  });

/** A log that counts the commits it gives out. */
function counting(inner: EventLog) {
  const counted = { commits: 0 };
  const load: EventLog['load'] = async (...what) => {
    const loaded = await inner.load(...what);
    counted.commits += loaded.commits.length;
    return loaded;
  };
  const log: EventLog = { ...withSnapshots(inner, memorySnapshots()), load };
  return { log, counted };
}

const read = (log: EventLog, decider: ReturnType<typeof noteDecider>, tenant = 'a') =>
  fold(log, decider, tenant, 'note_1');

describe('snapshots', () => {
  test('a stream of 10 000 commits takes a command by loading at most 100 of them', async () => {
    const inner = memoryEventLog();
    const { log, counted } = counting(inner);
    for (let position = 1; position <= 10_000; position += 1)
      await inner.append({
        tenant: 'a',
        expectations: [],
        events: [
          {
            stream: 'note_1',
            type: 'Written',
            schema: 1,
            data: `w${position}`,
          },
        ],
        commitId: randomUUID(),
        fingerprint: '',
        at: '2026-01-05T08:00:00.000Z',
        meta: { actor: 'test' },
      });
    const decider = noteDecider({ version: 1 });
    await read(log, decider);
    expect(counted.commits).toBe(10_000);
    for (let more = 1; more <= 250; more += 1) {
      counted.commits = 0;
      const done = await write(log, decider, ['more']);
      expect(done).toMatchObject({ version: 10_000 + more });
      expect(counted.commits).toBeLessThanOrEqual(101);
    }
    expect((await read(log, decider)).state).toEqual((await read(inner, noteDecider())).state);
  });

  test('a fold is the snapshot and the tail, whatever the history, the distance and the reducer', async () => {
    const history = fc.array(fc.array(fc.constantFrom('', 'x', 'yes', '中'), { minLength: 1, maxLength: 3 }), {
      maxLength: 15,
    });
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 2 })), { minLength: 1 }),
        async (writes, settings) => {
          const log = withSnapshots(memoryEventLog(), memorySnapshots());
          for (const [index, words] of writes.entries()) {
            const [every, version] = settings[index % settings.length]!;
            await write(log, noteDecider({ version, every }), words);
            expect(await read(log, noteDecider({ version, every }))).toEqual(await read(log, noteDecider()));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('are kept by whoever remembers states, too: the first replay after a restart begins near the end', async () => {
    const inner = memoryEventLog();
    const { log, counted } = counting(inner);
    const decider = noteDecider({ version: 1, every: 10 });
    for (const remembering of [withStates(log), withStates(log)]) {
      for (let more = 0; more < 25; more += 1) await write(remembering, decider, ['one', 'two']);
      counted.commits = 0;
      const { state } = await read(withStates(log), decider);
      expect(counted.commits).toBeLessThanOrEqual(6);
      expect(state).toEqual((await read(inner, noteDecider())).state);
    }
  });

  test('a snapshot of another reducer is ignored', async () => {
    const log = withSnapshots(memoryEventLog(), memorySnapshots());
    for (const word of ['a', 'b', 'c']) await write(log, noteDecider({ version: 1, every: 1 }), [word]);
    const upper: ReturnType<typeof noteDecider> = {
      ...noteDecider({ version: 2, every: 1 }),
      evolve: (note, event, { at, version }) => ({
        words: [...note.words, event.data.toUpperCase()],
        changes: version,
        at,
      }),
    };
    expect((await read(log, upper)).state.words).toEqual(['A', 'B', 'C']);
    expect((await read(log, noteDecider({ version: 1, every: 1 }))).state.words).toEqual(['a', 'b', 'c']);
  });

  test('a snapshot that the log does not know of is ignored: the log was restored from a backup', async () => {
    const snapshots = memorySnapshots();
    const decider = noteDecider({ version: 1, every: 1 });
    const lost = withSnapshots(memoryEventLog(), snapshots);
    for (const word of ['lost', 'lost too']) await write(lost, decider, [word]);
    await read(lost, decider);
    const restored = withSnapshots(memoryEventLog(), snapshots);
    expect((await read(restored, decider)).state).toEqual(decider.initial);
    for (const word of ['new', 'newer', 'newest']) await write(restored, decider, [word]);
    expect((await read(restored, decider)).state.words).toEqual(['new', 'newer', 'newest']);
  });

  test('snapshots that cannot be read or written cost nothing but time', async () => {
    const broken: Snapshots = {
      load: () => Promise.reject(new Error('no')),
      save: () => Promise.reject(new Error('no')),
    };
    const log = withSnapshots(memoryEventLog(), broken);
    const decider = noteDecider({ version: 1, every: 1 });
    for (const word of ['a', 'b']) await write(log, decider, [word]);
    expect((await read(log, decider)).state.words).toEqual(['a', 'b']);
  });

  test('a repeated commit answers with the state right after it, also when a later snapshot exists', async () => {
    const log = withSnapshots(memoryEventLog(), memorySnapshots());
    const decider = noteDecider({ version: 1, every: 1 });
    const request = { tenant: 'a', stream: 'note_1', at: '2026-01-05T08:00:00.000Z', meta: { actor: 'test' } };
    const commitId = randomUUID();
    await execute(log, decider, { ...request, command: ['a'], commitId });
    for (const word of ['b', 'c']) await write(log, decider, [word]);
    await read(log, decider);
    const again = await execute(log, decider, { ...request, command: ['a'], commitId });
    expect(again).toMatchObject({ replayed: true, version: 1, state: { words: ['a'] } });
  });

  test('a tenant never gets the snapshot of another, though their streams are called alike', async () => {
    const log = withSnapshots(memoryEventLog(), memorySnapshots());
    const decider = noteDecider({ version: 1, every: 1 });
    for (const word of ['secret', 'secret']) await write(log, decider, [word]);
    await read(log, decider);
    expect((await read(log, decider, 'b')).state).toEqual(decider.initial);
  });

  test('states of events with personal data are never kept', async () => {
    let saved = 0;
    const snapshots: Snapshots = { load: async () => undefined, save: async () => void (saved += 1) };
    const log = withSnapshots(memoryEventLog(), snapshots);
    const name = { parse: (value: unknown) => value as string, meta: () => ({ personal: ofStream }) };
    const shape = { name, id: { parse: String, def: { type: 'string' } } };
    const data = { parse: (value: unknown) => value as string, def: { type: 'object', shape } };
    const marked = { ...noteDecider({ version: 1, every: 1 }), events: { ...events, Written: { version: 1, data } } };
    for (const word of ['a', 'b']) await write(log, marked, [word]);
    expect(saved).toBe(0);
    for (const word of ['a', 'b']) await write(log, noteDecider({ version: 1, every: 1 }), [word]);
    expect(saved).toBeGreaterThan(0);
  });
});
