import { afterAll, describe, expect, test } from '@jest/globals';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LogState, reviveLogFile, stateOf } from './log-file.ts';
import { sqliteEventLog } from './sqlite.ts';
import { openArchived } from '../testing/archived.ts';
import { noted, sampleAppend, wholeLane } from '../testing/sample.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-log-file-'));
afterAll(() => rm(folder, { recursive: true }));
let files = 0;

/** A closed log of 20 commits, a copy of its file, and how far it goes. */
async function copied(isArchived = false) {
  const file = join(folder, `${(files += 1)}.db`);
  const log = await sqliteEventLog({ file, lanes: 2 });
  for (let n = 0; n < 20; n += 1)
    await log.append(sampleAppend({ tenant: n % 2 ? 'school_a' : 'school_b', events: [noted(`note-${n}`)] }));
  const state = await stateOf(log);
  await log.close();
  if (isArchived) await (await openArchived({ file })).close();
  const copy = `${file}.copy`;
  await copyFile(file, copy);
  return { file, copy, state };
}

describe('the file of a log', () => {
  test.each([
    ['', false],
    ['with archived commits ', true],
  ])('%sbegins another life when it is revived: same commits, another incarnation', async (_, isArchived) => {
    const { file, copy, state } = await copied(isArchived);
    expect(state.heads.reduce((sum, head) => sum + head)).toBe(20);
    const revived = await reviveLogFile(copy, state);
    expect(revived).toEqual({ ...state, incarnation: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(revived.incarnation).not.toBe(state.incarnation);
    const [before, after] = [await sqliteEventLog({ file }), await sqliteEventLog({ file: copy })];
    expect([before.epoch, after.epoch]).toEqual([state.incarnation, revived.incarnation]);
    for (const lane of [0, 1]) expect(await wholeLane(after, lane)).toEqual(await wholeLane(before, lane));
    await Promise.all([before.close(), after.close()]);
  });

  test.each([
    ['lanes that go further', { heads: [9, 9] }, /heads/],
    ['lanes that end before', { heads: [20, 20] }, /heads/],
    ['another life', { incarnation: 'x' }, /incarnation/],
    ['other lanes', { lanes: 3 }, /lanes/],
  ])('is refused with %s than were written down', async (_, wrong, says) => {
    const { copy, state } = await copied();
    await expect(reviveLogFile(copy, { ...state, ...wrong } as LogState)).rejects.toThrow(says);
  });
});
