import { type EventLog, execute } from '@lyceum/eventlog';
import type { Decider, DomainEvent } from '@lyceum/kernel';
import type { ProcessManager } from '@lyceum/service';
import type { PublicationCommand } from './publication.ts';

/** What publishes at its time: the draft, as it is then. `now`: when the timer fired, RFC 3339 UTC. */
interface Publishing {
  readonly do: 'publish';
  readonly now: string;
}

/** A kind of thing that is published at a time. */
interface Scheduled<State, Command, Event extends DomainEvent, Code extends string> {
  /** Its name: ids begin with it, types of events with it in capital. */
  readonly noun: string;
  readonly decider: Decider<State, Command | PublicationCommand, Event, Code>;
}

const timer = 'publish';

/**
 * Publishes each thing of a kind once, when it is time: a timer in a stream for each thing, so nothing looks through all that
 * there are, and what came due while no process ran is published afterwards. The thing itself decides whether it still wants
 * to be: it may have been scheduled anew, or called off, a moment before.
 */
export function publicationProcess<State, Command, Event extends DomainEvent, Code extends string>({
  noun,
  decider,
}: Scheduled<State, Command, Event, Code>): ProcessManager<null, never, Publishing, { readonly log: EventLog }> {
  const name = `${noun[0]!.toUpperCase()}${noun.slice(1)}`;
  const isOver = new Set(['Unscheduled', 'Unpublished', 'Archived', 'Deleted'].map((what) => name + what));
  return {
    name: `${noun}-publication`,
    events: {},
    initial: null,
    evolve: (state) => state,
    correlate: ({ stream, type }) => (stream.startsWith(`${noun}_`) && type.startsWith(name) ? stream : undefined),
    react(input, _state, now) {
      if (input.kind === 'timer') return { commands: [{ do: 'publish', now }] };
      if (input.kind === 'rejected') return {};
      const { type, data } = input.event;
      if (type === `${name}Scheduled`) return { set: { [timer]: (data as { scheduled_for: string }).scheduled_for } };
      // What is rolled back to leaves the draft waiting.
      const isPublished = type === `${name}Published` && (data as { of?: number }).of === undefined;
      return isPublished || isOver.has(type) ? { cancel: [timer] } : {};
    },
    carryOut: ({ now }, { tenant, correlation: stream, commitId, at, meta }, { log }) =>
      execute(log, decider, { tenant, stream, command: { type: 'PublishScheduled', now }, commitId, at, meta }),
  };
}
