import { afterAll, expect, test } from '@jest/globals';
import { fstatSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WalFlushing } from './wal-flushing.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-wal-'));
afterAll(() => rm(folder, { recursive: true }));

/** A disk that is done when the test says so. */
function slowDisk() {
  const asked: { readonly descriptor: number; readonly done: () => void }[] = [];
  return { asked, disk: (descriptor: number, done: () => void) => void asked.push({ descriptor, done }) };
}

const until = async (holds: () => boolean): Promise<void> => {
  for (let tries = 0; !holds() && tries < 1_000; tries += 1) await pause(10);
  expect(holds()).toBe(true);
};

test('many commits are one trip to the disk, and what came meanwhile is the next', async () => {
  const file = join(folder, 'many');
  writeFileSync(`${file}-wal`, 'pages');
  const { asked, disk } = slowDisk();
  const flushing = new WalFlushing(file, disk);
  for (let commit = 0; commit < 5; commit += 1) flushing.written();
  await until(() => asked.length === 1);
  flushing.written();
  flushing.written();
  await pause(150);
  expect(asked).toHaveLength(1);
  asked[0]!.done();
  await until(() => asked.length === 2);
  asked[1]!.done();
  await pause(150);
  expect(asked).toHaveLength(2);
  flushing.close();
});

test('closing in the middle of a trip keeps its file open until it is over', async () => {
  const file = join(folder, 'closing');
  writeFileSync(`${file}-wal`, 'pages');
  const { asked, disk } = slowDisk();
  const flushing = new WalFlushing(file, disk);
  flushing.written();
  await until(() => asked.length === 1);
  const { descriptor, done } = asked[0]!;
  flushing.close();
  flushing.written();
  expect(fstatSync(descriptor).size).toBe(5);
  done();
  const isOpen = (): boolean => {
    try {
      return fstatSync(descriptor).size >= 0;
    } catch {
      return false;
    }
  };
  await until(() => !isOpen());
  expect(asked).toHaveLength(1);
});

test('without a WAL there is nothing to do, until there is one', async () => {
  const file = join(folder, 'later');
  const { asked, disk } = slowDisk();
  const flushing = new WalFlushing(file, disk);
  flushing.written();
  await pause(150);
  expect(asked).toHaveLength(0);
  writeFileSync(`${file}-wal`, 'pages');
  flushing.written();
  await until(() => asked.length === 1);
  asked[0]!.done();
  flushing.close();
});
