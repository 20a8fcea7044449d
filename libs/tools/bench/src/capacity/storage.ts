import type { Given } from './assumptions.ts';
import type { Load } from './load.ts';
import { cellsOf } from './processors.ts';
import type { UnitCosts } from './unit-costs.ts';

/** Bytes that are kept, copies and free room included. */
export interface Storage {
  readonly events: number;
  readonly readModels: number;
  /** Both on database disks. */
  readonly database: number;
  readonly kafka: number;
  readonly files: number;
  /** What leaves in a month. */
  readonly traffic: number;
}

/** Days of a month. */
const month = 30;

/** What is stored of so many schools and learners. */
export function storageOf(given: Given, load: Load, costs: UnitCosts): Storage {
  const { copies, diskShare, databaseFactor } = given;
  const kept = (bytes: number): number => (bytes * copies) / diskShare;
  const events = kept(load.eventsPerDay * given.eventDays * costs.eventBytes * databaseFactor);
  const documents =
    given.learners * given.membershipsPerLearner * costs.memberBytes +
    given.learners * given.enrollmentsPerLearner * costs.enrollmentBytes +
    given.learners * given.ordersPerLearner * costs.orderBytes +
    given.schools * given.coursesPerSchool * costs.courseBytes;
  const readModels = kept(documents * databaseFactor);
  return {
    events,
    readModels,
    database: events + readModels,
    kafka: kept(load.eventsPerDay * given.publishedShare * given.kafkaDays * costs.recordBytes),
    files: given.schools * given.filesPerSchool * 1e9,
    traffic: load.requestsPerDay * month * given.answerBytes,
  };
}

/** Lanes of each log: at most so many by the settings. */
const [defaultLanes, mostLanes] = [16, 256];

/** How logs and topics are parted. */
export interface Parts {
  readonly cells: number;
  /** Lanes of each log, which are the partitions of its topic. */
  readonly lanes: number;
  readonly partitions: number;
  /** Partitions of one broker of a cell: with as many brokers as copies each has all of them. */
  readonly partitionsPerBroker: number;
}

/**
 * A lane has one writer: the busiest service of a cell needs as many as write its events, in powers of two. Throws a
 * `RangeError` when that is more than a log may have: then there must be more cells.
 */
export function partsOf(given: Given, load: Load, costs: UnitCosts, logs: number): Parts {
  const cells = cellsOf(given);
  const busiest = (load.events * given.busyService) / cells;
  const needed = busiest / (costs.laneRate * given.coreShare);
  const lanes = Math.max(defaultLanes, 2 ** Math.ceil(Math.log2(Math.max(needed, 1))));
  if (lanes > mostLanes)
    throw new RangeError(
      `the busiest log of a cell would need ${lanes} lanes, and may have ${mostLanes}: have fewer schools in a cell (--schools-per-cell)`,
    );
  const partitions = cells * logs * lanes;
  return { cells, lanes, partitions, partitionsPerBroker: logs * lanes };
}
