import type { Policy } from '@lyceum/web';
import type { Step } from './exchange.ts';

/** An endpoint: its checks and actions in the order in which they happen. */
export interface Endpoint {
  readonly path: string;
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'DELETE')[];
  /** Who reads the answers: a program (JSON, any origin) or a person (pages and redirects). */
  readonly reader: 'program' | 'person';
  /** A failure of ours is told to the client by a redirect, as if it had asked by itself. */
  readonly redirectsFailures: boolean;
  /** Whoever is refused before a step has counted the request is counted by address under this. */
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
