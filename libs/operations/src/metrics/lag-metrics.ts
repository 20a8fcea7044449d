import { type Lag } from '../watching/lag.ts';
import { type Watched, consumerReports, laneReports, projectionReports } from '../watching/report.ts';
import type { Metrics } from './metrics.ts';

type Behind = Pick<Lag, 'lag'> & { readonly lag_seconds: number | null };

/** Makes a pair of gauges, in positions and in seconds; what is not known is not told. */
function lagGauges<Label extends string>(metrics: Metrics, name: string, what: string, labels: readonly Label[]) {
  const positions = metrics.gauge(`${name}_lag_positions`, `Positions that ${what} still has to handle`, labels);
  const seconds = metrics.gauge(`${name}_lag_seconds`, `Age of the oldest commit that waits for ${what}`, labels);
  return {
    reset: () => [positions, seconds].forEach((gauge) => gauge.reset()),
    set({ lag, lag_seconds }: Behind, ...values: readonly string[]): void {
      if (lag !== null) positions.labels(...values).set(lag);
      if (lag_seconds !== null) seconds.labels(...values).set(lag_seconds);
    },
  };
}

/** Tells, whenever the metrics are read, how far everything in the process is behind. */
export function observeLag(metrics: Metrics, watched: Watched): void {
  const lane = ['service', 'lane'] as const;
  const head = metrics.gauge('lyceum_lane_head', 'Newest position of a lane', lane);
  const missing = metrics.gauge('lyceum_lane_missing_position', 'Position that readers stand before; 0: none', lane);
  const relay = lagGauges(metrics, 'lyceum_relay', 'the relay', lane);
  metrics.beforeReading(async () => {
    const reports = await laneReports(watched);
    for (const gauge of [head, missing, relay]) gauge.reset();
    for (const report of reports) {
      head.labels(report.service, String(report.lane)).set(report.head);
      missing.labels(report.service, String(report.lane)).set(report.missing ?? 0);
      if (report.relay) relay.set(report.relay, report.service, String(report.lane));
    }
  });
  observeProjections(metrics, watched);
  observeConsumers(metrics, watched);
  const alarm = metrics.gauge('lyceum_alarm', 'Above 0 while a service asks for its operator', ['service', 'name']);
  metrics.beforeReading(() => {
    for (const { service, name, value } of watched.watch.alarms()) alarm.labels(service, name).set(value);
  });
}

function observeProjections(metrics: Metrics, watched: Watched): void {
  const names = ['service', 'projection', 'source'] as const;
  const behind = lagGauges(metrics, 'lyceum_projection', 'a read model', [...names, 'lane']);
  const parked = metrics.gauge('lyceum_parked_streams', 'Streams that wait for an operator', names);
  const building = metrics.gauge('lyceum_projection_building', '1 while a build is being made', names);
  metrics.beforeReading(async () => {
    const reports = await projectionReports(watched);
    for (const gauge of [behind, parked, building]) gauge.reset();
    for (const { service, projection, source, state, parked: count, lanes } of reports) {
      parked.labels(service, projection, source).set(count);
      building.labels(service, projection, source).set(state === 'building' ? 1 : 0);
      for (const place of lanes) behind.set(place, service, projection, source, String(place.lane));
    }
  });
}

function observeConsumers(metrics: Metrics, watched: Watched): void {
  const names = ['consumer', 'source', 'lane'] as const;
  const behind = lagGauges(metrics, 'lyceum_consumer', 'a consumer', names);
  const duplicates = metrics.counter(
    'lyceum_consumer_duplicates_total',
    'Messages dropped because they came again',
    names,
  );
  const gaps = metrics.counter(
    'lyceum_consumer_gaps_total',
    'Times that something was missing and was read again',
    names,
  );
  const dead = metrics.counter('lyceum_channel_dead_letters_total', 'Records that nobody can read', []);
  metrics.beforeReading(async () => {
    const reports = await consumerReports(watched);
    for (const gauge of [behind, duplicates, gaps, dead]) gauge.reset();
    dead.inc(watched.watch.deadLetters());
    for (const report of reports) {
      const values = [report.consumer, report.source, String(report.lane)] as const;
      behind.set(report, ...values);
      duplicates.labels(...values).inc(report.duplicates);
      gaps.labels(...values).inc(report.gaps);
    }
  });
}
