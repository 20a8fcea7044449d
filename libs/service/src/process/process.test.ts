import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { memoryChannel } from '@lyceum/channel';
import { faultyChannel } from '@lyceum/channel/testing';
import { type Documents, type IncomingCommit, incomingFromMessage, memoryDocuments } from '@lyceum/documents';
import { type EventLog, execute, memoryEventLog } from '@lyceum/eventlog';
import { type Decider, type EventTypes, reject, uuidv5 } from '@lyceum/kernel';
import { FakeClock, until } from '@lyceum/testkit';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { NeedsOperator } from './needs-operator.ts';
import type { ProcessManager } from './process.ts';
import { type ProcessOptions, type RunningProcess, runProcess } from './run-process.ts';

const anything = { parse: (value: unknown) => value as never };
const hour = 3_600_000;

/** Seats: taken, confirmed or given back. Each command really changes something each time, so a doubled one shows. */
const seatEvents = { SeatCounted: { version: 1, data: anything } } satisfies EventTypes;
const seats: Decider<number, string, { type: 'SeatCounted'; data: string }, 'sold_out'> = {
  events: seatEvents,
  initial: 0,
  decide: (what, count) =>
    what === 'hold' && count >= 50 ? reject('sold_out', 'none left') : [{ type: 'SeatCounted', data: what }],
  evolve: (count) => count + 1,
};

type Command = { readonly seat: string; readonly what: 'hold' | 'confirm' | 'release' | 'apologise' };
type State = { readonly status: 'new' | 'held' | 'paid' | 'expired' | 'refused' };
type OwnEvent = { readonly type: 'StatusChanged'; readonly data: State['status'] };

/** A purchase: holds a seat when it is begun, confirms it when it is paid, and gives it back when that takes an hour. */
const purchase = (log: () => EventLog, carried: Command[] = []): ProcessManager<State, OwnEvent, Command> => ({
  name: 'purchase',
  events: { StatusChanged: { version: 1, data: anything } },
  initial: { status: 'new' },
  evolve: (_, { data }) => ({ status: data }),
  correlate: ({ type, stream }) => (/^(Begun|Paid)$/.test(type) ? stream : undefined),
  react(input, { status }, now) {
    const become = (data: State['status']) => [{ type: 'StatusChanged', data } as const];
    if (input.kind === 'rejected')
      return {
        events: become('refused'),
        cancel: ['payment'],
        commands: [{ seat: input.command.seat, what: 'apologise' }],
      };
    if (input.kind === 'timer')
      return status === 'held' ? { events: become('expired'), commands: [{ seat: 's', what: 'release' }] } : {};
    if (input.event.type === 'Begun' && status === 'new') {
      const seat = (input.event.data as { seat?: string }).seat ?? 's';
      const due = new Date(Date.parse(now) + hour).toISOString();
      return { events: become('held'), set: { payment: due }, commands: [{ seat, what: 'hold' }] };
    }
    if (input.event.type === 'Paid' && status === 'held')
      return { events: become('paid'), cancel: ['payment'], commands: [{ seat: 's', what: 'confirm' }] };
    return {};
  },
  async carryOut(command, { tenant, commitId, at, meta, correlation }) {
    carried.push(command);
    if (command.seat === 'broken') throw new Error('no such hall');
    const request = { tenant, stream: `seat_${correlation}`, at, meta, commitId };
    const start = command.seat === 'full' ? { ...seats, initial: 50 } : seats;
    return execute(log(), start, { ...request, command: command.what });
  },
});

const running: RunningProcess[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.close();
});

interface Stage {
  readonly log: EventLog;
  readonly documents: Documents;
  readonly clock: FakeClock;
}

const stage = (): Stage => ({
  log: memoryEventLog({ lanes: 2 }),
  documents: memoryDocuments(),
  clock: new FakeClock(),
});

const quiet = pino({ level: 'silent' });

async function start(given: Stage, options: Partial<ProcessOptions> = {}, carried: Command[] = [], log = given.log) {
  const manager = { ...purchase(() => log, carried), tries: 2 };
  const ports = { ...given, log, logger: quiet };
  const process = await runProcess(manager, ports, { service: 'shop', poll: 60_000, backoff: () => 1, ...options });
  running.push(process);
  return process;
}

