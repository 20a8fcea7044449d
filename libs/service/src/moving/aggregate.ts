import { type Decider, type DomainEvent, type EventTypes, erasureEvents, erasureStream } from '@lyceum/kernel';

/** One kind of aggregate of a service, as far as imports are checked: its streams, its events, and the values it claims. */
export interface Aggregate {
  /** Whether a stream of a school is one of this kind. */
  isStream(stream: string, school: string): boolean;
  readonly decider: Pick<Decider<unknown, never, DomainEvent, string>, 'events' | 'initial' | 'evolve'> &
    Partial<Pick<Decider<unknown, never, DomainEvent, string>, 'claims' | 'releases'>>;
}

/** What is asked of a decider to declare its streams. */
interface Evolving<State, Event extends DomainEvent> {
  readonly events: EventTypes;
  readonly initial: State;
  evolve(state: State, event: Event, context: { readonly at: string; readonly version: number }): State;
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Streams that are a prefix and a UUID, e.g. `course_…`. */
export const streamsOf = (prefix: string): Aggregate['isStream'] => {
  const form = new RegExp(`^${prefix}${uuid}$`);
  return (stream) => form.test(stream);
};

/** The one stream of a school that has this name. */
export const streamNamed =
  (name: string): Aggregate['isStream'] =>
  (stream) =>
    stream === name;

/** Declares the streams that a decider decides about. */
export const aggregate = <State, Event extends DomainEvent>(
  isStream: Aggregate['isStream'],
  decider: Evolving<State, Event>,
): Aggregate => ({ isStream, decider: decider as Aggregate['decider'] });

const prefixOfErasures = erasureStream('');

/** That a person is erased: any service's log may say so. */
export const erasures: Aggregate = aggregate((stream) => stream.startsWith(prefixOfErasures), {
  events: erasureEvents,
  initial: undefined,
  evolve: () => undefined,
});
