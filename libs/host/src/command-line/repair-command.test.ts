import { afterAll, expect, test } from '@jest/globals';
import { sqliteEventLog } from '@lyceum/eventlog';
import { openDatabase } from '@lyceum/sqlite';
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from './arguments.ts';
import { StartRefused } from '@lyceum/service';
import type { ProcessSettings } from '../settings/settings.ts';
import { checkLogCommand } from './log-command.ts';
import { repairLogCommand } from './repair-command.ts';

const root = await mkdtemp(join(tmpdir(), 'lyceum-repair-command-'));
afterAll(() => rm(root, { recursive: true }));

/** A data folder of one service with five commits of a stream, and a backup of it. The third commit is damaged in the folder. */
async function damaged() {
  const dataDir = await mkdtemp(join(root, 'data-'));
  const file = join(dataDir, 'catalog', 'events.db');
  const log = await sqliteEventLog({ file, lanes: 1 });
  for (let n = 1; n <= 5; n += 1)
    await log.append({
      tenant: 'school_1',
      expectations: [],
      events: [{ stream: 'course_1', type: 'Noted', schema: 1, data: { n } }],
      commitId: randomUUID(),
      fingerprint: '',
      at: '2026-01-05T08:00:00.000Z',
      meta: { actor: 'test' },
    });
  await log.close();
  const backup = `${dataDir}-backup`;
  await cp(dataDir, backup, { recursive: true });
  const database = await openDatabase(file, { durable: true });
  database.exec(`UPDATE commits SET lines = replace(lines, '"n":3', '"n":4') WHERE id = 3`);
  database.close();
  return { dataDir, backup, file, settings: { DATA_DIR: dataDir } as ProcessSettings };
}

const asked = (...flags: readonly string[]) => readArguments(['log', 'repair', ...flags]).repair!;

test('log repair says what it would do and does nothing, then does it from a backup, and keeps the damaged file', async () => {
  const { dataDir, backup, settings } = await damaged();
  const dry = await repairLogCommand(settings, asked(`--from=${backup}`));
  expect([dry.isWhole, dry.lines[1]]).toEqual([false, '  lane 0, position 3: damaged; put back from the copy']);
  expect(dry.lines.at(-1)).toBe(`  log repair --from=${backup} --apply`);
  expect((await checkLogCommand(settings, [])).isWhole).toBe(false);
  const done = await repairLogCommand(settings, asked(`--from=${backup}`, '--apply'));
  expect(done.isWhole).toBe(true);
  expect(await checkLogCommand(settings, [])).toMatchObject({ isWhole: true });
  expect((await readdir(join(dataDir, 'catalog'))).filter((name) => name.includes('damaged'))).toHaveLength(1);
  expect(await repairLogCommand(settings, asked())).toEqual({
    lines: ['The event log of catalog is whole.'],
    isWhole: true,
  });
});

test('log repair gives no commit up that it was not told to, and says then what will lack something', async () => {
  const { settings, file } = await damaged();
  const dry = await repairLogCommand(settings, asked());
  expect(dry.lines.join('\n')).toContain('--lost=mark');
  await expect(repairLogCommand(settings, asked('--apply'))).rejects.toThrow(StartRefused);
  expect((await checkLogCommand(settings, [])).isWhole).toBe(false);
  const marked = await repairLogCommand(settings, asked('--lost=mark', '--apply'));
  expect(marked.lines).toContain('  school_1 course_1 will lack version 3');
  expect(await checkLogCommand(settings, [])).toMatchObject({ isWhole: true });
  const log = await sqliteEventLog({ file });
  expect((await log.load('school_1', ['course_1'])).commits.map(({ position }) => position)).toEqual([1, 2, 4, 5]);
  await log.close();
});

test('log repair is refused while a process has the logs, and where they are in MongoDB', async () => {
  const { settings, file } = await damaged();
  const log = await sqliteEventLog({ file });
  await expect(repairLogCommand(settings, asked())).rejects.toThrow('is in use');
  await log.close();
  const mongodb = { ...settings, MONGODB_URL: 'mongodb://127.0.0.1:1' };
  await expect(repairLogCommand(mongodb, asked())).rejects.toThrow('in MongoDB');
});

test('flags of log repair are refused elsewhere, and so is another word for what to do', () => {
  expect(() => readArguments(['log', 'check', '--apply'])).toThrow('--apply belongs to log repair');
  expect(() => readArguments(['log', 'repair', '--lost=drop'])).toThrow('--lost is mark or cut');
});
