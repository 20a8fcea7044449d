import { httpsUrl, instant, line, paragraph, richText, timeZone } from '@lyceum/contracts';
import { z } from 'zod';

/** What a calendar event goes through. It has ended when its time is over; nothing writes that down. */
export const eventStatuses = ['draft', 'published', 'canceled', 'ended'] as const;

/** How people take part. */
export const eventModes = ['online', 'in_person', 'hybrid'] as const;

/** The most seats that an event can have a limit of. */
const mostSeats = 100_000;

/** Where an event is. */
const venue = z
  .object({ name: line(1, 200), address: paragraph(500).nullable() })
  .nullable()
  .meta({
    id: 'EventVenue',
    description: 'null = no place.',
    example: { name: 'Lantern workshop', address: 'Rua das Flores 12, Porto' },
  });

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id');

/** What describes a calendar event and has no rule beyond its shape. */
export const eventFields = z.object({
  title: line(1, 200).meta({ example: 'Lantern evening' }),
  summary: paragraph(500).nullable().meta({ description: 'For cards and search results.' }),
  description: richText,
  timezone: timeZone(),
  mode: z.enum(eventModes),
  venue,
  lecturer_ids: z.array(id).max(10).meta({ description: 'Who hosts it.' }),
  course_id: id.nullable().meta({ description: 'The course that it belongs to.' }),
  registration_closes_at: instant().nullable().meta({ description: 'null = when it starts.' }),
  waitlist: z
    .boolean()
    .meta({ description: 'Whether people may wait for a seat when all are taken; when it is free only.' }),
  join_url: httpsUrl().nullable().meta({ description: 'Where to take part online.' }),
});

/** When it is, as clients state it. */
export const eventTimes = { starts_at: instant(), ends_at: instant() };

/** How many may come. */
export const capacity = z.int().min(1).max(mostSeats).nullable().meta({ description: 'Seats; null = no limit.' });

/** Files for those who are registered, as clients name them. */
const materialInput = z
  .strictObject({ file_id: id.meta({ description: 'Of an upload.' }), name: line(1, 255) })
  .meta({ id: 'NamedMaterial', description: 'A file that was uploaded before.' });

/** The same, all of them; each once. */
export const materialInputs = z
  .array(materialInput)
  .max(20)
  .refine((list) => new Set(list.map(({ file_id }) => file_id)).size === list.length, 'must be different files');

/** When it is. RFC 3339 UTC. */
export interface EventTimes {
  readonly starts_at: string;
  readonly ends_at: string;
}
