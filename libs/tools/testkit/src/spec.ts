import { type Decider, type DomainEvent, type Rejection, isRejection, shared } from '@lyceum/kernel';
import { deepStrictEqual } from 'node:assert/strict';

/** What a decision led to. */
interface Outcome<Event> {
  /** Exactly these events, in this order. */
  then(...events: readonly Event[]): void;
  /** A rejection with this code. */
  rejected(code: string): void;
  /** No event: the command changes nothing. */
  unchanged(): void;
}

const at = '2026-01-05T08:00:00.000Z';

/** Given these events, when this command, then those events or that rejection. Pure: no log, no clock. */
export function given<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event, string>,
  ...history: readonly NoInfer<Event>[]
): { state: State; when(command: Command): Outcome<Event> } {
  const state = history.reduce(
    (before, event, index) => shared(decider.evolve(before, event, { at, version: index + 1 })),
    shared(decider.initial),
  );
  return {
    state,
    when(command) {
      const decision = decider.decide(command, state);
      const events = (): readonly Event[] => {
        if (isRejection(decision)) throw new Error(`rejected: ${decision.rejected} (${decision.reason})`);
        return decision;
      };
      return {
        then: (...expected) => deepStrictEqual(events(), expected),
        unchanged: () => deepStrictEqual(events(), []),
        rejected: (code) => deepStrictEqual((decision as Rejection).rejected, code),
      };
    },
  };
}
