import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { appearanceEvents } from './appearance.events.ts';
import { appearanceStream } from './appearance.ts';

/** What other services hear: the look that is public now. Drafts stay here, and so does the style of the school's site. */
export function appearanceFact(recorded: RecordedEvent): FactOf<'school'> | undefined {
  if (recorded.stream !== appearanceStream) return undefined;
  const { type, data } = upcast(appearanceEvents, recorded);
  if (type !== 'AppearancePublished' && type !== 'AppearanceRolledBack') return undefined;
  const { custom_css: _site, ...look } = data.look;
  return { type: 'AppearancePublished', data: { revision: data.revision, ...look } };
}
