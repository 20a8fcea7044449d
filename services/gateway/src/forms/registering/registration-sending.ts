import { z } from 'zod';
import type { EventDetail } from '../../discovery/events/event-detail.ts';
import type { Api } from '../../upstream/school-api.ts';
import { fieldNames } from '../form-html.ts';

/** What can come of a registration, as addresses of pages name it. */
export const outcomes = ['confirmed', 'waitlisted', 'pending', 'already'] as const;

/** What came of a registration. */
export type Outcome = (typeof outcomes)[number];

/** What became of what a guest sent. */
export type Registering =
  | { readonly is: 'registered'; readonly outcome: Outcome }
  | { readonly is: 'trapped' | 'gone' | 'soldOut' | 'closed' | 'paid' }
  | { readonly is: 'refused'; readonly problems: ReadonlyMap<string, 'missing' | 'wrong'> }
  | { readonly is: 'failed'; readonly status: 429 | 503; readonly wait: number };

const registered = z.object({ status: z.enum(['confirmed', 'waitlisted', 'pending']).catch('confirmed') });

/** What a refusal means here, by its code. */
const refusals: Readonly<Record<string, 'soldOut' | 'closed' | 'paid'>> = {
  sold_out: 'soldOut',
  registration_closed: 'closed',
  started: 'closed',
  invalid_state: 'paid',
};

const refusal = z.object({
  error: z.string().optional(),
  details: z.array(z.object({ path: z.string() })).default([]),
});

/** Seconds that a guest waits for the seat: most have it in a moment. */
const patience = 2;

/** Registers a guest for an event, in whose language the school writes to them. Nothing is sent of what fills in the trap. */
export async function registerGuest(
  api: Api,
  { slug }: Pick<EventDetail, 'slug'>,
  { sent, language }: { readonly sent: URLSearchParams; readonly language: string },
): Promise<Registering> {
  const [name, email, trap] = [fieldNames.answer('name'), fieldNames.answer('email'), fieldNames.trap].map((each) =>
    (sent.get(each) ?? '').trim(),
  );
  if (trap) return { is: 'trapped' };
  if (!email) return { is: 'refused', problems: new Map([['email', 'missing']]) };
  const json = { email, language, ...(name ? { name } : {}) };
  const headers = { prefer: `wait=${patience}` };
  const reply = await api(`/api/events/${slug}/registrations`, { method: 'POST', json, headers });
  const { status, body } = reply;
  if (status === 200) return { is: 'registered', outcome: 'already' };
  if (status === 201 || status === 202) return { is: 'registered', outcome: registered.parse(body).status };
  if (status === 404) return { is: 'gone' };
  const { error = '', details } = refusal.safeParse(body).data ?? { details: [] };
  const refused = refusals[error];
  if (status === 409 && refused) return { is: refused };
  if (status === 422) return { is: 'refused', problems: new Map(details.map(({ path }) => [path, 'wrong'])) };
  const wait = Number(reply.header('retry-after') ?? 0) || 2;
  return { is: 'failed', status: status === 429 ? 429 : 503, wait };
}
