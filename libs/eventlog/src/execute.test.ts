import { type Decider, type EventOf, type EventTypes, isRejection, reject } from '@lyceum/kernel';
import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  type CommandSource,
  type Request,
  claimStream,
  claimant,
  execute,
  fold,
  forwarding,
  memoryEventLog,
} from './index.ts';
import { ConcurrencyConflict, IdempotencyMismatch } from './errors.ts';
import type { EventLog } from './port.ts';

const text = (value: unknown): string => {
  if (typeof value !== 'string') throw new TypeError('text expected');
  return value;
};
const data = (value: unknown): { slug: string } => ({ slug: text((value as { slug: unknown }).slug) });

const events = {
  PageCreated: { version: 2, data: { parse: data }, upcasters: [(old: { name: string }) => ({ slug: old.name })] },
  PageMoved: { version: 1, data: { parse: data } },
  PageRemoved: { version: 1, data: { parse: data } },
  PageViewed: { version: 1, data: { parse: data } },
} satisfies EventTypes;

type PageEvent = EventOf<typeof events>;
type Command =
  | { readonly do: 'create' | 'move' | 'view'; readonly slug: string }
  | { readonly do: 'tour'; readonly slugs: readonly string[] }
  | { readonly do: 'remove' };
interface Page {
  readonly slug: string | undefined;
  readonly views: number;
  readonly at: string;
}

/** A page whose slug is unique in its school. */
const page: Decider<Page, Command, PageEvent, 'exists' | 'missing' | 'slug_taken'> = {
  events,
  initial: { slug: undefined, views: 0, at: '' },
  decide(command, { slug }) {
    if (command.do === 'create')
      return slug === undefined
        ? [{ type: 'PageCreated', data: { slug: command.slug } }]
        : reject('exists', 'it exists');
    if (slug === undefined) return reject('missing', 'no such page');
    if (command.do === 'remove') return [{ type: 'PageRemoved', data: { slug } }];
    if (command.do === 'tour') return command.slugs.map((to) => ({ type: 'PageMoved', data: { slug: to } }));
    if (command.do === 'view') return [{ type: 'PageViewed', data: { slug } }];
    return command.slug === slug ? [] : [{ type: 'PageMoved', data: { slug: command.slug } }];
  },
  evolve(state, event, { at }) {
    if (event.type === 'PageRemoved') return { ...state, slug: undefined, at };
    if (event.type === 'PageViewed') return { ...state, views: state.views + 1, at };
    return { ...state, slug: event.data.slug, at };
  },
  claims: (event) =>
    event.type === 'PageCreated' || event.type === 'PageMoved'
      ? [{ kind: 'slug', value: event.data.slug, rejected: 'slug_taken' }]
      : [],
  releases: (event, before) =>
    (event.type === 'PageMoved' || event.type === 'PageRemoved') && before.slug !== undefined
      ? [{ kind: 'slug', value: before.slug }]
      : [],
};

const ask = (command: Command, change: Partial<Request<Command>> = {}): Request<Command> => ({
  tenant: 'school_a',
  stream: 'page-1',
  command,
  at: '2026-01-05T08:00:00.000Z',
  meta: { actor: 'user_1' },
  commitId: randomUUID(),
  ...change,
});

async function accepted(log: EventLog, command: Command, change: Partial<Request<Command>> = {}) {
  const outcome = await execute(log, page, ask(command, change));
  if (isRejection(outcome)) throw new Error(`rejected: ${outcome.rejected}`);
  return outcome;
}

/** A log whose first `load` of a stream lets another command slip in. */
function overtaken(log: EventLog, stream: string, others: (() => Promise<unknown>)[]): EventLog {
  return {
    ...log,
    async load(tenant, streams, fromVersion) {
      const loaded = await log.load(tenant, streams, fromVersion);
      if (streams.includes(stream)) await others.shift()?.();
      return loaded;
    },
  };
}

