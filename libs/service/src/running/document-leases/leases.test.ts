import { afterEach, describe, expect, test } from '@jest/globals';
import { type Documents, DocumentsUnavailable, memoryDocuments } from '@lyceum/documents';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Contender, soleLeases } from '../leases.ts';
import { documentLeases } from './document-leases.ts';

const times = { beat: 40, look: 15, lifetime: 200 };

describe('a lease in the documents', () => {
  const contenders: Contender[] = [];
  const errors: unknown[] = [];
  afterEach(async () => {
    for (const each of contenders.splice(0)) await each.close();
    errors.length = 0;
  });

  /** A process that wants the work, and what it did. */
  const contend = (documents: Documents) => {
    const tokens: number[] = [];
    let working = false;
    const leases = documentLeases(documents, (error) => void errors.push(error), times);
    const contender = leases.contend('relay', async (token) => {
      tokens.push(token);
      working = true;
      return { close: async () => void (working = false) };
    });
    contenders.push(contender);
    return { contender, tokens, isWorking: () => working };
  };
  const until = async (holds: () => boolean): Promise<number> => {
    const began = performance.now();
    while (!holds()) {
      if (performance.now() - began > 5_000) throw new Error('it did not come about within five seconds');
      await sleep(5);
    }
    return performance.now() - began;
  };

  test('one of many has it, and goes on having it', async () => {
    const documents = memoryDocuments();
    const all = Array.from({ length: 5 }, () => contend(documents));
    await until(() => all.some(({ isWorking }) => isWorking()));
    for (let look = 0; look < 20; look += 1) {
      expect(all.filter(({ isWorking }) => isWorking())).toHaveLength(1);
      await sleep(20);
    }
    expect(all.flatMap(({ tokens }) => tokens)).toHaveLength(1);
  });

  test('R1: who gives it back is followed at once, by one, with a greater token', async () => {
    const documents = memoryDocuments();
    const first = contend(documents);
    await until(first.isWorking);
    const others = [contend(documents), contend(documents)];
    await sleep(100);
    await first.contender.close();
    expect(first.isWorking()).toBe(false);
    expect(await until(() => others.some(({ isWorking }) => isWorking()))).toBeLessThan(times.lifetime);
    const token = others.flatMap(({ tokens }) => tokens);
    expect(token).toHaveLength(1);
    expect(token[0]!).toBeGreaterThan(first.tokens[0]!);
  });

  test('R1: who falls silent is followed after a lifetime, and stops when it wakes', async () => {
    const documents = memoryDocuments();
    let silent = false;
    const sleepy: Documents = {
      ...documents,
      open: (...args) => documents.open(...args),
      checkpoint: (...args) => documents.checkpoint(...args),
      apply: (...args) => (silent ? Promise.reject(new DocumentsUnavailable('cut off')) : documents.apply(...args)),
    };
    const first = contend(sleepy);
    await until(first.isWorking);
    const second = contend(documents);
    await sleep(60);
    silent = true;
    await until(second.isWorking);
    expect(first.isWorking()).toBe(false);
    silent = false;
    await sleep(200);
    expect([first.isWorking(), second.isWorking()]).toEqual([false, true]);
    expect(errors.length).toBeGreaterThan(0);
  });

  test('work that cannot begin is tried again', async () => {
    let tries = 0;
    const leases = documentLeases(memoryDocuments(), (error) => void errors.push(error), times);
    const contender = leases.contend('relay', async () => {
      tries += 1;
      if (tries < 3) throw new Error('not yet');
      return { close: async () => undefined };
    });
    contenders.push(contender);
    await until(() => contender.current() !== undefined);
    expect(errors).toHaveLength(2);
  });
});

test('the sole process has every lease at once, and ends the work when it closes', async () => {
  let working = false;
  const contender = soleLeases(() => undefined).contend('relay', async () => {
    working = true;
    return { close: async () => void (working = false) };
  });
  await sleep(1);
  expect([working, contender.current() !== undefined]).toEqual([true, true]);
  await contender.close();
  expect(working).toBe(false);
});
