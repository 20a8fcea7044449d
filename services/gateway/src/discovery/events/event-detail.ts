import { z } from 'zod';
import type { Api } from '../../upstream/school-api.ts';

const venue = z.object({ name: z.string(), address: z.string().nullable() }).nullable();

const times = { starts_at: z.string(), ends_at: z.string(), timezone: z.string() };

const event = z.object({
  title: z.string(),
  slug: z.string(),
  summary: z.string().nullable(),
  /** Blocks of rich text. */
  description: z.array(z.unknown()).default([]),
  ...times,
  mode: z.string(),
  venue,
  price: z.object({ amount: z.int(), currency: z.string() }).nullable(),
  status: z.string(),
  seats: z.string(),
  registration: z.string(),
  cancel_note: z.string().nullable(),
});

/** An event as anybody may see it. */
export type EventDetail = z.output<typeof event>;

const registration = z.object({
  status: z.string(),
  waitlist_position: z.int().nullable(),
  may_cancel: z.boolean(),
  event: z.object({ title: z.string(), slug: z.string(), ...times, mode: z.string(), venue, status: z.string() }),
  join_url: z.string().nullable(),
});

/** The registration of a guest as whoever has the link sees it. */
export type RegistrationDetail = z.output<typeof registration>;

/** Reads an event by its slug, a former one too; undefined when nobody may see it. Rejects when nobody can tell. */
export async function readEvent(api: Api, slug: string): Promise<EventDetail | undefined> {
  let reply = await api(`/api/events/${slug}`);
  const [, present] = /^\/api\/events\/([\w-]{1,100})$/.exec(reply.header('location') ?? '') ?? [];
  if (reply.status === 308 && present !== undefined) reply = await api(`/api/events/${present}`);
  if (reply.status === 404) return undefined;
  if (reply.status !== 200) throw new Error(`an event answers ${reply.status}`);
  return event.parse(reply.body);
}

/** Reads the registration that a code is of; undefined when there is none. Rejects when nobody can tell. */
export async function readRegistration(api: Api, code: string): Promise<RegistrationDetail | undefined> {
  const { status, body } = await api(`/registrations/${code}`);
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`a registration answers ${status}`);
  return registration.parse(body);
}
