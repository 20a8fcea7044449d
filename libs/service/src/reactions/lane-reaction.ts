import type { Documents, Incoming } from '@lyceum/documents';
import { type Clock, type Tracer, inSpan } from '@lyceum/kernel';
import type { Logger } from 'pino';
import type { Owed } from './held-work.ts';
import type { WorkPool } from './work-pool.ts';

/** What follows from the events of one source. */
export interface LaneReaction {
  /** Its checkpoints, and what it holds, are kept under this name. */
  readonly name: string;
  readonly source: string;
  /** What follows from events of one tenant and key follows in order; undefined: nothing follows. */
  key(event: Incoming): string | undefined;
  /** What operators know it by; the stream and version of the event when not given. */
  correlation?(event: Incoming): string;
  /** What follows: at least once. A throw is tried again with backoff. */
  perform(event: Incoming, place: Owed): Promise<void>;
  /** Reads the events of a commit again; when not given, they are kept for as long as something is to follow from them. */
  reread?(lane: number, position: number): Promise<readonly Incoming[]>;
}

/** With what it is done. */
export interface ReactingPorts {
  readonly documents: Documents;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
  /** Does what follows; closed before the reaction is. */
  readonly pool: WorkPool;
  readonly closing: AbortSignal;
  /** Milliseconds before the next try after so many failures. */
  readonly backoff?: ((failures: number) => number) | undefined;
  readonly tracer?: Tracer | undefined;
}

/** Does what follows from an event: where traces are told of, in the trace that its commit was made in. */
export function performTraced(
  reaction: LaneReaction,
  event: Incoming,
  place: Owed,
  tracer: Tracer | undefined,
): Promise<void> {
  if (!tracer) return reaction.perform(event, place);
  const { name } = reaction;
  const span = tracer.begin(`react ${name}`, {
    kind: 'internal',
    parent: place.traceparent ?? null,
    attributes: { 'lyceum.reaction': name, 'lyceum.school': place.tenant },
  });
  return inSpan(span, () => reaction.perform(event, place));
}
