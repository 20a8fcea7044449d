import { type Projection, liveDocuments, sqliteDocuments } from '@lyceum/documents';
import { sqliteEventLog } from '@lyceum/eventlog';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newInstruments } from '@lyceum/operations';
import { createLogger } from '../logger.ts';
import { afterLostCommits } from './lost-commits.ts';
import { projectLog } from '@lyceum/service';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'lyceum-lost-'))));
afterEach(() => rm(folder, { recursive: true }));

const projection: Projection = {
  collection: { name: 'notes', version: 1, fields: {} },
  key: ({ stream }) => stream,
  project: ({ data }) => data as Record<string, unknown>,
};
const logger = createLogger('silent');
const module = { name: 'catalog', projected: [{ projections: [projection] }] };

test('E-C7: a log that lost acknowledged commits goes on in another life, and its read models are built anew', async () => {
  const file = join(folder, 'catalog', 'events.db');
  const documents = await sqliteDocuments({ file: join(folder, 'documents.db') });
  const opened = async () => {
    const { files } = newInstruments();
    const log = await sqliteEventLog({ file, lanes: 1, open: files.openLog('catalog') });
    return afterLostCommits(module, { log, documents, files }, logger);
  };
  const write = async (log: Awaited<ReturnType<typeof opened>>, stream: string) => {
    const events = [{ stream, type: 'Noted', schema: 1, data: { stream } }];
    const append = { tenant: 'school_1', expectations: [], events, commitId: randomUUID(), fingerprint: '' };
    await log.append({ ...append, at: '2026-01-05T08:00:00.000Z', meta: { actor: 'test' } });
  };
  const project = async (log: Awaited<ReturnType<typeof opened>>) => {
    const model = await projectLog({ log, documents, logger } as never, 'catalog', projection);
    await model.caughtUp();
    await model.close();
  };
  const first = await opened();
  await write(first, 'kept');
  await first.close();
  await copyFile(file, `${file}.before`);
  const second = await opened();
  expect(second.epoch).toBe(first.epoch);
  await write(second, 'lost');
  await project(second);
  await second.close();
  await copyFile(`${file}.before`, file);
  const third = await opened();
  expect(third.epoch).not.toBe(first.epoch);
  await project(third);
  const live = await readNotes();
  expect(live).toEqual(['kept']);
  await third.close();
  const fourth = await opened();
  expect(fourth.epoch).toBe(third.epoch);
  await fourth.close();
  await documents.close();

  async function readNotes() {
    const { items } = await (await liveDocuments(documents)).query(projection.collection, 'school_1', { limit: 10 });
    return items.map(({ id }) => id);
  }
});
