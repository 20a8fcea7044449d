import type { Fact, SourceEvent } from '@lyceum/channel';
import type { Decider } from '@lyceum/kernel';

/** An amount came into an account, or left it. `request` names the call that asked for it. */
export interface Moved {
  readonly type: 'Moved';
  readonly data: { readonly request: string; readonly amount: number };
}

/** What is asked of an account. */
export interface Move {
  readonly request: string;
  readonly amount: number;
}

/** The aggregate of the proof: it counts its moves, and takes every one. */
export const account: Decider<{ readonly moves: number }, Move, Moved> = {
  events: { Moved: { version: 1, data: { parse: (value) => value as Moved['data'] } } },
  initial: { moves: 0 },
  decide: ({ request, amount }) => [{ type: 'Moved', data: { request, amount } }],
  evolve: ({ moves }) => ({ moves: moves + 1 }),
};

/** Only odd amounts cross, so the lane has commits without facts. */
export function crossing({ id, type, schema, stream, version, data }: SourceEvent): Fact | undefined {
  const { amount } = data as Moved['data'];
  return amount % 2 === 0 ? undefined : { id, type, schema, subject: stream, version, data };
}
