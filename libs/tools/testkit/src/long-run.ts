/** Whether this run may take hours (`npm run test:long`, `TEST_LENGTH=long`): suites then try all that they can. */
export const isLongRun = process.env['TEST_LENGTH'] === 'long';

/** A test that takes too long for every day. A suite of such tests is called `*.long.test.ts`. */
export async function longTest(title: string, body: () => Promise<void>): Promise<void> {
  const { test } = await import('@jest/globals');
  if (isLongRun) test(title, body);
  else test.skip(`${title} (TEST_LENGTH=long)`, body);
}
