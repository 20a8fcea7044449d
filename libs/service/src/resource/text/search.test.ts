import { describe, expect, test } from '@jest/globals';
import { memoryDocuments } from '@lyceum/documents';
import { searchConditions, searchable } from './search.ts';

const things = { name: 'things', version: 1, fields: { search: 'text' } } as const;

/** Whether a search finds a thing with these texts. */
async function finds(q: string, ...texts: (string | null)[]): Promise<boolean> {
  const documents = memoryDocuments();
  await documents.open(things);
  const body = { search: searchable(texts) };
  await documents.apply(things, 'test', 0, 0, 1, [{ tenant: 'school_1', id: 'thing_1', body }]);
  const { items } = await documents.query(things, 'school_1', { where: searchConditions('search', q), limit: 1 });
  return items.length === 1;
}

describe('a search', () => {
  test.each([
    ['lantern', 'Paper lanterns'],
    ['PAP lan', 'Paper lanterns'],
    ['lanterns paper', 'Paper lanterns'],
    ['cafe', 'Café da manhã'],
    ['CAFÉ', 'Cafe da manha'],
    ['strasse', 'Straße'],
    ['Sørensen', 'Sorensen'],
    ['fi', 'ﬁne paper'],
    ['3d', 'Modelos 3D'],
    ['한', '한국어 강좌'],
    ['灯籠', '紙の灯籠入門'],
    ['ランターン', 'やさしいランターン'],
    ['javascript 入門', 'JavaScript入門'],
    ['โคม', 'ทำโคมกระดาษ'],
    ['paper', 'Lights', 'of paper'],
  ])('finds %s in %s', async (q, ...texts) => expect(await finds(q, ...texts)).toBe(true));

  test.each([
    ['antern', 'Paper lanterns', 'what is only within a word'],
    ['paper kite', 'Paper lanterns', 'a word that is not there'],
    ['籠灯', '紙の灯籠', 'letters in another order'],
    ['a b c d e f g h i nowhere', 'A B C D E F G H I', 'the last of many words'],
    ['%', 'A 100 % sure thing', 'a sign'],
    ['_.*', 'Paper', 'what means something to an engine'],
  ])('does not find %s in %s: %s', async (q, text) => expect(await finds(q, text)).toBe(false));

  test('nothing asked asks nothing', () => expect(searchConditions('search', undefined)).toEqual([]));
});
