import type { ReadModel } from '@lyceum/documents';
import type { EventLog } from '@lyceum/eventlog';
import type { Clock } from '@lyceum/kernel';
import { type FactLag, type Lag, headOf, lagInLog } from './lag.ts';
import type { Consumed, Watch } from '@lyceum/service';

/** A service of this process, as its operator sees it. */
export interface WatchedService {
  readonly name: string;
  readonly log: EventLog;
  /** Its read models at this moment. */
  readonly readModels: () => readonly ReadModel[];
}

/** What the reports are made from. */
export interface Watched {
  readonly services: readonly WatchedService[];
  readonly watch: Watch;
  readonly facts: FactLag;
  readonly clock: Clock;
}

/** A reader's place in a lane. `lag_seconds` is the age of the oldest commit that waits; null when that is not known. */
export interface Place extends Lag {
  readonly lane: number;
  readonly position: number;
  readonly lag_seconds: number | null;
}

/** A lane of a service's log. `missing` is the first position that a reader here stands before; `relay` is null when this process does not relay the service. */
export interface LaneReport {
  readonly service: string;
  readonly lane: number;
  readonly head: number;
  readonly incarnation: string | null;
  readonly missing: number | null;
  readonly relay: Omit<Place, 'lane' | 'head'> | null;
}

/** A read model of a service, in the lanes that this process keeps up to date. */
export interface ProjectionReport {
  readonly service: string;
  readonly projection: string;
  readonly source: string;
  readonly state: 'live' | 'building';
  readonly parked: number;
  readonly lanes: readonly Place[];
}

/** A consumer's place in a lane. */
export interface ConsumerReport extends Lag, Consumed {
  readonly lag_seconds: number | null;
}

const lanesOf = ({ lanes }: EventLog): readonly number[] => [...Array(lanes).keys()];

const secondsOf = ({ waiting_since, lag }: Lag, { clock }: Watched): number | null => {
  if (lag === 0) return 0;
  return waiting_since === null ? null : Math.max(0, (clock.now() - Date.parse(waiting_since)) / 1_000);
};

/** Every lane of every log. */
export function laneReports(watched: Watched): Promise<readonly LaneReport[]> {
  const all = watched.services.flatMap(({ name, log }) =>
    lanesOf(log).map(async (lane): Promise<LaneReport> => {
      const [head, position] = [await headOf(log, lane), watched.watch.relay(name, lane)];
      const behind = position === undefined ? undefined : await lagInLog(log, lane, position);
      const relay = behind && {
        position: position!,
        lag: behind.lag,
        waiting_since: behind.waiting_since,
        lag_seconds: secondsOf(behind, watched),
      };
      const { epoch: incarnation = null, laneGaps } = log;
      const missing = laneGaps?.missingIn(lane) ?? null;
      return { service: name, lane, head, incarnation, missing, relay: relay ?? null };
    }),
  );
  return Promise.all(all);
}

/** Every read model that this process keeps. */
export function projectionReports(watched: Watched): Promise<readonly ProjectionReport[]> {
  const all = watched.services.flatMap((service) =>
    service.readModels().map(async (model): Promise<ProjectionReport> => {
      const { name, version, source } = model;
      const own = source === service.name;
      const kept = lanesOf(service.log).filter((lane) => model.keeps(lane));
      const lanes = kept.map(async (lane): Promise<Place> => {
        const position = await model.position(lane);
        const lag = own
          ? await lagInLog(service.log, lane, position)
          : await watched.facts.of({ source, lane, watermark: position });
        return { lane, position, ...lag, lag_seconds: secondsOf(lag, watched) };
      });
      // Waited for together: what fails while only the other is waited for would end the process.
      const [parked, places] = await Promise.all([model.parked(), Promise.all(lanes)]);
      return {
        service: service.name,
        projection: `${name}@${version}`,
        source,
        state: model.isBuilding ? 'building' : 'live',
        parked: parked.length,
        lanes: places,
      };
    }),
  );
  return Promise.all(all);
}

/** Every consumer of facts in this process. */
export function consumerReports(watched: Watched): Promise<readonly ConsumerReport[]> {
  const all = watched.watch.consumers().map(async (consumed): Promise<ConsumerReport> => {
    const lag = await watched.facts.of(consumed);
    return { ...consumed, ...lag, lag_seconds: secondsOf(lag, watched) };
  });
  return Promise.all(all);
}
