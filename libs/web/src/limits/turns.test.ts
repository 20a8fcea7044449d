import { describe, expect, test } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { type IncomingMessage, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep, setImmediate as nextTurn } from 'node:timers/promises';
import { type TurnLimits, Turns } from './turns.ts';

/** Takes turns for requests of schools, and notes who begins and who is refused. */
function working(limits: Partial<TurnLimits> = {}) {
  const turns = new Turns(limits);
  const [begun, refused]: [string[], string[]] = [[], []];
  const ask = (school: string, work: (response: EventEmitter) => void = () => undefined, mostBusy?: number) => {
    const response = new EventEmitter();
    turns.take({
      school,
      response,
      refuse: () => void refused.push(school),
      go() {
        begun.push(school);
        work(response);
      },
      ...(mostBusy !== undefined && { mostBusy }),
    });
    return response;
  };
  return { begun, refused, ask };
}

const atOnce = (response: EventEmitter) => void response.emit('prefinish');
const spin = (milliseconds: number): void => {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
};

describe('turns', () => {
  test('S10: whoever connects is let in before the work of those who came before is done', async () => {
    const turns = new Turns();
    let begun = 0;
    const server = createServer((request, response) => {
      const go = (): void => {
        begun += 1;
        spin(2);
        response.end(String(begun));
      };
      turns.take({ school: String(request.headers['x-school']), response, go, refuse: () => response.destroy() });
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
    const { begun, ask } = working({ longest: 1_000 });
    for (let at = 0; at < 1_000; at += 1) ask('crowd', atOnce);
    ask('other', atOnce);
    while (!begun.includes('other')) await nextTurn();
    expect(begun.indexOf('other')).toBeLessThan(10);
    while (begun.length < 1_001) await nextTurn();
  });

  test('work that is done within its turn does not begin more work before others were heard', async () => {
    const { begun, ask } = working({ starts: 4, fromLines: 4 });
    for (let at = 0; at < 100; at += 1) ask('crowd', atOnce);
    expect(begun).toHaveLength(4);
    for (let before = begun.length; before < 100; before = begun.length) {
      await nextTurn();
      expect(begun.length - before).toBeLessThanOrEqual(8);
    }
  });

  test('slow work begins alone in its turn', async () => {
    const { begun, ask } = working({ turn: 5 });
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

  test('a school has three quarters of the places at most, and the next one always finds one', async () => {
    const { begun, ask } = working({ places: 8, starts: 100, fromLines: 100 });
    for (let at = 0; at < 20; at += 1) ask('crowd');
    await sleep(5);
    expect(begun).toHaveLength(6);
    ask('other');
    await sleep(5);
    expect(begun).toContain('other');
  });

  test('who waits too long, or finds the line of the school full, is refused; nobody of another school', async () => {
    const { begun, refused, ask } = working({ places: 4, longest: 2, patience: 50, few: 1 });
    for (let at = 0; at < 6; at += 1) ask('crowd');
    expect(refused).toEqual(['crowd']);
    await sleep(300);
    expect(refused).toEqual(['crowd', 'crowd', 'crowd']);
    ask('other');
    await sleep(5);
    expect(begun).toContain('other');
    expect(refused).not.toContain('other');
  });

  test('who is gone while waiting is not worked for', async () => {
    const { begun, refused, ask } = working({ places: 1 });
    const first = ask('crowd');
    ask('crowd').emit('close');
    first.emit('close');
    await sleep(5);
    expect([begun, refused]).toEqual([['crowd'], []]);
  });

  test('who is idle for long gives the place to one who waits', async () => {
    const { begun, ask } = working({ places: 1 });
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
});
