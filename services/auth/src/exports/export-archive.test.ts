import { beforeEach, describe, expect, test } from '@jest/globals';
import type { AskService } from '@lyceum/internal-api';
import { english } from '../pages/texts/en.ts';
import { exportArchive } from './export-archive.ts';
import { PersonalRecords } from './personal-records.ts';

/** Every page that was asked for: the service, and behind what. */
let asked: string[];
/** After which question nobody may have anything any more. */
let lastAllowed: string;
let isGone: boolean;
beforeEach(() => void ([asked, lastAllowed, isGone] = [[], 'none', false]));

/** Each service has one file with three pages of a record. The record tells how often its page was asked for. */
const ask: AskService = async (service, { from }) => {
  const { after = '1' } = (from ?? {}) as { after?: string };
  const question = `${service} ${after}`;
  asked.push(question);
  isGone ||= question === lastAllowed && asked.filter((each) => each === question).length > (after === '1' ? 1 : 0);
  const records = [{ page: after, times: asked.filter((each) => each === question).length }];
  return { file: 'things', records, next: after === '3' ? null : { file: 'things', after: `${Number(after) + 1}` } };
};

const check = async () => {
  if (isGone) throw new Error('gone');
};
const whose = { school: 'school_1', account: 'account_1', check };

describe('what a service keeps about a person', () => {
  test('is read when it is due: of what was asked for to see whether it answers nothing is kept', async () => {
    const records = await PersonalRecords.open({ ask }, 'media', whose);
    expect(asked).toEqual(['media 1']);
    expect(await records.file()).toBe('things');
    const lists: unknown[] = [];
    for await (const list of records.records()) lists.push(...list);
    expect(lists).toEqual([
      { page: '1', times: 2 },
      { page: '2', times: 1 },
      { page: '3', times: 1 },
    ]);
    expect(await records.file()).toBeUndefined();
    expect(asked).toEqual(['media 1', 'media 1', 'media 2', 'media 3']);
  });

  test('is not asked for when nobody may have it any more since the list before', async () => {
    const records = await PersonalRecords.open({ ask }, 'media', whose);
    const lists = records.records();
    expect((await lists.next()).value).toEqual([{ page: '1', times: 2 }]);
    isGone = true;
    await expect(lists.next()).rejects.toThrow('gone');
    expect(asked).toEqual(['media 1', 'media 1']);
  });

  test('is not given out when nobody may have it any more since it was asked for', async () => {
    lastAllowed = 'media 2';
    const records = await PersonalRecords.open({ ask }, 'media', whose);
    const lists = records.records();
    expect((await lists.next()).value).toEqual([{ page: '1', times: 2 }]);
    await expect(lists.next()).rejects.toThrow('gone');
    expect(asked).toEqual(['media 1', 'media 1', 'media 2']);
  });

  test('has no next file when nobody may have it any more since the archive began', async () => {
    const records = await PersonalRecords.open({ ask }, 'media', whose);
    isGone = true;
    await expect(records.file()).rejects.toThrow('gone');
    expect(asked).toEqual(['media 1']);
  });
});

describe('an archive', () => {
  const at = '2026-01-05T08:00:00.000Z';

  /** The bytes that come, and why they end early. */
  async function taken() {
    const archive = await exportArchive({ ask }, { ...whose, texts: english, name: 'Test School', at });
    const parts: Buffer[] = [];
    archive.on('data', (part: Buffer) => parts.push(part));
    const error = await new Promise<unknown>((resolve) => archive.once('error', resolve).once('end', resolve));
    return { text: Buffer.concat(parts).toString('latin1'), error };
  }

  test.each(['learning 1', 'learning 2'])('breaks off after %s: nothing of a later service is in it', async (last) => {
    lastAllowed = last;
    const { text, error } = await taken();
    expect(String(error)).toContain('gone');
    expect([text.includes('auth/things.json'), text.includes('index.json')]).toEqual([true, false]);
    expect([text.includes('media/'), text.includes('school/')]).toEqual([false, false]);
    expect(asked.filter((question) => /^(media|school)/.test(question))).toEqual(['media 1', 'school 1']);
    expect(asked.at(-1)).toBe(last);
  });

  test('of somebody who stays is whole', async () => {
    const { text, error } = await taken();
    expect([error, text.includes('school/things.json'), text.includes('index.json')]).toEqual([undefined, true, true]);
  });
});