describe('execute', () => {
  test('writes the events of an accepted command and answers with the state after them', async () => {
    const log = memoryEventLog();
    const created = await accepted(log, { do: 'create', slug: 'home' });
    expect(created).toEqual({
      stream: 'page-1',
      state: { slug: 'home', views: 0, at: '2026-01-05T08:00:00.000Z' },
      version: 1,
      lane: log.laneOf('school_a'),
      position: 1,
      events: [{ type: 'PageCreated', data: { slug: 'home' } }],
      replayed: false,
    });
    const { state, version } = await fold(log, page, 'school_a', 'page-1');
    expect({ state, version }).toEqual({ state: created.state, version: 1 });
    expect((await log.load('school_a', ['page-1'])).commits[0]!.events[0]).toMatchObject({ schema: 2, version: 1 });
  });

  test('a rejection is a value and writes nothing', async () => {
    const log = memoryEventLog();
    expect(await execute(log, page, ask({ do: 'remove' }))).toEqual(reject('missing', 'no such page'));
    expect(await log.head(log.laneOf('school_a'))).toBe(0);
  });

  test('a command that changes nothing writes nothing and says where the state was observed', async () => {
    const log = memoryEventLog();
    await accepted(log, { do: 'create', slug: 'home' });
    const unchanged = await accepted(log, { do: 'move', slug: 'home' });
    expect(unchanged).toMatchObject({ version: 1, position: 1, events: [], replayed: false, state: { slug: 'home' } });
    expect(await log.head(unchanged.lane)).toBe(1);
  });

  test('an event that does not match its schema is never written', async () => {
    const log = memoryEventLog();
    const wrong = { do: 'create', slug: 7 } as unknown as Command;
    await expect(execute(log, page, ask(wrong))).rejects.toThrow('text expected');
    expect(await log.head(log.laneOf('school_a'))).toBe(0);
  });

  test('older events are lifted to the newest schema when they are read', async () => {
    const log = memoryEventLog();
    const old = { stream: 'page-1', type: 'PageCreated', schema: 1, data: { name: 'home' } };
    const { tenant, at, meta, commitId } = ask({ do: 'remove' });
    await log.append({ tenant, at, meta, commitId, fingerprint: '', expectations: [], events: [old] });
    expect((await fold(log, page, tenant, 'page-1')).state.slug).toBe('home');
  });
});

