import { describe, expect, test } from '@jest/globals';
import { forwarding, memoryEventLog, memorySnapshots } from './index.ts';
import { sampleAppend } from './testing.ts';
import { noted } from './testing/sample.ts';

describe('a log that forwards', () => {
  test('replaces what is overridden and hands on everything else', async () => {
    const below = memoryEventLog();
    const log = forwarding(below, { head: async () => 7 });
    await log.append(sampleAppend({ tenant: 't', events: [noted('one')] }));
    expect(await below.head(below.laneOf('t'))).toBe(1);
    expect(await log.head(log.laneOf('t'))).toBe(7);
    expect(await log.readLane(log.laneOf('t'), 0, 9)).toHaveLength(1);
    await log.close();
    await expect(below.readLane(0, 0, 1)).rejects.toThrow('closed');
  });

  test('keeps what the log can do, and claims nothing that it cannot', () => {
    const below = memoryEventLog();
    const snapshots = memorySnapshots();
    const log = forwarding({ ...below, epoch: 'e', looksOut: true, snapshots }, {});
    expect(log).toMatchObject({ lanes: below.lanes, epoch: 'e', looksOut: true, snapshots });
    expect(log.observeNow).toBe(below.observeNow);
    expect(Object.keys(log)).not.toContain('states');
  });
});
