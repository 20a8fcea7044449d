import { expect, test } from '@jest/globals';
import { collectGarbage } from './memory.ts';

const megabyte = 1_048_576;

test('what nobody needs any more is given back', async () => {
  let needless: number[][] | undefined = Array.from({ length: 200 }, (_, at) =>
    Array.from({ length: 20_000 }, () => at),
  );
  const before = process.memoryUsage().heapUsed;
  expect(needless).toHaveLength(200);
  needless = undefined;
  await collectGarbage();
  expect(process.memoryUsage().heapUsed).toBeLessThan(before - 20 * megabyte);
});