describe('execute, when others write too', () => {
  test('a lost race is decided again against the new state', async () => {
    const log = memoryEventLog();
    await accepted(log, { do: 'create', slug: 'home' });
    const slow = overtaken(log, 'page-1', [() => accepted(log, { do: 'view', slug: '' })]);
    const viewed = await accepted(slow, { do: 'view', slug: '' });
    expect(viewed).toMatchObject({ version: 3, state: { views: 2 } });
  });

  test('a race that makes the command impossible ends in the rejection', async () => {
    const log = memoryEventLog();
    await accepted(log, { do: 'create', slug: 'home' });
    const slow = overtaken(log, 'page-1', [() => accepted(log, { do: 'remove' })]);
    expect(await execute(slow, page, ask({ do: 'view', slug: '' }))).toMatchObject({ rejected: 'missing' });
  });

  test('after 6 lost races the conflict is the answer', async () => {
    const log = memoryEventLog();
    await accepted(log, { do: 'create', slug: 'home' });
    const view = () => accepted(log, { do: 'view', slug: '' });
    await expect(execute(overtaken(log, 'page-1', Array(6).fill(view)), page, ask({ do: 'remove' }))).rejects.toThrow(
      ConcurrencyConflict,
    );
    expect(await execute(overtaken(log, 'page-1', Array(5).fill(view)), page, ask({ do: 'remove' }))).toMatchObject({
      version: 13,
    });
  });

  test('an expected version that does not match is a conflict, before and during the append, and is not retried', async () => {
    const log = memoryEventLog();
    await accepted(log, { do: 'create', slug: 'home' });
    const stale = execute(log, page, ask({ do: 'remove' }, { expected: [4] }));
    await expect(stale).rejects.toMatchObject({
      name: 'ConcurrencyConflict',
      stream: 'page-1',
      expected: 4,
      actual: 1,
    });
    const slow = overtaken(log, 'page-1', [() => accepted(log, { do: 'view', slug: '' })]);
    const raced = execute(slow, page, ask({ do: 'remove' }, { expected: [1] }));
    await expect(raced).rejects.toMatchObject({ name: 'ConcurrencyConflict', expected: 1, actual: 2 });
    expect(await accepted(log, { do: 'remove' }, { expected: [2, 7] })).toMatchObject({ version: 3 });
  });

  test('10 commands at once on one stream all take effect, one after the other', async () => {
    const log = memoryEventLog();
    await accepted(log, { do: 'create', slug: 'home' });
    const racing = Array.from({ length: 10 }, async () => {
      for (;;)
        try {
          return await accepted(log, { do: 'view', slug: '' });
        } catch (error) {
          if (!(error instanceof ConcurrencyConflict)) throw error;
        }
    });
    const versions = (await Promise.all(racing)).map((outcome) => outcome.version);
    expect(versions.sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect((await fold(log, page, 'school_a', 'page-1')).state.views).toBe(10);
  });
});

describe('execute, when a command follows from other streams', () => {
  const other = { stream: 'page-2' };

  /** Moves page 1 once more than page 2 was viewed. */
  const asOften = (log: EventLog): CommandSource<Command> => {
    const slugs = (views: number) => Array.from({ length: views + 1 }, (_, index) => `at-${index}`);
    return async () => {
      const { state, version } = await fold(log, page, 'school_a', 'page-2');
      return { command: { do: 'tour', slugs: slugs(state.views) }, expectedVersions: [{ stream: 'page-2', version }] };
    };
  };

  test('it is derived and decided again when one of them moved before it was written', async () => {
    const log = memoryEventLog();
    await accepted(log, { do: 'create', slug: 'home' });
    await accepted(log, { do: 'create', slug: 'away' }, other);
    const view = () => accepted(log, { do: 'view', slug: '' }, other);
    const slow = overtaken(log, 'page-1', [view, view]);
    // The version that the client saw is that of its own stream: a race on another one is not the client's to resolve.
    const done = await execute(slow, page, ask({ do: 'remove' }, { command: asOften(log), expected: [1] } as never));
    expect(done).toMatchObject({ version: 4, state: { slug: 'at-2' } });
  });

  test('what it leaves in other streams is in the same commit, and a repeat still answers for its own stream', async () => {
    const log = memoryEventLog();
    const sideEvents = (before: Page, after: Page) =>
      before.slug === after.slug ? [] : [{ stream: 'a-trail', type: 'PageViewed', schema: 1, data: { slug: 'x' } }];
    const trailing = { ...page, sideEvents };
    const request = ask({ do: 'create', slug: 'home' });
    const first = await execute(log, trailing, request);
    const { commits } = await log.load('school_a', ['a-trail']);
    expect(commits.map(({ streams }) => streams.map(({ id }) => id).slice(0, 2))).toEqual([['page-1', 'a-trail']]);
    expect(await execute(log, trailing, request)).toEqual({ ...first, replayed: true, events: expect.anything() });
    expect(await execute(log, trailing, ask({ do: 'view', slug: '' }))).toMatchObject({ version: 2 });
    expect((await log.load('school_a', ['a-trail'])).heads).toEqual({ 'a-trail': 1 });
  });
});

describe('execute, when a decision leaves events in a stream whose version its command expects', () => {
  const counter = { stream: 'page-2' };

  /** Gives page 1 a slug that counts the views of page 2, and notes there that it did. */
  const noting: Decider<Page, { readonly views: number }, PageEvent, 'exists' | 'missing' | 'slug_taken'> = {
    ...page,
    decide: ({ views }) =>
      views > 2 ? reject('slug_taken', 'too late') : [{ type: 'PageMoved', data: { slug: `at-${views}` } }],
    sideEvents: (_, { slug }, { views }) => [
      { stream: 'page-2', type: 'PageViewed', schema: 1, data: { slug: String(slug) } },
      { stream: 'page-3', type: 'PageViewed', schema: 1, data: { slug: String(views) } },
    ],
  };
  const counting = (log: EventLog) => async () => {
    const { state, version } = await fold(log, page, 'school_a', 'page-2');
    return { command: { views: state.views }, expectedVersions: [{ stream: 'page-2', version }] };
  };
  const started = async () => {
    const log = memoryEventLog();
    await accepted(log, { do: 'create', slug: 'home' });
    await accepted(log, { do: 'create', slug: 'away' }, counter);
    return log;
  };
  const note = (log: EventLog) =>
    execute(log, noting, { ...ask({ do: 'remove' }, { commitId: randomUUID() }), command: counting(log) });

  test('of decisions at the same moment each is made once more upon what the one before left there', async () => {
    const log = await started();
    const outcomes = await Promise.all([note(log), note(log), note(log), note(log)]);
    expect(outcomes.map((outcome) => (isRejection(outcome) ? 'rejected' : outcome.state.slug)).sort()).toEqual([
      'at-0',
      'at-1',
      'at-2',
      'rejected',
    ]);
    expect((await fold(log, page, 'school_a', 'page-2')).state.views).toBe(3);
  });

  test('they follow the claims; those of streams at any version come before', async () => {
    const log = await started();
    await note(log);
    const [commit] = (await log.readLane(log.laneOf('school_a'), 2, 1))!;
    const streams = [...new Set(commit!.events.map(({ stream }) => stream))];
    expect(streams).toEqual(['page-1', 'page-3', 'unique/slug/home', 'unique/slug/at-0', 'page-2']);
  });
});

describe('execute, when a commit id is repeated', () => {
  test('answers with the first outcome, though a new id was drawn and the stream has moved on', async () => {
    const log = memoryEventLog();
    const commitId = randomUUID();
    const first = await accepted(log, { do: 'create', slug: 'home' }, { commitId, stream: 'page-1' });
    await accepted(log, { do: 'move', slug: 'start' });
    const again = await accepted(log, { do: 'create', slug: 'home' }, { commitId, stream: 'page-2' });
    expect(again).toMatchObject({ stream: 'page-1', version: 1, position: 1, replayed: true });
    expect(again.state).toEqual(first.state);
    expect(again.events).toMatchObject(first.events);
    expect((await log.load('school_a', ['page-2'])).heads).toEqual({ 'page-2': 0 });
  });

  test('20 repeats at once write once', async () => {
    const log = memoryEventLog();
    const commitId = randomUUID();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        accepted(log, { do: 'create', slug: 'home' }, { commitId, stream: `page-${n}` }),
      ),
    );
    expect(new Set(outcomes.map((outcome) => outcome.stream)).size).toBe(1);
    expect(outcomes.filter((outcome) => !outcome.replayed)).toHaveLength(1);
    expect(await log.head(log.laneOf('school_a'))).toBe(1);
  });

  test('is answered with it, too, when another process wrote it between the look and the decision', async () => {
    const log = memoryEventLog();
    const commitId = randomUUID();
    let looks = 0;
    const late = forwarding(log, {
      async find(tenant, id) {
        const found = await log.find(tenant, id);
        looks += 1;
        if (looks === 1) await accepted(log, { do: 'create', slug: 'home' }, { commitId });
        return found;
      },
    });
    const again = await accepted(late, { do: 'create', slug: 'home' }, { commitId });
    expect(again).toMatchObject({ version: 1, replayed: true });
    expect(await log.head(log.laneOf('school_a'))).toBe(1);
  });

  test('another fingerprint is refused', async () => {
    const log = memoryEventLog();
    const commitId = randomUUID();
    await accepted(log, { do: 'create', slug: 'home' }, { commitId, fingerprint: 'one' });
    const other = execute(log, page, ask({ do: 'create', slug: 'home' }, { commitId, fingerprint: 'two' }));
    await expect(other).rejects.toThrow(IdempotencyMismatch);
    expect(await accepted(log, { do: 'create', slug: 'home' }, { commitId, fingerprint: 'one' })).toMatchObject({
      replayed: true,
    });
  });
});

