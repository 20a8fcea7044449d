/** A fact of the domain, past tense. `data` is plain JSON. */
export interface DomainEvent<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly data: Data;
}

/** Anything that checks and types a value: a zod schema fits. */
export interface Parser<T> {
  parse(value: unknown): T;
}

/** One event type: its newest schema, that schema's version (from 1), and how to lift older data, v1→v2 first. */
export interface EventType<T = unknown> {
  readonly version: number;
  readonly data: Parser<T>;
  readonly upcasters?: readonly ((data: never) => unknown)[];
}

/** The event types of one aggregate, by name. */
export type EventTypes = Readonly<Record<string, EventType>>;

/** The union of the events that a catalogue declares. */
export type EventOf<Types extends EventTypes> = {
  [T in keyof Types & string]: DomainEvent<T, ReturnType<Types[T]['data']['parse']>>;
}[keyof Types & string];

/** An event as the log keeps it. `version` is the stream's version after it (from 1); `schema` the version of its data's schema. */
export interface RecordedEvent extends DomainEvent {
  readonly id: string;
  readonly stream: string;
  readonly version: number;
  readonly schema: number;
}

/** A stored event whose type or schema version this code does not know. Readers park it; they never skip. */
export class UnknownEvent extends Error {
  override readonly name = 'UnknownEvent';
}

/** Strict on write: throws when the event does not match the newest schema of its type. */
export function checkEvent(types: EventTypes, event: DomainEvent): { schema: number } {
  const type = types[event.type];
  if (!type) throw new UnknownEvent(`event type ${event.type} is not declared`);
  type.data.parse(event.data);
  return { schema: type.version };
}

/** Tolerant on read: lifts stored data to the newest schema of its type, without validating it again. */
export function upcast<Types extends EventTypes>(
  types: Types,
  stored: { type: string; schema: number; data: unknown },
): EventOf<Types> {
  const type = types[stored.type];
  if (!type) throw new UnknownEvent(`event type ${stored.type} is not declared`);
  if (stored.schema > type.version)
    throw new UnknownEvent(`${stored.type} v${stored.schema} is newer than v${type.version}`);
  const steps = (type.upcasters ?? []).slice(stored.schema - 1, type.version - 1);
  const data = steps.reduce((older, lift) => lift(older as never), stored.data);
  return { type: stored.type, data } as EventOf<Types>;
}
