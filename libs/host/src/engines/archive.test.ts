import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { newInstruments } from '@lyceum/operations';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from '../settings/environment.ts';
import { createLogger } from '../logger.ts';
import { archiveOf } from './archive.ts';
import { openLog } from './engines.ts';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'lyceum-archive-'))));
afterEach(() => rm(folder, { recursive: true }));

const day = 24 * 3_600_000;

test('commits older than LOG_ARCHIVE_DAYS go to the archive, and a line of the log says how many', async () => {
  const { settings } = readEnvironment([], { DATA_DIR: folder, LOG_ARCHIVE_DAYS: '30' });
  const heard: Record<string, unknown>[] = [];
  let isTold: () => void = () => undefined;
  const told = new Promise<void>((resolve) => (isTold = resolve));
  const logger = createLogger('info', { write: (line: string) => (heard.push(JSON.parse(line)), isTold()) });
  const open = (archive?: ReturnType<typeof archiveOf>) =>
    openLog(settings, 'catalog', newInstruments().files, archive && { archive });
  const written = await open();
  for (const days of [40, 35, 31, 29, 0]) {
    const events = [{ stream: 'note', type: 'Noted', schema: 1, data: { days } }];
    const append = { tenant: 'school_1', expectations: [], events, commitId: randomUUID(), fingerprint: '' };
    await written.append({ ...append, at: new Date(Date.now() - days * day).toISOString(), meta: { actor: 'test' } });
  }
  await written.close();
  const log = await open({ ...archiveOf(settings, 'catalog', logger)!, first: 0, pause: 0, together: 1 });
  await told;
  expect(heard).toMatchObject([
    {
      level: 'info',
      service: 'catalog',
      commits: 3,
      bytes_before: expect.any(Number),
      bytes_after: expect.any(Number),
    },
  ]);
  expect((await log.load('school_1', ['note'])).commits.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
  await log.close();
});

test('nothing is archived unless LOG_ARCHIVE_DAYS is given, and it is refused where the logs are on a server', () => {
  expect(archiveOf(readEnvironment([], {}).settings, 'catalog', createLogger('silent'))).toBeUndefined();
  const problemsOf = (env: Record<string, string>) =>
    readEnvironment([], env).problems.map(({ variable, expected }) => `${variable}: ${expected}`);
  expect(problemsOf({ LOG_ARCHIVE_DAYS: '30' })).toEqual([]);
  for (const days of ['0', '1.5', '-1', 'many']) expect(problemsOf({ LOG_ARCHIVE_DAYS: days })).toHaveLength(1);
  expect(problemsOf({ LOG_ARCHIVE_DAYS: '30', MONGODB_URL: 'mongodb://db/' })).toEqual([
    'LOG_ARCHIVE_DAYS: to be unset when MONGODB_URL is set: only logs in files of this machine have an archive',
  ]);
});
