import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { calendarEventEvents } from './calendar-event.events.ts';
import { calendarEventFact } from './calendar-event.facts.ts';
import { teachingProjection } from '../teaching/known-teaching.ts';
import { type CalendarPorts, calendarEventOperations } from './calendar-event.http.ts';
import { calendarEventProjection } from './calendar-event.resource.ts';
import { calendarEventDecider } from './calendar-event.ts';

/** The calendar of schools. */
export const calendarEventSlice = (given: CalendarPorts): Slice => ({
  name: 'events',
  operations: ({ ask, logger }) => calendarEventOperations({ ...given, logger, ...(ask ? { ask } : {}) }),
  events: calendarEventEvents,
  aggregates: [aggregate(streamsOf('event_'), calendarEventDecider)],
  projections: [calendarEventProjection],
  follows: [{ source: 'catalog', projection: teachingProjection }],
  toFact: calendarEventFact,
});
