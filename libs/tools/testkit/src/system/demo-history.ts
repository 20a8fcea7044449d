import { setTimeout as sleep } from 'node:timers/promises';
import { Client, call } from '../http/client.ts';
import type { Place } from './system.ts';

/** Milliseconds in which the history of the demo is complete, on a busy machine and where each read of a log is a scan. */
const patience = 420_000;

/**
 * Resolves when the history of the demo is there, which a system writes while it serves already: all have joined, somebody has
 * completed a course, the last of those who have a plan has it, and somebody waits for a seat of an event. Only for a system with `DEMO_HISTORY`.
 */
export async function demoHistory({ baseUrl, password }: Place): Promise<void> {
  const client = await Client.register(baseUrl);
  const { access_token: token } = await client.tokens(
    'owner@lantern.test',
    password,
    'events:read members:read students:read subscriptions:read',
  );
  const found = async (path: string, is: (row: Record<string, unknown>) => boolean) =>
    (await call(`${baseUrl}/api${path}`, { token })).body.data?.some(is) === true;
  const isCertified = (student: Record<string, unknown>) =>
    (student['enrollments'] as readonly { certificate_id: unknown }[]).some(
      ({ certificate_id }) => certificate_id !== null,
    );
  for (const began = Date.now(); Date.now() - began < patience; await sleep(500)) {
    const all = [
      found('/members?status=invited', () => true),
      found('/members?status=suspended', () => true),
      found('/students?limit=100', isCertified),
      found('/subscriptions?status=incomplete', () => true),
      found('/events/open-evening/registrations?status=waitlisted', () => true),
    ];
    if ((await Promise.all(all)).every(Boolean)) return;
  }
  throw new Error('the history of the demo schools was not complete in time');
}
