import { describe, expect, test } from '@jest/globals';
import { type ReachableEngine, observeEngines } from './engine-metrics.ts';
import { Metrics } from './metrics.ts';

const sample = (system: string, value: number) => `lyceum_engine_up{system="${system}"} ${value}\n`;

describe('lyceum_engine_up', () => {
  test('says of each engine by itself whether it answers, as of the reading', async () => {
    const metrics = new Metrics();
    let isAway = true;
    observeEngines(metrics, [
      { system: 'redis', reach: async () => 'PONG' },
      {
        system: 'kafka',
        async reach() {
          if (isAway) throw new Error('connection refused at broker.internal');
        },
      },
    ]);
    const away = await metrics.text();
    expect(away).toContain(sample('redis', 1));
    expect(away).toContain(sample('kafka', 0));
    expect(away).not.toContain('broker.internal');
    isAway = false;
    expect(await metrics.text()).toContain(sample('kafka', 1));
  });

  test('takes an engine that hangs for one that is away, and does not ask it again meanwhile', async () => {
    const metrics = new Metrics();
    let asked = 0;
    let answer: (() => void) | undefined;
    const hanging: ReachableEngine = {
      system: 'mongodb',
      reach() {
        asked += 1;
        return new Promise<void>((resolve) => void (answer = resolve));
      },
    };
    observeEngines(metrics, [hanging]);
    const texts = await Promise.all([metrics.text(), metrics.text()]);
    for (const text of texts) expect(text).toContain(sample('mongodb', 0));
    expect(asked).toBe(1);
    const reading = metrics.text();
    answer?.();
    expect(await reading).toContain(sample('mongodb', 1));
    expect(asked).toBe(1);
  });

  test('is described and has no samples where the process uses no engine', async () => {
    const metrics = new Metrics();
    observeEngines(metrics, []);
    const text = await metrics.text();
    expect(text).toContain('# TYPE lyceum_engine_up gauge');
    expect(text).not.toContain('lyceum_engine_up{');
  });
});
