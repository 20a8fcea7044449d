import { isoTime } from '@lyceum/kernel';
import { paramsOf } from '@lyceum/service';
import { type Operation, Problem, operation } from '@lyceum/web';
import { knownSchool } from '../schools/known-school.ts';
import { calendarEvents } from '../calendar/calendar-event.resource.ts';
import { icalendar } from './icalendar.ts';

/** Events that a feed has at most: the next ones, and those of the last weeks. */
const mostEvents = 200;

/** Milliseconds that what is over stays in the feed. */
const remembered = 30 * 86_400_000;

const about = {
  area: 'events',
  scope: 'events:read',
  anonymous: true,
  staff: [],
  method: 'GET',
  gives: 'text/calendar; charset=utf-8',
  status: 200,
} as const;

const named = (name: string) => ({ 'Content-Disposition': `inline; filename="${name}.ics"` });

/** The public events of a school, for programs that people keep their calendars with. */
const feed = operation({
  ...about,
  id: 'getEventCalendar',
  path: '/events/calendar.ics',
  summary: 'Read the calendar of events as iCalendar',
  description: `The next public events, and those of the last 30 days, canceled ones too: ${mostEvents} at most (RFC 5545). To subscribe to.`,
  readModel: calendarEvents.collection,
  errors: ['temporarily_unavailable'],
  async handle({ school, issuer, at }, ports) {
    const { name } = await knownSchool(ports, school);
    const where = [
      { field: 'status', in: ['published', 'canceled'] },
      { field: 'ends_at', above: isoTime(Date.parse(at) - remembered) },
    ];
    const sort = { field: 'starts_at' };
    const { items } = await ports.documents.query(calendarEvents.collection, school, {
      where,
      sort,
      limit: mostEvents,
    });
    const events = items.map(({ id, body }) => ({ ...calendarEvents.thingOf(body), id }));
    return { body: icalendar({ name, issuer }, events), headers: named('calendar') };
  },
});

/** One event, to be put into a calendar. */
const file = operation({
  ...about,
  id: 'getEventFile',
  path: '/events/{event}/calendar.ics',
  summary: 'Read an event as iCalendar',
  description: 'A public event by id or slug, a canceled one too (RFC 5545).',
  params: paramsOf('event'),
  errors: ['not_found', 'temporarily_unavailable'],
  async handle(call, ports) {
    const { school, issuer, params } = call;
    const { name } = await knownSchool(ports, school);
    const anybody = { school, principal: undefined, view: 'anonymous' } as const;
    const { thing, id } = await calendarEvents.load(anybody, params['event'] ?? '', ports);
    if (thing.status === 'draft') throw new Problem('not_found');
    return { body: icalendar({ name, issuer }, [{ ...thing, id }]), headers: named(thing.slug) };
  },
});

/** Events for calendars. */
export const icalendarOperations: readonly Operation[] = [feed, file];
