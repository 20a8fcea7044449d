import type { DomainEvent, EventTypes } from './events.ts';
import type { Rejection } from './rejection.ts';

/** Who did something and on whose behalf; stored with each commit. No personal data, no secrets. */
export interface Meta {
  /** Subject of the token, or `system`. */
  readonly actor: string;
  /** The OAuth client that acted. */
  readonly client?: string;
  /** The request that caused it. */
  readonly correlation?: string;
  /** W3C trace context at command time. */
  readonly traceparent?: string;
  /** When a commit that was made elsewhere came into this log (RFC 3339 UTC): times of a lane grow by it. */
  readonly arrived?: string;
}

/** What an evolving state may know beside the event: when it was committed (RFC 3339), and the stream's version after it. */
export interface EventContext {
  readonly at: string;
  readonly version: number;
}

/**
 * A value that must be unique in a school, e.g. a slug. It is a stream `unique/<kind>/<value>` written in the same
 * commit as the event that needs it, so two holders cannot exist. `rejected` is what the loser is told.
 */
export interface Claim<Code extends string = string> {
  readonly kind: string;
  readonly value: string;
  readonly rejected: Code;
}

/** An event that a decision leaves in another stream, with the version of its data's schema. */
export interface SideEvent extends DomainEvent {
  readonly stream: string;
  readonly schema: number;
}

/**
 * One aggregate as pure functions (Chassaing's Decider). `decide` gives events or a rejection and changes nothing;
 * `evolve` folds one event. Neither reads a clock nor makes ids: those arrive in the command.
 */
export interface Decider<State, Command, Event extends DomainEvent, Code extends string = never> {
  readonly events: EventTypes;
  readonly initial: State;
  decide(command: Command, state: State): readonly Event[] | Rejection<Code>;
  evolve(state: State, event: Event, context: EventContext): State;
  /**
   * Set when streams grow long: the state is kept about every so many commits (100 when not given), and replays begin
   * there. It must be plain JSON. `version` is that of `initial`, `evolve` and the state's shape: raise it with any change
   * of them, and what was kept before is ignored. Of no effect for events with personal data.
   */
  readonly snapshot?: { readonly version: number; readonly every?: number };
  /** The values that an event takes for its stream. */
  claims?(event: Event): readonly Claim<Code>[];
  /** The values that an event gives back, read from the state before it. */
  releases?(event: Event, before: State): readonly Omit<Claim, 'rejected'>[];
  /**
   * What a decision leaves in other streams, in the same commit: at the versions that the command expects of them, and at
   * any version of the others.
   */
  sideEvents?(before: State, after: State, command: Command): readonly SideEvent[];
}