const happen = ({ log, clock }: Stage, type: string, order = 'order_1', data: unknown = {}, tenant = 'school_1') =>
  log.append({
    tenant,
    expectations: [],
    events: [
      {
        stream: order,
        type,
        schema: 1,
        data,
      },
    ],
    fingerprint: '',
    commitId: uuidv5(tenant, order, type),
    at: new Date(clock.now()).toISOString(),
    meta: { actor: 'test' },
  });

/** What happened to a seat, in order. */
async function effects({ log }: Stage, order = 'order_1', tenant = 'school_1'): Promise<readonly unknown[]> {
  const { commits } = await log.load(tenant, [`seat_${order}`]);
  return commits.flatMap(({ events }) => events.map(({ data }) => data));
}

/** Waits until nothing more follows from what there is. */
async function settled({ log }: Stage, process: RunningProcess): Promise<void> {
  const heads = () => Promise.all([0, 1].map((lane) => log.head(lane)));
  for (let before = [-1, -1], now = await heads(); before.join() !== now.join(); now = await heads()) {
    before = now;
    await process.caughtUp();
  }
}

describe('a process manager', () => {
  test('turns what it hears into commands, and remembers', async () => {
    const given = stage();
    const process = await start(given);
    await happen(given, 'Begun');
    await settled(given, process);
    expect(await effects(given)).toEqual(['hold']);
    await happen(given, 'Paid');
    await settled(given, process);
    expect(await effects(given)).toEqual(['hold', 'confirm']);
  });

  test('keeps the processes of two schools apart', async () => {
    const given = stage();
    const process = await start(given);
    await happen(given, 'Begun', 'order_1', {}, 'school_1');
    await happen(given, 'Paid', 'order_1', {}, 'school_2');
    await settled(given, process);
    expect([await effects(given), await effects(given, 'order_1', 'school_2')]).toEqual([['hold'], []]);
  });

  test('hears of a rejection, which is final', async () => {
    const given = stage();
    const carried: Command[] = [];
    const process = await start(given, {}, carried);
    await happen(given, 'Begun', 'order_1', { seat: 'full' });
    await settled(given, process);
    expect(carried.map(({ what }) => what)).toEqual(['hold', 'apologise']);
    given.clock.advance(2 * hour);
    await process.fireDue();
    await settled(given, process);
    expect(carried).toHaveLength(2);
  });

  test('that fails waits, others go on, and an operator resumes it', async () => {
    const given = stage();
    const carried: Command[] = [];
    const process = await start(given, {}, carried);
    const tried = () => carried.filter(({ seat }) => seat === 'broken').length;
    await happen(given, 'Begun', 'order_1', { seat: 'broken' });
    await happen(given, 'Begun', 'order_2');
    await settled(given, process);
    expect([tried(), await effects(given, 'order_2')]).toEqual([2, ['hold']]);
    await process.resume('school_1', 'order_1');
    await settled(given, process);
    expect(tried()).toBe(3);
    given.clock.advance(hour / 2);
    await process.fireDue();
    await settled(given, process);
    expect(await process.stuck()).toEqual([
      { tenant: 'school_1', correlation: 'order_1', error: 'Error: no such hall', since: '2026-01-05T08:00:00.000Z' },
    ]);
    await process.resume('school_1', 'order_2');
    await settled(given, process);
    expect([tried(), await effects(given, 'order_2')]).toEqual([4, ['hold']]);
  });

  test('a resumed process whose command works now is stuck no more', async () => {
    const given = stage();
    let broken = true;
    const manager = purchase(() => given.log);
    const flaky: typeof manager = {
      ...manager,
      tries: 1,
      carryOut: (command, order) =>
        broken ? Promise.reject(new NeedsOperator('down')) : manager.carryOut(command, order, undefined),
    };
    const process = await runProcess(flaky, { ...given, logger: quiet }, { service: 'shop', backoff: () => 1 });
    running.push(process);
    await happen(given, 'Begun');
    await settled(given, process);
    expect(await process.stuck()).toHaveLength(1);
    broken = false;
    await process.resume('school_1', 'order_1');
    await settled(given, process);
    expect([await process.stuck(), await effects(given)]).toEqual([[], ['hold']]);
  });
});

