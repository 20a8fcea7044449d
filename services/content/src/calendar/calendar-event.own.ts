import { fold } from '@lyceum/eventlog';
import type { MemberAsking } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { isComing, registrationDecider, registrationStream } from '../registrations/registration.ts';
import type { EventReply } from './calendar-event.schema.ts';
import type { CalendarEvent } from './calendar-event.state.ts';

type OwnPart = Pick<EventReply, 'own_registration'> & Partial<Pick<EventReply, 'join_url' | 'materials'>>;

/** What a member sees of an event beside what all members see: their registration, and with it where to take part. */
export async function ownPart(
  { log, files }: Pick<Ports, 'log' | 'files'>,
  { school, member, at, issuer }: MemberAsking,
  { id, join_url, materials }: CalendarEvent,
): Promise<OwnPart> {
  const stream = registrationStream(id, member);
  const { state } = await fold(log, registrationDecider, school, stream);
  if (!state) return { own_registration: null };
  const own_registration = { id: stream, status: state.status };
  if (!isComing(state)) return { own_registration };
  const address = (file: CalendarEvent['materials'][number]) =>
    files?.addressOf({ school, at, issuer }, file) ?? { url: null, url_expires_at: null };
  return { own_registration, join_url, materials: materials.map((file) => ({ ...file, ...address(file) })) };
}
