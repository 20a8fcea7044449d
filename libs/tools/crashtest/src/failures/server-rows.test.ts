import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type EventLog, OutcomeUnknown, Unavailable, mongodbEventLog } from '@lyceum/eventlog';
import { type BackingServer, describeEngines } from '@lyceum/testkit';
import { call, callers } from '../callers/callers.ts';
import { checkAcknowledged } from '../history/check-history.ts';
import { compiled } from '../callers/compiled.ts';
import { allOf } from '../history/history.ts';
import { type Faults, checkLanes } from '../history/lane-history.ts';
import { raceProcesses } from '../races/race.ts';
import type { Acknowledged } from '../callers/request.ts';

/** Appends of each racing process; `npm run race:long` is the long race. */
const appends = Number(process.env['RACE_APPENDS'] ?? 60);

/** A log whose callers ask again with the same id until they know, as a client with its Idempotency-Key does. */
function persistent(log: EventLog, failed: () => void): EventLog {
  const again =
    <Args extends readonly unknown[], T>(work: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      for (;;)
        try {
          return await work(...args);
        } catch (error) {
          if (!(error instanceof Unavailable || error instanceof OutcomeUnknown)) throw error;
          failed();
          await pause(10);
        }
    };
  return Object.assign(Object.create(log) as EventLog, {
    append: again(log.append.bind(log)),
    find: again(log.find.bind(log)),
    load: again(log.load.bind(log)),
  });
}

await describeEngines(
  'mongodb',
  (engine) => {
    let server: BackingServer;
    beforeAll(async () => void (server = await engine.start()), 90_000);
    afterAll(() => server.stop());

    // A single-node replica set elects itself again after the kill; FerretDB, which has none, is the nearest without Docker.
    test('C11: the server is killed under appends and comes back: what was acknowledged stays, the rest is asked again and there once', async () => {
      const options = { url: server.url, database: `failover_${randomUUID().slice(0, 8)}`, lanes: 2 };
      const log = await mongodbEventLog(options);
      const acknowledged: Acknowledged[] = [];
      let failures = 0;
      const asking = persistent(log, () => (failures += 1));
      const killing = { on: true };
      const load = Array.from({ length: callers }, async (_, caller) => {
        for (let n = 0; killing.on; n += 1)
          await call(asking, { seed: 'failover', caller, answered: n, until: n + 1 }, (each) =>
            acknowledged.push(each),
          );
      });
      for (let kill = 0; kill < 3; kill += 1) {
        const before = acknowledged.length;
        while (acknowledged.length < before + 30) await pause(10);
        await server.kill();
        await pause(100);
        await server.restart();
      }
      killing.on = false;
      await Promise.all(load);
      await log.close();
      const faults: Faults = [];
      const fresh = await mongodbEventLog(options);
      const owner = await allOf(fresh);
      await fresh.close();
      checkLanes(owner, faults);
      checkAcknowledged({ acknowledged, owner }, 'failover', faults);
      expect(faults).toEqual([]);
      expect(owner.flat()).toHaveLength(acknowledged.length);
      expect(failures).toBeGreaterThan(0);
    }, 90_000);

    test('8 processes race for the same streams and lanes, are killed and paused: no acknowledged commit is lost or doubled', async () => {
      await compiled();
      const plan = { processes: 8, appends, lanes: 16, callers: 16, disturb: appends / 3 };
      const result = await raceProcesses({ url: server.url, ...plan });
      expect(result.faults).toEqual([]);
      expect(result.acknowledged).toBeGreaterThanOrEqual(8 * appends);
      expect(result.conflicts).toBeGreaterThan(0);
      expect(result.kills + result.pauses).toBeGreaterThan(0);
    }, 240_000);
  },
  ({ origin }) => origin !== 'given',
);

describe('change streams', () => {
  test('C12: no source opens one, so no history of them can be lost: readers look by position', () => {
    const root = join(import.meta.dirname, '../../../../..');
    const sources = ['libs', 'services'].flatMap((top) =>
      readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !/(^|\/)(dist|node_modules|crashtest)\//.test(file))
        .map((file) => join(root, top, file)),
    );
    expect(sources.length).toBeGreaterThan(100);
    const opening = /\.watch\(|\$changeStream|ChangeStream|resumeAfter|startAtOperationTime/;
    expect(sources.filter((file) => opening.test(readFileSync(file, 'utf8')))).toEqual([]);
  });
});
