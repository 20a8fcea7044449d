import { expect, test } from '@jest/globals';
import type { SigningAlg } from '@lyceum/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFirstKeys } from './first-keys.ts';

test('the first keys of all schools are made behind everything else: dear ones hold up no cheap ones, failures nobody else', async () => {
  const schools = ['a', 'bad', 'b'];
  const made: string[] = [];
  const failed: string[] = [];
  let goOn!: () => void;
  const slow = new Promise<void>((resolve) => (goOn = resolve));
  const begin = async (school: string, alg: SigningAlg = 'RS256') => {
    if (alg === 'RS256') await slow;
    if (school === 'bad' && alg === 'ES256' && failed.length === 0) throw new Error('away');
    made.push(`${school} ${alg}`);
    return [];
  };
  const work = makeFirstKeys({
    keys: { begin },
    schools: () => schools,
    every: 1,
    onError: (_, id) => failed.push(id),
  });
  const until = async (all: string[]) => {
    while (!all.every((each) => made.includes(each))) await sleep(1);
  };
  await until(['a ES256', 'b ES256', 'bad ES256']);
  expect([failed, made.filter((each) => each.endsWith('RS256'))]).toEqual([['bad'], []]);
  schools.push('new');
  await until(['new ES256']);
  goOn();
  await until(schools.map((school) => `${school} RS256`));
  await sleep(10);
  await work.close();
  expect(made).toHaveLength(new Set(made).size);
});
