import { test } from '@jest/globals';

/** Whether drills that take long are run: by `npm run drills`. */
export const areAsked = process.env['DRILLS'] === 'all';

/** A test that takes too long for every day. */
export const longDrill = (title: string, drill: () => Promise<void>): void =>
  areAsked ? test(title, drill) : test.skip(`${title} (npm run drills)`, drill);
