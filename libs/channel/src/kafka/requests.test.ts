import { expect, test } from '@jest/globals';
import type { KafkaRecord } from './kafka-driver.ts';
import { KafkaRequests } from './requests.ts';

const record = (partition: number, value: string): KafkaRecord => ({ partition, key: null, value });

test('what is asked for in one turn is one request for all lanes, in the order asked', async () => {
  const sent: unknown[] = [];
  const requests = new KafkaRequests(async (records) => void sent.push(records.map(({ value }) => value)));
  await Promise.all([requests.add([record(0, 'a'), record(0, 'b')], 2), requests.add([record(1, 'c')], 1)]);
  await requests.add([record(0, 'd')], 1);
  expect(sent).toEqual([['a', 'b', 'c'], ['d']]);
});

test('nobody fails for what another asks for', async () => {
  const sent: unknown[] = [];
  const requests = new KafkaRequests(async (records) => {
    if (records.some(({ value }) => value === 'bad')) throw new Error('too large');
    sent.push(records.map(({ value }) => value));
  });
  const both = await Promise.allSettled([requests.add([record(0, 'good')], 1), requests.add([record(1, 'bad')], 1)]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(sent).toEqual([['good']]);
});

test('more than a request holds is several, but a single call is never cut', async () => {
  const sent: number[] = [];
  const requests = new KafkaRequests(async (records) => void sent.push(records.length));
  const [large, small] = [5 * 1024 * 1024, 1_500_000];
  await Promise.all([
    requests.add([record(0, 'a'), record(0, 'b')], large),
    ...[1, 2, 3].map((lane) => requests.add([record(lane, 'c')], small)),
  ]);
  expect(sent).toEqual([2, 2, 1]);
});
