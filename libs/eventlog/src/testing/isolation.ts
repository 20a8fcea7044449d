import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { EventLog } from '../port.ts';
import { type OpenLog, noted, sampleAppend, tenantsTogether, withLog } from './sample.ts';

const streams = ['course-1', 'unique/slug/x', 'order-9'];

/** Tenants must not meet, even when they share a lane, stream names and commit ids. */
export function testIsolation(open: OpenLog): void {
  describe('tenants', () => {
    test(
      'a stream name and a commit id of one school are free in another',
      withLog(open, async (log) => {
        const [one, two] = tenantsTogether(log, 2) as [string, string];
        const append = sampleAppend({ tenant: one, expectations: [{ stream: 'note-1', version: 0 }] });
        await log.append(append);
        const other = await log.append({ ...append, tenant: two, fingerprint: 'other' });
        expect(other).toMatchObject({ replayed: false, commit: { tenant: two, position: 2 } });
        expect(await log.find(one, append.commitId)).toMatchObject({ tenant: one, fingerprint: 'asked' });
        expect(await log.find(two, append.commitId)).toMatchObject({ tenant: two, fingerprint: 'other' });
      }),
    );

    test(
      'no call with school A returns data of school B',
      withLog(open, async (log) => {
        const tenants = tenantsTogether(log, 3);
        const tenant = fc.constantFrom(...tenants);
        const write = fc.record({
          tenant,
          stream: fc.constantFrom(...streams),
          commitId: fc.constantFrom('1', '2', '3'),
        });
        await fc.assert(
          fc.asyncProperty(fc.array(write, { maxLength: 12 }), tenant, async (writes, asked) => {
            await Promise.all(
              writes.map(({ tenant: owner, stream, commitId }) =>
                log.append(sampleAppend({ tenant: owner, commitId, events: [noted(stream, `secret of ${owner}`)] })),
              ),
            );
            const seen = JSON.stringify(await everything(log, asked));
            for (const other of tenants) if (other !== asked) expect(seen).not.toContain(other);
          }),
          { numRuns: 40, interruptAfterTimeLimit: 5_000 },
        );
      }),
    );
  });
}

async function everything(log: EventLog, tenant: string): Promise<unknown[]> {
  const ids = ['1', '2', '3'];
  return [
    await log.load(tenant, streams),
    await Promise.all(streams.map((stream) => log.load(tenant, [stream], 1))),
    (await Promise.all(ids.map((id) => log.find(tenant, id)))).map((commit) => commit && { ...commit, prev: '' }),
    await Promise.all(ids.map((id) => log.append(sampleAppend({ tenant, commitId: id })))),
  ];
}
