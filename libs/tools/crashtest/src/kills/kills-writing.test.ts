import { describe, expect, test } from '@jest/globals';
import { compiledFirst, patience, survived } from './survived.ts';

compiledFirst();

describe('after every SIGKILL nothing is lost, doubled, out of order or skipped', () => {
  test(
    'C1: killed before the insert reaches the database: nothing is stored, and the client asks again',
    async () => void (await survived('C1', 25)),
    patience,
  );

  test(
    'C2: killed when the commit is durable, before the answer: the same id is answered with what is stored',
    async () => expect((await survived('C2', 60)).replayed).toBeGreaterThan(0),
    patience,
  );

  test(
    'C3: killed inside the insert of a group: whole groups are stored, or nothing of them',
    async () => void (await survived('C3', 60)),
    patience,
  );

  test(
    'C4: killed when the commit is stored, before the doorbell rings: everybody finds it by position',
    async () => expect((await survived('C4', 20)).replayed).toBeGreaterThan(0),
    patience,
  );

  test(
    'C10: killed inside the write of a projection: documents and place move together, and the rest is applied once',
    async () => void (await survived('C10', 40)),
    patience,
  );
});
