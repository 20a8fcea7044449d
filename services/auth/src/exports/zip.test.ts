import { describe, expect, test } from '@jest/globals';
import { unzip } from '@lyceum/testkit';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type ZippedFile, zipOf } from './zip.ts';

const at = new Date('2026-01-05T08:00:00.000Z');

async function* files(...all: ZippedFile[]): AsyncGenerator<ZippedFile> {
  yield* all;
}

describe('a zip of files', () => {
  test('has them whole and in order, each made when the one before is written', async () => {
    const order: string[] = [];
    const file = (name: string, pieces: readonly string[]): ZippedFile => ({
      name,
      pieces: (function* () {
        order.push(name);
        yield* pieces;
      })(),
    });
    async function* inTurn() {
      yield file('a/one.json', ['[', '"ü"', '', ']']);
      order.push('asked for the next');
      yield file('empty.txt', []);
      yield file('two.txt', ['x'.repeat(300_000)]);
    }
    const unpacked = await unzip(await buffer(zipOf(inTurn(), at)));
    expect([...unpacked]).toEqual([
      ['a/one.json', '["ü"]'],
      ['empty.txt', ''],
      ['two.txt', 'x'.repeat(300_000)],
    ]);
    expect(order).toEqual(['a/one.json', 'asked for the next', 'empty.txt', 'two.txt']);
  });

  test('is made no faster than it is taken, however much there is', async () => {
    let made = 0;
    async function* endless() {
      for (; ; made += 1) yield randomBytes(48 * 1024).toString('base64');
    }
    const zip = zipOf(files({ name: 'endless.txt', pieces: endless() }), at);
    zip.read(1);
    await delay(100);
    const before = made;
    await delay(100);
    expect([before > 0, made - before, made < 40]).toEqual([true, 0, true]);
    zip.destroy();
  });

  test('ends with the error of a file that cannot be read, and is no zip then', async () => {
    async function* failing() {
      yield 'x'.repeat(200_000);
      throw new Error('planned failure');
    }
    const parts: Buffer[] = [];
    const taking = async () => {
      for await (const part of zipOf(files({ name: 'one.txt', pieces: failing() }), at)) parts.push(part as Buffer);
    };
    await expect(taking()).rejects.toThrow('planned failure');
    await expect(unzip(Buffer.concat(parts))).rejects.toThrow();
  });

  test('ends with the error between two files', async () => {
    async function* failing() {
      yield { name: 'one.txt', pieces: ['one'] };
      throw new Error('planned failure');
    }
    await expect(buffer(zipOf(failing(), at))).rejects.toThrow('planned failure');
  });

  test('asks for nothing more when the reader has gone', async () => {
    const ends: string[] = [];
    async function* endless() {
      try {
        for (;;) yield 'x'.repeat(100_000);
      } finally {
        ends.push('over');
      }
    }
    const zip = zipOf(files({ name: 'endless.txt', pieces: endless() }), at);
    await zip[Symbol.asyncIterator]().next();
    zip.destroy();
    for (let left = 100; left > 0 && ends.length === 0; left -= 1) await delay(10);
    expect(ends).toEqual(['over']);
  });
});
