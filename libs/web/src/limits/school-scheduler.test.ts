import { describe, expect, test } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { type IncomingMessage, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep, setImmediate as nextTurn } from 'node:timers/promises';
import { type SchedulerLimits, SchoolScheduler } from './school-scheduler.ts';

/** Schedules requests of schools, and notes which start and which are refused; no school counts as alone. */
function working(limits: Partial<SchedulerLimits> = {}) {
  const scheduler = new SchoolScheduler({ aloneAfter: Infinity, ...limits });
  const [begun, refused]: [string[], string[]] = [[], []];
  const ask = (school: string, work: (response: EventEmitter) => void = () => undefined, maxBusy?: number) => {
    const response = new EventEmitter();
    scheduler.schedule({
      school,
      response,
      refuse: () => void refused.push(school),
      run() {
        begun.push(school);
        work(response);
      },
      ...(maxBusy !== undefined && { maxBusy }),
    });
    return response;
  };
  return { begun, refused, ask };
}

const atOnce = (response: EventEmitter) => void response.emit('prefinish');
const spin = (milliseconds: number): void => {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
};

describe('the scheduler', () => {
  test('S10: whoever connects is let in before the work of those who came before is done', async () => {
    const scheduler = new SchoolScheduler({ maxWait: 60_000 });
    let begun = 0;
    const server = createServer((request, response) => {
      const run = (): void => {
        begun += 1;
        spin(2);
        response.end(String(begun));
      };
      scheduler.schedule({
        school: String(request.headers['x-school']),
        response,
        run,
        refuse: () => response.destroy(),
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const ask = async (school: string): Promise<number> => {
      const { port } = server.address() as AddressInfo;
      const asked = request({ port, host: '127.0.0.1', agent: false, headers: { 'x-school': school } }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      let text = '';
      for await (const part of answer) text += String(part);
      return Number(text);
    };
    const crowd = Array.from({ length: 200 }, () => ask('crowd'));
    expect(await ask('other')).toBeLessThan(150);
    await Promise.all(crowd);
    server.close();
  });

  test('where nobody waits, work begins at once', () => {
    const { begun, ask } = working();
    ask('one', atOnce);
    ask('other');
    expect(begun).toEqual(['one', 'other']);
  });

  test('S10: a school with a thousand requests at once holds up another one by a few', async () => {
    const { begun, ask } = working({ maxQueued: 1_000, maxWait: 60_000 });
    for (let at = 0; at < 1_000; at += 1) ask('crowd', atOnce);
    ask('other', atOnce);
    while (!begun.includes('other')) await nextTurn();
    expect(begun.indexOf('other')).toBeLessThan(10);
    while (begun.length < 1_001) await nextTurn();
  });

  test('work that is done within its turn does not begin more work before others were heard', async () => {
    const { begun, ask } = working({ startsAtOnce: 4, startsFromQueues: 4 });
    for (let at = 0; at < 100; at += 1) ask('crowd', atOnce);
    expect(begun).toHaveLength(4);
    for (let before = begun.length; before < 100; before = begun.length) {
      await nextTurn();
      expect(begun.length - before).toBeLessThanOrEqual(8);
    }
  });

  test('slow work begins alone in its turn', async () => {
    const { begun, ask } = working({ tick: 5 });
    const slow = (response: EventEmitter): void => {
      spin(10);
      atOnce(response);
    };
    for (let at = 0; at < 8; at += 1) ask('crowd', slow);
    const beganAt: number[] = [];
    for (let turn = 0; begun.length < 8; turn += 1) {
      await nextTurn();
      beganAt.push(begun.length);
      expect(turn).toBeLessThan(100);
    }
    expect(Math.max(...beganAt.map((each, at) => each - (beganAt[at - 1] ?? 1)))).toBe(1);
  });

  test('a tick starts work for longer while no other school asks for anything', async () => {
    const startsInTicks = async (aloneAfter: number): Promise<number> => {
      const { begun, ask } = working({ aloneAfter, tick: 2, tickAlone: 1_000, startsAtOnce: 1 });
      const slow = (response: EventEmitter): void => {
        spin(3);
        atOnce(response);
      };
      for (let at = 0; at < 12; at += 1) ask('crowd', slow);
      let most = 0;
      for (let before = begun.length; before < 12; before = begun.length) {
        await nextTurn();
        most = Math.max(most, begun.length - before);
      }
      return most;
    };
    expect(await startsInTicks(Infinity)).toBe(1);
    expect(await startsInTicks(0)).toBeGreaterThan(4);
  });

  test('a school has three quarters of the places at most, and the next one always finds one', async () => {
    const { begun, ask } = working({ concurrency: 8, startsAtOnce: 100, startsFromQueues: 100 });
    for (let at = 0; at < 20; at += 1) ask('crowd');
    await sleep(5);
    expect(begun).toHaveLength(6);
    ask('other');
    await sleep(5);
    expect(begun).toContain('other');
  });

  test('who waits too long, or finds the line of the school full, is refused; nobody of another school', async () => {
    const { begun, refused, ask } = working({ concurrency: 4, maxQueued: 2, maxWait: 50, patientQueue: 1 });
    for (let at = 0; at < 6; at += 1) ask('crowd');
    expect(refused).toEqual(['crowd']);
    await sleep(300);
    expect(refused).toEqual(['crowd', 'crowd', 'crowd']);
    ask('other');
    await sleep(5);
    expect(begun).toContain('other');
    expect(refused).not.toContain('other');
  });

  test('a school with much less in its queue than another one is not refused, however long it waits', async () => {
    const { refused, ask } = working({ concurrency: 1, maxWait: 50, patientQueue: 2 });
    ask('stuck');
    for (let at = 0; at < 20; at += 1) ask('crowd');
    for (let at = 0; at < 9; at += 1) ask('other');
    while (refused.length === 0) await sleep(5);
    expect(refused).toEqual(Array.from({ length: 20 }, () => 'crowd'));
  });

  test('who is gone while waiting is not worked for', async () => {
    const { begun, refused, ask } = working({ concurrency: 1 });
    const first = ask('crowd');
    ask('crowd').emit('close');
    first.emit('close');
    await sleep(5);
    expect([begun, refused]).toEqual([['crowd'], []]);
  });

  test('who is idle for long gives the place to one who waits', async () => {
    const { begun, ask } = working({ concurrency: 1 });
    const stream = ask('crowd', undefined, 20);
    ask('crowd');
    await sleep(300);
    expect(begun).toHaveLength(2);
    // Its end gives back nothing more.
    stream.emit('close');
    ask('crowd');
    await sleep(50);
    expect(begun).toHaveLength(2);
  });

  test('a school that has been alone for a while has more under way, and the next one finds a place all the same', async () => {
    const { begun, ask } = working({ concurrency: 8, concurrencyAlone: 20, aloneAfter: 20, startsAtOnce: 100 });
    for (let at = 0; at < 30; at += 1) ask('crowd');
    await sleep(5);
    expect(begun).toHaveLength(6);
    await sleep(30);
    ask('crowd');
    await sleep(5);
    expect(begun).toHaveLength(20);
    ask('other');
    await sleep(5);
    expect(begun.filter((school) => school === 'other')).toHaveLength(1);
  });

  test('a school that was alone gets its share again once another one asks', async () => {
    const { begun, ask } = working({ concurrency: 8, concurrencyAlone: 20, aloneAfter: 20, startsAtOnce: 100 });
    await sleep(30);
    ask('crowd');
    await sleep(30);
    const crowd = Array.from({ length: 30 }, () => ask('crowd'));
    await sleep(5);
    expect(begun).toHaveLength(20);
    ask('other');
    for (const response of crowd.slice(0, 16)) response.emit('prefinish');
    await sleep(5);
    // What is under way of both: five of six places that the crowd may have beside the other one.
    const [ended, under] = [16, begun.filter((school) => school === 'crowd').length - 16];
    expect([ended, under <= 6, begun.includes('other')]).toEqual([16, true, true]);
  });
});