describe('a timer', () => {
  test('fires once when it is due, by the poller alone', async () => {
    const given = stage();
    const process = await start(given, { poll: 5 });
    await happen(given, 'Begun');
    await settled(given, process);
    given.clock.advance(hour - 1);
    await pause(40);
    expect(await effects(given)).toEqual(['hold']);
    given.clock.advance(1);
    await until(async () => (await effects(given)).length === 2);
    await pause(30);
    await settled(given, process);
    expect(await effects(given)).toEqual(['hold', 'release']);
  });

  test('is not looked for as long as none is due and none was set, whatever the pace of looks', async () => {
    const given = stage();
    const asked = jest.spyOn(given.documents, 'query');
    const looks = () => asked.mock.calls.filter(([{ name }]) => name === 'process.purchase').length;
    const process = await start(given, { poll: 5 });
    await happen(given, 'Begun');
    await settled(given, process);
    await until(async () => {
      const before = looks();
      await pause(100);
      return looks() === before;
    });
    given.clock.advance(hour);
    await until(async () => (await effects(given)).length === 2);
    expect(await effects(given)).toEqual(['hold', 'release']);
  });

  test('that was canceled never fires, although the index may be behind', async () => {
    const given = stage();
    const process = await start(given);
    await happen(given, 'Begun');
    await settled(given, process);
    given.clock.advance(hour);
    await happen(given, 'Paid');
    const racing = process.fireDue();
    await settled(given, process);
    await racing;
    await process.fireDue();
    await settled(given, process);
    const all = await effects(given);
    expect([
      ['hold', 'confirm'],
      ['hold', 'release'],
    ]).toContainEqual(all);
    await process.fireDue();
    await settled(given, process);
    expect(await effects(given)).toEqual(all);
  });

  test('fires once though the clock steps back and forth, and two pollers race', async () => {
    const given = stage();
    const [one, other] = [await start(given), await start(given)];
    await happen(given, 'Begun');
    await settled(given, one);
    await settled(given, other);
    given.clock.advance(-5 * hour);
    await one.fireDue();
    given.clock.advance(7 * hour);
    await Promise.all([one.fireDue(), other.fireDue(), one.fireDue()]);
    given.clock.advance(-7 * hour);
    await settled(given, one);
    given.clock.advance(9 * hour);
    await Promise.all([one.fireDue(), other.fireDue()]);
    await settled(given, other);
    expect(await effects(given)).toEqual(['hold', 'release']);
  });

  test('that fell due while nothing ran fires after the start, also from an index that was lost', async () => {
    const given = stage();
    const first = await start(given);
    await happen(given, 'Begun');
    await settled(given, first);
    await first.close();
    given.clock.advance(3 * hour);
    const after = { ...given, documents: memoryDocuments() };
    const next = await start(after);
    await settled(after, next);
    await next.fireDue();
    await settled(after, next);
    expect(await effects(after)).toEqual(['hold', 'release']);
  });
});

/** A log that breaks at its n-th append: before it is stored, or after. */
function breaking(log: EventLog, at: number, when: 'before' | 'after'): EventLog {
  let appends = 0;
  return {
    ...log,
    async append(append) {
      appends += 1;
      if (appends === at && when === 'before') throw new Error('the process ended');
      const appended = await log.append(append);
      if (appends >= at) throw new Error('the process ended');
      return appended;
    },
  };
}

