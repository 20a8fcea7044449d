import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { memoryChannel } from '@lyceum/channel';
import { memoryDocuments } from '@lyceum/documents';
import { memoryEventLog } from '@lyceum/eventlog';
import { isoTime, uuidv5 } from '@lyceum/kernel';
import { FakeClock, until } from '@lyceum/testkit';
import { silentLogger } from '@lyceum/web';
import { type Reaction, type RunningReaction, startReaction } from './reaction.ts';
import type { ModulePorts } from '../module.ts';

describe('a duty', () => {
  const running: RunningReaction[] = [];
  afterEach(async () => {
    for (const each of running.splice(0)) await each.close();
  });

  const engines = () => {
    const [log, documents, channel] = [memoryEventLog(), memoryDocuments(), memoryChannel()];
    const clock = new FakeClock();
    const ports = { log, documents, channel, clock, logger: silentLogger } as unknown as ModulePorts;
    const write = (n: number, stream = 's', tenant = 'school_1') =>
      log.append({
        tenant,
        expectations: [],
        events: [{ stream, type: 'Rung', schema: 1, data: { n } }],
        commitId: uuidv5('rung', n),
        fingerprint: '',
        at: '2026-01-05T08:00:00.000Z',
        meta: { actor: 'system' },
      });
    return { ports, write, clock };
  };
  const start = async (ports: ModulePorts, reaction: Reaction) => {
    const on = await startReaction(ports, 'school', reaction);
    running.push(on);
    return on;
  };

  test('gets the events of its own log in order, and after a restart only what is new', async () => {
    const { ports, write } = engines();
    const seen: unknown[] = [];
    const reaction: Reaction = { name: 'bell', events: ['Rung'], perform: async ({ data }) => void seen.push(data) };
    const first = await start(ports, reaction);
    for (const n of [1, 2, 3]) await write(n);
    await first.caughtUp();
    await first.close();
    await write(4);
    await (await start(ports, reaction)).caughtUp();
    expect(seen).toEqual([1, 2, 3, 4].map((n) => ({ n })));
  });

  test('is tried again when it fails, and what stands behind in its stream waits', async () => {
    const { ports, write } = engines();
    const seen: number[] = [];
    let failures = 2;
    const perform: Reaction['perform'] = async ({ data }) => {
      const { n } = data as { n: number };
      if (n === 2 && (failures -= 1) >= 0) throw new Error('not now');
      seen.push(n);
    };
    for (const n of [1, 2, 3]) await write(n);
    await (await start(ports, { name: 'bell', events: ['Rung'], perform })).caughtUp();
    expect(seen).toEqual([1, 2, 3]);
  });

  test('is shown to operators when it fails five times in a row, until it succeeds', async () => {
    const { ports, write, clock } = engines();
    let failures = 0;
    let isMended = false;
    const perform: Reaction['perform'] = async ({ data }) => {
      if ((data as { n: number }).n !== 2 || isMended) return;
      failures += 1;
      throw new TypeError('no such member');
    };
    const at = isoTime(clock.now());
    for (const n of [1, 2, 3]) await write(n);
    const on = await start(ports, { name: 'bell', events: ['Rung'], perform });
    const after = async (times: number) => {
      await until(() => failures >= times);
      return on.current()!.stuck();
    };
    expect(await after(4)).toEqual([]);
    const stuck = { tenant: 'school_1', correlation: 's@2', error: 'TypeError: no such member', since: at };
    expect(await after(5)).toEqual([stuck]);
    isMended = true;
    await on.current()!.resume('school_1', 's@2');
    await on.caughtUp();
    expect(await on.current()!.stuck()).toEqual([]);
  });

  test('that fails for ever holds one stream: others of its school and lane go on, and a restart repeats none of them', async () => {
    const { ports, write } = engines();
    const seen: string[] = [];
    let isMended = false;
    const perform: Reaction['perform'] = async ({ tenant, stream, data }) => {
      const { n } = data as { n: number };
      if (n === 1 && !isMended) throw new TypeError('no such member');
      seen.push(`${tenant} ${stream} ${n}`);
    };
    await write(1);
    await write(2, 'other');
    await write(3, 's', 'school_2');
    await write(4);
    const reaction: Reaction = { name: 'bell', events: ['Rung'], perform };
    const first = await start(ports, reaction);
    await until(() => seen.length === 2);
    await until(async () => (await first.current()!.stuck()).length > 0);
    await write(5);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await first.close();
    const next = await start(ports, reaction);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(seen.sort()).toEqual(['school_1 other 2', 'school_2 s 3']);
    const [stuck, ...more] = await next.current()!.stuck();
    expect([stuck?.correlation, stuck?.error, more]).toEqual(['s@1', 'TypeError: no such member', []]);
    isMended = true;
    await next.current()!.resume('school_1', 's@1');
    await next.caughtUp();
    expect(seen.slice(2)).toEqual(['school_1 s 1', 'school_1 s 4', 'school_1 s 5']);
    await next.close();
    const last = await start(ports, reaction);
    await last.caughtUp();
    expect([seen.length, await last.current()!.stuck()]).toEqual([5, []]);
  });

  test('keeps its place once for all that a batch brought', async () => {
    const { ports, write } = engines();
    const saved = jest.spyOn(ports.documents, 'apply');
    for (let n = 0; n < 200; n += 1) await write(n);
    const on = await start(ports, { name: 'bell', events: ['Rung'], perform: async () => undefined });
    await on.caughtUp();
    await on.close();
    expect(saved.mock.calls.length).toBeLessThan(5);
  });

  test('keeps a place for each life of the log: in another one it begins anew', async () => {
    const [one, another] = [engines(), engines()];
    const seen: unknown[] = [];
    const reaction: Reaction = {
      name: 'bell',
      events: ['Rung'],
      perform: async ({ data }) => void seen.push((data as { n: number }).n),
    };
    const doneIn = async (life: string, { log }: ModulePorts): Promise<void> => {
      const on = await start({ ...one.ports, log: { ...log, epoch: life } }, reaction);
      await on.caughtUp();
      await on.close();
    };
    for (const n of [1, 2, 3]) await one.write(n);
    await doneIn('first', one.ports);
    await another.write(4);
    await doneIn('second', another.ports);
    await one.write(5);
    await doneIn('first', one.ports);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  test('may follow the facts of another service, from its own place in them', async () => {
    const { ports } = engines();
    const fact = (position: number) => ({
      source: 'auth',
      lane: 0,
      position,
      previous: position - 1,
      tenant: 'school_1',
      at: '2026-01-05T08:00:00.000Z',
      facts: [
        { id: `f${position}`, type: 'AccountOpened', schema: 1, subject: 's', version: position, data: { position } },
      ],
    });
    const history = [fact(1), fact(2)];
    ports.channel.offer('auth', 1, async (_, after) => history.filter(({ position }) => position > after));
    const seen: unknown[] = [];
    const reaction: Reaction = {
      name: 'greet',
      source: 'auth',
      events: ['AccountOpened'],
      perform: async ({ data }) => void seen.push(data),
    };
    const first = await start(ports, reaction);
    await first.caughtUp();
    await first.close();
    history.push(fact(3));
    await (await start(ports, reaction)).caughtUp();
    expect(seen).toEqual([1, 2, 3].map((position) => ({ position })));
  });
});