describe('claims', () => {
  test('of 50 creates at once with the same slug one wins and the others are rejected', async () => {
    const log = memoryEventLog();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        execute(log, page, ask({ do: 'create', slug: 'home' }, { stream: `page-${n}` })),
      ),
    );
    const winners = outcomes.flatMap((outcome) => (isRejection(outcome) ? [] : [outcome.stream]));
    expect(winners).toHaveLength(1);
    for (const outcome of outcomes)
      if (isRejection(outcome)) expect(outcome).toEqual(reject('slug_taken', 'slug "home" is taken'));
    expect(outcomes.filter(isRejection)).toHaveLength(49);
    expect(await claimant(log, 'school_a', 'slug', 'home')).toBe(winners[0]);
  });

  test('a claim is taken in the commit of its event, and is free in another school', async () => {
    const log = memoryEventLog();
    await accepted(log, { do: 'create', slug: 'home' });
    const { commits } = await log.load('school_a', ['page-1', claimStream('slug', 'home')]);
    expect(commits).toHaveLength(1);
    expect(commits[0]!.streams.map((touched) => touched.id)).toEqual(['page-1', 'unique/slug/home']);
    expect(await accepted(log, { do: 'create', slug: 'home' }, { tenant: 'school_b' })).toMatchObject({ version: 1 });
    expect(await claimant(log, 'school_c', 'slug', 'home')).toBeUndefined();
  });

  test('a value that is given back can be taken by another stream, and again by the first', async () => {
    const log = memoryEventLog();
    await accepted(log, { do: 'create', slug: 'home' });
    await accepted(log, { do: 'move', slug: 'start' });
    expect(await claimant(log, 'school_a', 'slug', 'home')).toBeUndefined();
    expect(await claimant(log, 'school_a', 'slug', 'start')).toBe('page-1');
    await accepted(log, { do: 'create', slug: 'home' }, { stream: 'page-2' });
    expect(await execute(log, page, ask({ do: 'move', slug: 'home' }))).toMatchObject({ rejected: 'slug_taken' });
    await accepted(log, { do: 'remove' }, { stream: 'page-2' });
    await accepted(log, { do: 'move', slug: 'home' });
    expect(await claimant(log, 'school_a', 'slug', 'home')).toBe('page-1');
  });

  test('a decision of several events keeps only the last value', async () => {
    const log = memoryEventLog();
    await accepted(log, { do: 'create', slug: 'a' });
    await accepted(log, { do: 'tour', slugs: ['b', 'c', 'b', 'd'] });
    const holders = await Promise.all(['a', 'b', 'c', 'd'].map((slug) => claimant(log, 'school_a', 'slug', slug)));
    expect(holders).toEqual([undefined, undefined, undefined, 'page-1']);
    await accepted(log, { do: 'tour', slugs: ['e', 'd'] });
    await accepted(log, { do: 'tour', slugs: ['d'] });
    expect(await claimant(log, 'school_a', 'slug', 'd')).toBe('page-1');
    expect(await claimant(log, 'school_a', 'slug', 'e')).toBeUndefined();
  });

  test('a race for a claim is decided again even when the version is pinned', async () => {
    const log = memoryEventLog();
    await accepted(log, { do: 'create', slug: 'home' });
    const other = () => accepted(log, { do: 'create', slug: 'start' }, { stream: 'page-2' });
    const slow = overtaken(log, claimStream('slug', 'start'), [other]);
    expect(await execute(slow, page, ask({ do: 'move', slug: 'start' }, { expected: [1] }))).toMatchObject({
      rejected: 'slug_taken',
    });
  });
});
