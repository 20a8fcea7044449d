import type { Policy } from '@lyceum/web';
import type { Exchange, Reply, Step } from './exchange.ts';

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
type Method = (typeof methods)[number];
type ByMethod<T> = Readonly<Partial<Record<Method, T>>>;

/** What an endpoint does with one method. */
export interface EndpointOperation {
  /** By this the OpenAPI document names it. */
  readonly id: string;
  /** Its checks and actions in the order in which they happen. */
  readonly steps: readonly Step[];
}

/** An endpoint, a row of the matrix. */
export interface Endpoint {
  readonly path: string;
  /** A program reads JSON, from any origin; a person reads pages and follows redirects. */
  readonly reader: 'program' | 'person';
  /** The reply when a step threw; when absent, JSON for a program and a page for a person. */
  readonly failureReply?: (exchange: Exchange, error: unknown) => Reply | Promise<Reply>;
  /** Counts, by address, a request that was refused before a step has counted it. */
  readonly policy?: Policy;
  readonly operations: ByMethod<EndpointOperation>;
}

/** The methods that an endpoint declares. */
export const methodsOf = ({ operations }: Pick<Endpoint, 'operations'>): readonly Method[] =>
  methods.filter((method) => operations[method]);

/** What an endpoint does with a request; undefined when it does not know the method. HEAD is answered as GET. */
export function operationFor(
  { operations }: Pick<Endpoint, 'operations'>,
  requested: string | undefined,
): EndpointOperation | undefined {
  const method = requested === 'HEAD' ? 'GET' : methods.find((each) => each === requested);
  return method && operations[method];
}

/** A step, and which endpoints take it. */
export type Row = readonly [step: Step, ...columns: boolean[]];
/** Marks of a table: this endpoint takes the step, or does not. */
export const [x, o] = [true, false];

/** The steps of one column. */
export const column = (rows: readonly Row[], at: number): readonly Step[] =>
  rows.filter((row) => row[at + 1]).map(([step]) => step);

/** What an endpoint does: for each method the id of the operation and the column of its steps. */
export function columns(
  rows: readonly Row[],
  marks: ByMethod<readonly [id: string, at: number]>,
): Endpoint['operations'] {
  const operations: Partial<Record<Method, EndpointOperation>> = {};
  for (const method of methods) {
    const [id, at] = marks[method] ?? [];
    if (id !== undefined && at !== undefined) operations[method] = { id, steps: column(rows, at) };
  }
  return operations;
}