describe('exactly once in effect', () => {
  const points = [1, 2, 3, 4, 5, 6].flatMap((at) => (['before', 'after'] as const).map((when) => [when, at] as const));

  test.each(points)('a crash %s append %i is made up for by the next process', async (when, at) => {
    const given = stage();
    await happen(given, 'Begun', 'order_1');
    await happen(given, 'Begun', 'order_2');
    const doomed = await start(given, {}, [], breaking(given.log, at, when));
    await pause(15);
    await happen(given, 'Paid', 'order_1');
    given.clock.advance(2 * hour);
    await Promise.race([doomed.fireDue().catch(() => undefined), pause(20)]);
    await pause(15);
    await doomed.close();
    const next = await start(given);
    await settled(given, next);
    for (const correlation of ['order_1', 'order_2']) await next.resume('school_1', correlation);
    await settled(given, next);
    await next.fireDue();
    await settled(given, next);
    const [one, two] = [await effects(given, 'order_1'), await effects(given, 'order_2')];
    expect([
      ['hold', 'confirm'],
      ['hold', 'release'],
    ]).toContainEqual(one);
    expect(two).toEqual(['hold', 'release']);
    expect(await next.stuck()).toEqual([]);
  });

  test.each([1, 2, 3, 4, 5])(
    'facts that come twice, late, or again from the past change nothing (seed %i)',
    async (seed) => {
      const given = stage();
      const process = await start(given, { takesOwn: false });
      const inner = memoryChannel({ backoff: () => 1 });
      const channel = faultyChannel(inner, { seed, drop: 0.2, duplicate: 0.4, rewind: 0.3, delay: 0.3 });
      const orders = Array.from({ length: 8 }, (_, index) => `order_${index}`);
      const messages = orders
        .flatMap((subject) => [
          [subject, 'Begun'],
          [subject, 'Paid'],
        ])
        .map(([subject, type], index) => ({
          source: 'till',
          lane: 0,
          position: index + 1,
          previous: index,
          tenant: 'school_1',
          at: '2026-01-05T08:00:00.000Z',
          facts: [
            {
              id: `fact_${index}`,
              type: type!,
              schema: 1,
              subject: subject!,
              version: 1 + (index % 2),
              data: {},
            },
          ],
        }));
      const owned: typeof messages = [];
      channel.offer('till', 1, async (_lane, after, limit) =>
        owned.filter(({ position }) => position > after).slice(0, limit),
      );
      const hearing = await process.inputsOf('till');
      const again: IncomingCommit[] = [];
      const feed = channel.subscribe({
        consumer: 'purchase',
        source: 'till',
        from: (lane) => hearing.from(lane, undefined),
        async handle(message) {
          again.push(incomingFromMessage(message));
          await hearing.take(0, again.slice(-1));
          await hearing.take(0, [again[(seed * again.length) % again.length]!]);
        },
      });
      for (const message of messages) {
        owned.push(message);
        await channel.publish([message]);
      }
      await feed.caughtUp();
      await settled(given, process);
      const amnesiac = { ...given, documents: memoryDocuments() };
      const next = await start(amnesiac, { takesOwn: false });
      const anew = await next.inputsOf('till');
      await anew.from(0, undefined);
      await anew.take(0, again);
      await settled(amnesiac, next);
      for (const order of orders) expect(await effects(given, order)).toEqual(['hold', 'confirm']);
      await feed.close();
      await channel.close();
    },
  );

  test('an input that led to nothing is not heard again when the process has moved on', async () => {
    const given = stage();
    const process = await start(given, { takesOwn: false });
    const fact = (position: number, type: string): IncomingCommit => ({
      previous: position - 1,
      position,
      events: [
        {
          tenant: 'school_1',
          stream: 'order_1',
          type,
          schema: 1,
          version: position,
          at: '2026-01-05T08:00:00.000Z',
          position,
          data: {},
        },
      ],
    });
    const hearing = await process.inputsOf('till');
    await hearing.from(0, undefined);
    await hearing.take(0, [fact(1, 'Paid'), fact(2, 'Begun')]);
    await settled(given, process);
    const amnesiac = { ...given, documents: memoryDocuments() };
    const next = await start(amnesiac, { takesOwn: false });
    const again = await next.inputsOf('till');
    await again.from(0, undefined);
    await again.take(0, [fact(1, 'Paid')]);
    await settled(amnesiac, next);
    await settled(given, process);
    expect(await effects(given)).toEqual(['hold']);
  });
});
