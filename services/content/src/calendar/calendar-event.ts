import { referenceEvents } from '@lyceum/contracts';
import { type Decider, type Rejection, differences, reject, same } from '@lyceum/kernel';
import { type CalendarEventEvent, type StoredFields, calendarEventEvents } from './calendar-event.events.ts';
import type { EventTimes } from './calendar-event.fields.ts';
import { closesAt, faultsOf, unmet } from './calendar-event.rules.ts';
import { type CalendarEvent, type CalendarEventState, apply, evolve } from './calendar-event.state.ts';

/** What should be different. */
export interface CalendarEventChanges extends Partial<StoredFields>, Partial<EventTimes> {
  readonly slug?: string;
  readonly capacity?: number | null;
}

/** What can be asked of an event. `currency`: of the school; `now`: RFC 3339 UTC. */
export type CalendarEventCommand =
  | {
      readonly type: 'CreateEvent';
      readonly id: string;
      readonly slug: string;
      readonly fields: StoredFields;
      readonly times: EventTimes;
      readonly capacity: number | null;
      readonly by: string;
      readonly currency: string;
    }
  /** `confirmed`: how many have a seat. */
  | {
      readonly type: 'ChangeEvent';
      readonly changes: CalendarEventChanges;
      readonly currency: string;
      readonly confirmed: number;
      readonly now: string;
    }
  | { readonly type: 'PublishEvent'; readonly now: string }
  | { readonly type: 'CancelEvent'; readonly note: string | null; readonly now: string }
  | { readonly type: 'DeleteEvent' };

/** What a command can be rejected for. */
export type CalendarEventCode =
  | 'not_found'
  | 'slug_taken'
  | 'validation_failed'
  | 'not_ready'
  | 'invalid_state'
  | 'started'
  | 'capacity_below_confirmed';

type Command<T extends CalendarEventCommand['type']> = Extract<CalendarEventCommand, { type: T }>;
type Decision = readonly CalendarEventEvent[] | Rejection<CalendarEventCode>;

const filesNamedBy = ({ cover, materials }: Pick<StoredFields, 'cover' | 'materials'>) => [
  cover,
  ...materials.map(({ file_id }) => file_id),
];

/** What others show and sell of it. */
const shown = (event: CalendarEvent): CalendarEventEvent => {
  const { slug, title, summary, starts_at, ends_at, timezone, mode, venue, price } = event;
  const times = { starts_at, ends_at };
  const where = venue?.name ?? null;
  return {
    type: 'EventShown',
    data: { slug, title, summary, times, timezone, mode, venue: where, price, closes_at: closesAt(event) },
  };
};

function create({ id: event_id, slug, fields, times, capacity, by, currency }: Command<'CreateEvent'>): Decision {
  const faults = faultsOf({ ...fields, ...times }, currency);
  if (faults.length > 0) return reject('validation_failed', 'The event is not acceptable', faults);
  const created: CalendarEventEvent = {
    type: 'EventCreated',
    data: { event_id, slug, fields, times: { ...times }, capacity, created_by: by },
  };
  return [created, ...referenceEvents([], filesNamedBy(fields))];
}

/** The events that lead from what is to what is wanted. */
function changeEvents(
  before: CalendarEvent,
  { slug, capacity, starts_at = before.starts_at, ends_at = before.ends_at, ...wanted }: CalendarEventChanges,
): readonly CalendarEventEvent[] {
  const fields = differences<Partial<StoredFields>>(before, wanted);
  const from = { starts_at: before.starts_at, ends_at: before.ends_at };
  const to = { starts_at, ends_at };
  const events: CalendarEventEvent[] = [];
  if (fields) events.push({ type: 'EventChanged', data: { fields } });
  if (slug !== undefined && slug !== before.slug) events.push({ type: 'EventSlugChanged', data: { slug } });
  if (!same(from, to)) events.push({ type: 'EventRescheduled', data: { from, to } });
  if (capacity !== undefined && capacity !== before.capacity)
    events.push({ type: 'EventCapacityChanged', data: { from: before.capacity, capacity } });
  return events;
}

