import { describe, expect, test } from '@jest/globals';
import { answerPersonalData } from './answering.ts';
import { type PersonalData, personalDataAnswer, personalDataQuery } from './personal-data.ts';
import { onlyRecord } from './rows-about.ts';

const many: PersonalData = {
  file: 'many',
  async read({ school, subject }, _ports, after) {
    const at = Number(after ?? 0);
    return { records: [{ school, subject, at }], ...(at < 2 ? { next: String(at + 1) } : {}) };
  },
};
const none: PersonalData = { file: 'none', read: async () => onlyRecord(undefined) };
const one: PersonalData = { file: 'one', read: async () => onlyRecord({ name: 'Ada' }) };

/** Everything that is told, page by page. */
async function told(kept: readonly PersonalData[]) {
  const pages = [];
  let from: unknown = null;
  do {
    const question = { kind: personalDataQuery, school: 'school_1', subject: 'account_1', from };
    const page = personalDataAnswer.parse(await answerPersonalData(kept, question, {}));
    pages.push([page.file, page.records]);
    from = page.next;
  } while (from !== null);
  return pages;
}

describe('what a service keeps about a person', () => {
  test('is told page by page and file by file, empty files too', async () => {
    const about = { school: 'school_1', subject: 'account_1' };
    expect(await told([none, many, one])).toEqual([
      ['none', []],
      ['many', [{ ...about, at: 0 }]],
      ['many', [{ ...about, at: 1 }]],
      ['many', [{ ...about, at: 2 }]],
      ['one', [{ name: 'Ada' }]],
    ]);
  });

  test('may be nothing', async () => expect(await told([])).toEqual([[null, []]]));

  test.each([
    ['no person', { from: null, subject: 7 }],
    ['a file that it does not have', { from: { file: 'other', after: null }, subject: 'account_1' }],
    ['a path', { from: { file: '../etc', after: null }, subject: 'account_1' }],
    ['an endless place', { from: { file: 'one', after: 'x'.repeat(501) }, subject: 'account_1' }],
  ])('is not told to a question about %s', async (_, about) => {
    const question = { kind: personalDataQuery, school: 'school_1', ...about };
    await expect(answerPersonalData([one], question, {})).rejects.toThrow();
  });
});
