import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { schoolEvents } from './school.events.ts';

/** What other services hear of a school: that it exists, and that it moved. The owner's address stays here. */
export function schoolFact(recorded: RecordedEvent): FactOf<'school'> | undefined {
  if (!recorded.stream.startsWith('school_')) return undefined;
  const event = upcast(schoolEvents, recorded);
  if (event.type === 'SchoolSignUpSet') return { type: 'SchoolSignUpSet', data: event.data };
  if (event.type === 'SchoolMoved') return { type: 'SchoolMoved', data: event.data };
  const { slug, name, host, base_url, currency, locale, timezone } = event.data;
  return { type: 'SchoolProvisioned', data: { slug, name, host, base_url, currency, locale, timezone } };
}