/** Why a published event may not become another one. */
function refused(
  before: CalendarEvent,
  after: CalendarEvent,
  { confirmed, now }: Pick<Command<'ChangeEvent'>, 'confirmed' | 'now'>,
): Rejection<CalendarEventCode> | undefined {
  if (after.capacity !== null && after.capacity !== before.capacity && after.capacity < confirmed)
    return reject('capacity_below_confirmed', `${confirmed} have a seat already`);
  const { starts_at, ends_at } = after;
  const isMoved = starts_at !== before.starts_at || ends_at !== before.ends_at;
  if (isMoved && before.starts_at <= now) return reject('started', 'It has started: its time stays as it is');
  const known = new Set(unmet(before, now).map(({ code, path }) => `${path} ${code}`));
  const broken = unmet(after, now).filter(({ code, path }) => !known.has(`${path} ${code}`));
  return broken.length > 0 ? reject('not_ready', 'A published event must stay complete', broken) : undefined;
}

function change(command: Command<'ChangeEvent'>, before: CalendarEvent): Decision {
  if (before.status === 'canceled') return reject('invalid_state', 'A canceled event cannot be changed');
  const wanted = changeEvents(before, command.changes);
  const after = wanted.reduce<CalendarEventState>(apply, before);
  if (wanted.length === 0 || !after) return wanted;
  const faults = faultsOf(after, command.currency);
  if (faults.length > 0) return reject('validation_failed', 'The event is not acceptable', faults);
  const events = [...wanted, ...referenceEvents(filesNamedBy(before), filesNamedBy(after))];
  if (before.status === 'draft') return events;
  const rejection = refused(before, after, command);
  if (rejection) return rejection;
  const [was, is] = [shown(before), shown(after)];
  return same(was, is) ? events : [...events, is];
}

function publish({ now }: Command<'PublishEvent'>, event: CalendarEvent): Decision {
  if (event.status === 'published') return [];
  if (event.status === 'canceled') return reject('invalid_state', 'A canceled event cannot be published');
  const missing = unmet(event, now);
  if (missing.length > 0) return reject('not_ready', 'The event is not complete', missing);
  return [{ type: 'EventPublished', data: {} }, shown(event)];
}

function cancel({ note, now }: Command<'CancelEvent'>, { status, ends_at }: CalendarEvent): Decision {
  if (status === 'canceled') return [];
  if (status === 'draft') return reject('invalid_state', 'A draft was never public: delete it instead');
  if (ends_at <= now) return reject('invalid_state', 'It has ended');
  return [{ type: 'EventCanceled', data: { note } }];
}

function decide(command: CalendarEventCommand, state: CalendarEventState): Decision {
  if (command.type === 'CreateEvent')
    return state ? reject('invalid_state', 'The event exists already') : create(command);
  if (!state) return reject('not_found', 'There is no such event');
  switch (command.type) {
    case 'ChangeEvent':
      return change(command, state);
    case 'PublishEvent':
      return publish(command, state);
    case 'CancelEvent':
      return cancel(command, state);
    case 'DeleteEvent':
      return state.status === 'draft'
        ? [...referenceEvents(filesNamedBy(state), []), { type: 'EventDeleted', data: {} }]
        : reject('invalid_state', 'What was public is canceled, not deleted');
  }
}

/** The kind of the claims that keep slugs of events unique in a school. */
export const eventSlug = 'event-slug';

/** An event of the calendar: the stream is its id. */
export const calendarEventDecider: Decider<
  CalendarEventState,
  CalendarEventCommand,
  CalendarEventEvent,
  CalendarEventCode
> = {
  events: calendarEventEvents,
  initial: null,
  decide,
  evolve,
  claims: (event) =>
    event.type === 'EventCreated' || event.type === 'EventSlugChanged'
      ? [{ kind: eventSlug, value: event.data.slug, rejected: 'slug_taken' }]
      : [],
  releases: (event, before) =>
    event.type === 'EventDeleted' ? (before?.slugs ?? []).map((value) => ({ kind: eventSlug, value })) : [],
};
