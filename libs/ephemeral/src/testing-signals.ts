import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ephemeral, Hearing } from './port.ts';
import type { Open } from './testing-store.ts';

const within = 5_000;

/** What signals are to everybody: heard by all who listen, or by nobody. */
export function testSignals(open: Open): void {
  const listened = async (ephemeral: Ephemeral, topic: string, heard: (text: string) => void): Promise<Hearing> => {
    const hearing = ephemeral.listen(topic, heard);
    for (const end = Date.now() + within; !hearing.isConnected && Date.now() < end;) await pause(5);
    expect(hearing.isConnected).toBe(true);
    return hearing;
  };
  /** Signals until it is heard: a listener may come later than the connection. */
  const signalled = async (ephemeral: Ephemeral, topic: string, text: string, heard: () => boolean): Promise<void> => {
    for (const end = Date.now() + within; !heard() && Date.now() < end; await pause(20)) ephemeral.signal(topic, text);
    expect(heard()).toBe(true);
  };

  test('a signal is heard by each listener of its topic, and by no other', async () => {
    const { ephemeral } = await open();
    const [first, second, other]: [string[], string[], string[]] = [[], [], []];
    await listened(ephemeral, 'a', (text) => first.push(text));
    await listened(ephemeral, 'a', (text) => second.push(text));
    await listened(ephemeral, 'b', (text) => other.push(text));
    await signalled(ephemeral, 'a', '3 17 “ü”', () => first.length > 0 && second.length > 0);
    await signalled(ephemeral, 'b', 'end', () => other.length > 0);
    expect([new Set(first), new Set(second), new Set(other)]).toEqual([
      new Set(['3 17 “ü”']),
      new Set(['3 17 “ü”']),
      new Set(['end']),
    ]);
  });

  test('a listener that throws stops nobody, and one that is closed hears nothing more', async () => {
    const { ephemeral } = await open();
    const [closed, heard]: [string[], string[]] = [[], []];
    const hearing = await listened(ephemeral, 'a', (text) => closed.push(text));
    await listened(ephemeral, 'a', () => {
      throw new Error('of the listener');
    });
    await listened(ephemeral, 'a', (text) => heard.push(text));
    await signalled(ephemeral, 'a', 'one', () => closed.length > 0 && heard.length > 0);
    hearing.close();
    const before = closed.length;
    await signalled(ephemeral, 'a', 'two', () => heard.includes('two'));
    expect(closed).toHaveLength(before);
  });

  test('a store that is closed neither signals nor hears', async () => {
    const { ephemeral } = await open();
    const heard: string[] = [];
    const hearing = await listened(ephemeral, 'a', (text) => heard.push(text));
    await ephemeral.close();
    expect(hearing.isConnected).toBe(false);
    ephemeral.signal('a', 'one');
    ephemeral.listen('a', (text) => heard.push(text));
    await pause(50);
    expect(heard).toEqual([]);
  });
}
