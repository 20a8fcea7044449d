import { describe, expect, test } from '@jest/globals';
import { DocumentsUnavailable } from '../port.ts';
import { type HidingDocuments, hidingDocuments } from './elections.ts';
import { testDocuments } from '../testing.ts';

testDocuments('in memory, on servers that hold elections', async () => hidingDocuments().process(), { keeps: false });

const things = { name: 'things', version: 1, fields: {} };

describe('documents whose newest changes an election hides', () => {
  /** Two processes, of which the first has written twice and the second has seen the first of both. */
  async function twice(servers: HidingDocuments) {
    const [one, other] = [servers.process(), servers.process()];
    const write = (from: number) =>
      one.apply(things, 'source', 0, from, from + 1, [{ tenant: 'school', id: 'thing', body: { at: from + 1 } }]);
    await Promise.all([one.open(things), other.open(things)]);
    await write(0);
    await other.get(things, 'school', 'thing');
    await write(1);
    servers.hide(1);
    return {
      write,
      at: async (who = one) => [await who.checkpoint(things, 'source', 0), await who.get(things, 'school', 'thing')],
      other,
    };
  }

  test('are shown as they were to who has not seen them, never to who has, and are there again', async () => {
    const servers = hidingDocuments();
    const { write, at, other } = await twice(servers);
    expect(await at(other)).toEqual([1, { at: 1 }]);
    await expect(at()).rejects.toThrow(DocumentsUnavailable);
    await expect(write(2)).rejects.toThrow(DocumentsUnavailable);
    const waits = at();
    servers.show();
    expect([await waits, await at(other)]).toEqual([
      [2, { at: 2 }],
      [2, { at: 2 }],
    ]);
    await write(2);
    expect(await at(other)).toEqual([3, { at: 3 }]);
  });

  test('are shown as they were to everybody where an engine promises nothing', async () => {
    const { at } = await twice(hidingDocuments({ isCausal: false }));
    expect(await at()).toEqual([1, { at: 1 }]);
  });
});
