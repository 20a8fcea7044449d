import type { Clock } from '@lyceum/kernel';
import type { Incoming } from './incoming.ts';
import type { Parked } from './parked.ts';
import type { Documents } from '../port.ts';
import type { Projection } from '../projection.ts';

/** Which events of a stream a redrive asks for: those after `version`, up to position `until` of the lane. */
export interface Wanted {
  readonly lane: number;
  readonly tenant: string;
  readonly stream: string;
  readonly version: number;
  /** Where the first of them is, or before it. */
  readonly position: number;
  readonly until: number;
}

/** Reads events of one stream again, in order. */
export type History = (wanted: Wanted) => Promise<readonly Incoming[]>;

/** What a projector works with. */
export interface ProjectorOptions {
  readonly documents: Documents;
  readonly projection: Projection;
  /** The service whose events these are: its own log's name, or the source of channel messages. */
  readonly source: string;
  /** Hears of each batch once its documents can be read. */
  readonly onApplied?: (lane: number, position: number) => void;
  /** How often in all a batch is tried before the streams that break in it are parked. 4 when not given; Infinity never parks. */
  readonly tries?: number;
  /** Hears of each stream that is parked. */
  readonly onParked?: (parked: Parked) => void;
  /** Needed to re-apply parked streams. */
  readonly history?: History;
  readonly clock?: Clock;
}
