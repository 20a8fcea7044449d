import type { Policy } from '@lyceum/web';
import type { Exchange, Reply, Step } from './exchange.ts';

/** An endpoint: its checks and actions in the order in which they happen. */
export interface Endpoint {
  readonly path: string;
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'DELETE')[];
  /** A program reads JSON, from any origin; a person reads pages and follows redirects. */
  readonly reader: 'program' | 'person';
  /** The reply when a step threw; when absent, JSON for a program and a page for a person. */
  readonly failureReply?: (exchange: Exchange, error: unknown) => Reply | Promise<Reply>;
  /** Counts, by address, a request that was refused before a step has counted it. */
  readonly policy?: Policy;
  readonly steps: readonly Step[];
}

/** A step, and which endpoints take it. */
export type Row = readonly [step: Step, ...columns: boolean[]];
/** Marks of a table: this endpoint takes the step, or does not. */
export const [x, o] = [true, false];

/** The steps of one endpoint. */
export const column = (rows: readonly Row[], at: number): readonly Step[] =>
  rows.filter((row) => row[at + 1]).map(([step]) => step);
