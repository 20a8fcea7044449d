import { type FactOf, imagePath, isFileId } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { lifecycleEvents } from './lifecycle.events.ts';
import { lifecycleStream } from './lifecycle.ts';
import { profileEvents } from './profile.events.ts';
import { profileStream } from './profile.ts';
import { schoolEvents } from './school.events.ts';

type Fact = FactOf<'school'>;

/**
 * What other services hear of a school: that it exists, that it moved, what of it is different, whether it is open. The
 * addresses of its owner and its staff stay here.
 */
export function schoolFact(recorded: RecordedEvent): Fact | undefined {
  if (recorded.stream === profileStream) return profileFact(recorded);
  if (recorded.stream === lifecycleStream) return lifecycleFact(recorded);
  if (!recorded.stream.startsWith('school_')) return undefined;
  const event = upcast(schoolEvents, recorded);
  if (event.type === 'SchoolSignUpSet') return { type: 'SchoolSignUpSet', data: event.data };
  if (event.type === 'SchoolMoved') return { type: 'SchoolMoved', data: event.data };
  const { slug, name, host, base_url, currency, locale, timezone } = event.data;
  return { type: 'SchoolProvisioned', data: { slug, name, host, base_url, currency, locale, timezone } };
}

/** Nothing where only the staff's own business is different. */
function profileFact(recorded: RecordedEvent): Fact | undefined {
  const event = upcast(profileEvents, recorded);
  if (event.type !== 'SchoolChanged') return undefined;
  const { contact_email: _contact, invoice_details: _invoice, notifications: _mails, ...open } = event.data;
  return Object.keys(open).length === 0 ? undefined : { type: 'SchoolChanged', data: { ...open, ...imagesIn(open) } };
}

/** A file of the school is told by its path: the school may move. */
const imagesIn = ({ logo, favicon }: { logo?: string | null | undefined; favicon?: string | null | undefined }) => ({
  ...(isFileId(logo) ? { logo: imagePath(logo) } : {}),
  ...(isFileId(favicon) ? { favicon: imagePath(favicon) } : {}),
});

function lifecycleFact(recorded: RecordedEvent): Fact {
  return { type: upcast(lifecycleEvents, recorded).type, data: {} };
}
