import { describe } from '@jest/globals';
import { testAppends } from './testing/appends.ts';
import { testIsolation } from './testing/isolation.ts';
import { testLifetime } from './testing/lifetime.ts';
import { testModel } from './testing/model.ts';
import { testRaces } from './testing/races.ts';
import { testReads } from './testing/reads.ts';
import type { OpenLog } from './testing/sample.ts';

export { type HidingEventLog, hidingEventLog } from './testing/hiding-log.ts';
export { type OpenedKeyStore, testKeyStore } from './testing/key-store.ts';
export { type OpenLog, type OpenedLog, sampleAppend } from './testing/sample.ts';

/**
 * The conformance suite of the `EventLog` port: every adapter passes it. `open` gives an empty log of at least 4 lanes;
 * with `reopen` the same storage is closed and opened again, which proves durability.
 */
export function testEventLog(name: string, open: OpenLog): void {
  describe(`${name} is an event log`, () => {
    testAppends(open);
    testRaces(open);
    testReads(open);
    testIsolation(open);
    testLifetime(open);
    testModel(open);
  });
}
