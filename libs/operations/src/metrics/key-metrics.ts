import type { Clock } from '@lyceum/kernel';
import type { Watch } from '@lyceum/service';
import type { Metrics } from './metrics.ts';

/** Tells, whenever the metrics are read, of the signing keys: in the process that looks after them, and as of its last look. */
export function observeKeys(metrics: Metrics, watch: Pick<Watch, 'keys'>, clock: Clock): void {
  const keys = metrics.gauge('lyceum_signing_keys', 'Signing keys of all schools by status', ['status']);
  const age = metrics.gauge('lyceum_signing_key_age_seconds', 'For how long the oldest key that signs has signed', []);
  metrics.beforeReading(() => {
    for (const gauge of [keys, age]) gauge.reset();
    if (!watch.keys) return age.remove();
    const { byStatus, oldestSince } = watch.keys;
    for (const [status, count] of Object.entries(byStatus)) keys.labels(status).set(count);
    if (oldestSince === undefined) age.remove();
    else age.set(clock.now() / 1_000 - oldestSince);
  });
}
