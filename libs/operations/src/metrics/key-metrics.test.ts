import { expect, test } from '@jest/globals';
import { Watch } from '@lyceum/service';
import { observeKeys } from './key-metrics.ts';
import { Metrics } from './metrics.ts';

test('the process that looks after the signing keys tells how many there are, and how old the oldest is', async () => {
  const [metrics, watch] = [new Metrics(), new Watch()];
  observeKeys(metrics, watch, { now: () => 5_000_000 });
  const samples = async () => (await metrics.text()).split('\n').filter((line) => line.startsWith('lyceum_signing'));
  expect(await samples()).toEqual([]);
  watch.keys = { byStatus: { next: 1, current: 4, previous: 0 }, oldestSince: 4_000 };
  expect(await samples()).toEqual([
    'lyceum_signing_keys{status="next"} 1',
    'lyceum_signing_keys{status="current"} 4',
    'lyceum_signing_keys{status="previous"} 0',
    'lyceum_signing_key_age_seconds 1000',
  ]);
  watch.keys = undefined;
  expect(await samples()).toEqual([]);
});
