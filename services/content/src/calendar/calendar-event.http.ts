import { instant, paragraph } from '@lyceum/contracts';
import { fold } from '@lyceum/eventlog';
import { isObject } from '@lyceum/kernel';
import { type AskingPorts, namingOf } from '@lyceum/service';
import { type Call, type Operation, type Ports, given } from '@lyceum/web';
import { z } from 'zod';
import { knownSchool } from '../schools/known-school.ts';
import { seatingDecider, seatingStream } from '../seating/seating.ts';
import { withTeaching } from '../teaching/known-teaching.ts';
import { refuseUnknown } from '../teaching/nameable.ts';
import { filesOf } from './calendar-event.files.ts';
import { changesOf, newEvent } from './calendar-event.input.ts';
import { calendarEvents } from './calendar-event.resource.ts';
import { changeEventBody, createEventBody, type eventItem } from './calendar-event.schema.ts';

const cancelBody = z
  .strictObject({
    note: paragraph(500)
      .nullable()
      .optional()
      .meta({ description: 'Why; those who are registered are told, and everybody who looks.' }),
  })
  .optional()
  .meta({ id: 'CancelEvent', example: { note: 'The workshop is flooded.' } });

type Item = z.output<typeof eventItem>;

/** What events are given by those who know who comes. */
export interface CalendarPorts {
  /** How many have a place at an event that has no limit, as far as lists have it; more than `most` need not be counted. */
  coming(ports: Pick<Ports, 'documents'>, school: string, event: string, most: number): Promise<number>;
}

/** The list, with those who are to be seen as who teaches. */
const shownList = (list: Operation): Operation => ({
  ...list,
  async handle(call: Call, ports: Ports) {
    const reply = await list.handle(call, ports);
    const { data, ...body } = reply.body as { readonly data: readonly Item[] };
    return { ...reply, body: { ...body, data: await withTeaching(ports, call.school, data) } };
  },
});

/** One event, likewise: who teaches changes without a new version. */
const shownItem = (get: Operation): Operation => ({
  ...get,
  async handle(call: Call, ports: Ports) {
    const reply = await get.handle(call, ports);
    if (!isObject(reply.body)) return reply;
    const [body] = await withTeaching(ports, call.school, [reply.body as Item]);
    return { ...reply, body, fleeting: true };
  },
});

/** All operations on the events of the calendar. */
export const calendarEventOperations = ({ coming, ...asking }: CalendarPorts & AskingPorts): readonly Operation[] => [
  shownList(
    calendarEvents.list({
      id: 'listEvents',
      summary: 'List events',
      description:
        'Public ones, those that are over too; for owners and admins all of them, for lecturers also their own. Canceled ones only when `status` asks for them. In the order of their beginning. Follows writes with a short delay: see Consistency-Token.',
      filters: {
        from: instant().optional().meta({ description: 'Those that end later.' }),
        starts_after: instant().optional().meta({ description: 'Those that begin later.' }),
        to: instant().optional().meta({ description: 'Those that begin earlier.' }),
        course_id: z.string().max(64).optional(),
      },
      conditions: ({ from, starts_after, to, course_id }) => [
        ...given(from, (above) => ({ field: 'ends_at', above })),
        ...given(starts_after, (above) => ({ field: 'starts_at', above })),
        ...given(to, (below) => ({ field: 'starts_at', below })),
        ...given(course_id, (is) => ({ field: 'course_id', is })),
      ],
      searches: 'Beginnings of words of title, summary or venue; all of them.',
      sorts: ['starts_at', 'created_at'],
    }),
  ),

  calendarEvents.create({
    id: 'createEvent',
    summary: 'Create an event',
    description:
      'Creates a draft. Without a slug one is made from the title. Lecturers have to be active, the course has to be there.',
    body: createEventBody,
    errors: ['slug_taken', 'file_not_ready', 'temporarily_unavailable'],
    naming: ({ slug, title }) => namingOf(slug, title),
    async command(call, ports, id) {
      const school = await knownSchool(ports, call.school);
      await refuseUnknown(asking, call.school, call.body);
      const made = newEvent(call.body, school, await filesOf(call, ports, call.body));
      const { actor: by } = call.meta;
      return (slug) => ({ type: 'CreateEvent', id, slug, ...made, by, currency: school.currency });
    },
  }),

  shownItem(
    calendarEvents.get({
      id: 'getEvent',
      summary: 'Read an event',
      description:
        'By id or slug, as of now. A former slug answers 308 with the address of the present one. For members who have a seat with where to take part, and with the files for them. Lecturers who were archived since, and a course that is not public, are left out for others than the staff.',
    }),
  ),

  calendarEvents.change({
    id: 'changeEvent',
    summary: 'Change an event',
    description:
      'A JSON Merge Patch. Those who are registered are told of another time, and those who wait get the seats of a larger capacity. A published event has to stay complete.',
    body: changeEventBody,
    errors: [
      'slug_taken',
      'capacity_below_confirmed',
      'file_not_ready',
      'invalid_state',
      'not_ready',
      'started',
      'temporarily_unavailable',
    ],
    async command(call, ports) {
      const { school, body, at: now } = call;
      const { currency } = await knownSchool(ports, school);
      return async ({ thing, id }) => {
        await refuseUnknown(asking, school, body, thing);
        const changes = changesOf(body, { currency }, await filesOf(call, ports, body, thing));
        const { state } = await fold(ports.log, seatingDecider, school, seatingStream(id));
        // Where there is no limit, nobody has counted.
        const uncounted = thing.capacity === null && changes.capacity ? changes.capacity : undefined;
        const confirmed = uncounted === undefined ? state.taken : await coming(ports, school, id, uncounted + 1);
        const command = { type: 'ChangeEvent', changes, currency, confirmed, now } as const;
        return { command, expectedVersions: [] };
      };
    },
  }),

  calendarEvents.remove({
    id: 'deleteEvent',
    summary: 'Delete an event',
    description: 'Only a draft; what was public is canceled.',
    errors: ['invalid_state'],
    command: () => ({ type: 'DeleteEvent' }),
  }),

  calendarEvents.change({
    id: 'publishEvent',
    method: 'POST',
    below: '/publish',
    summary: 'Publish an event',
    description:
      'Makes it public, and opens the registration; `details` of `not_ready` name what is missing. Publishing again changes nothing.',
    errors: ['invalid_state', 'not_ready'],
    command: ({ at: now }) => ({ type: 'PublishEvent', now }),
  }),

  calendarEvents.change({
    id: 'cancelEvent',
    method: 'POST',
    below: '/cancel',
    summary: 'Cancel an event',
    description:
      'For good. It stays to be seen; those who are registered are told, and what they paid goes back. Canceling again changes nothing.',
    body: cancelBody,
    errors: ['invalid_state'],
    command: ({ body, at: now }) => ({ type: 'CancelEvent', note: body?.note ?? null, now }),
  }),
];
