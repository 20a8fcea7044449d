import { describe, expect, test } from '@jest/globals';
import type { OperatedProcess } from '@lyceum/service';
import type { ServiceProcess } from '../repair/stuck.ts';
import { Metrics } from './metrics.ts';
import { observeStuck } from './stuck-metrics.ts';

const row = { tenant: 'school_1', correlation: 'order_1', error: 'no answer', since: '2026-01-05T08:00:00.000Z' };

/** A process of the commerce service of which so much is stuck. */
const running = (name: string, stuck: OperatedProcess['stuck']): ServiceProcess => ({
  service: 'commerce',
  process: { name, stuck, resume: async () => undefined },
});

const sample = (process: string, count: number) =>
  `lyceum_stuck_processes{service="commerce",process="${process}"} ${count}\n`;

describe('lyceum_stuck_processes', () => {
  test('counts what is stuck of each process that runs here, 0 too, and no school is among it', async () => {
    const metrics = new Metrics();
    let stuck = [row, { ...row, correlation: 'order_2' }];
    let processes = [running('fulfilment', async () => stuck), running('renewals', async () => [])];
    observeStuck(metrics, () => processes);
    const before = await metrics.text();
    expect(before).toContain(sample('fulfilment', 2));
    expect(before).toContain(sample('renewals', 0));
    expect(before).not.toMatch(/school_1|order_1/);
    stuck = [];
    expect(await metrics.text()).toContain(sample('fulfilment', 0));
    // Another process of the service runs it now, and tells of it.
    processes = processes.slice(1);
    const after = await metrics.text();
    expect(after).not.toContain('process="fulfilment"');
    expect(after).toContain(sample('renewals', 0));
  });

  test('stays as it was while one of them cannot be asked', async () => {
    const metrics = new Metrics();
    let isAway = false;
    const stuck = async () => {
      if (isAway) throw new Error('the store is away');
      return [row];
    };
    observeStuck(metrics, () => [running('fulfilment', stuck)]);
    expect(await metrics.text()).toContain(sample('fulfilment', 1));
    isAway = true;
    expect(await metrics.text()).toContain(sample('fulfilment', 1));
  });
});
