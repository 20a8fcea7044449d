import type { FactOf } from '@lyceum/contracts';
import { type Collection, type Document, type Documents, type Projection, eventGuard, rowAs } from '@lyceum/documents';

const registered: Collection = { name: 'registered-events', version: 1, fields: { member_id: 'text' } };

type RegistrationFact = Extract<FactOf<'content'>, { type: 'RegistrationConfirmed' | 'RegistrationCanceled' }>;

const isRegistrationFact = eventGuard<RegistrationFact>('RegistrationConfirmed', 'RegistrationCanceled');

const idOf = (member: string, event: string): string => `${member}/${event}`;

/** Which members have a place at which events, from the integration events of the content service. */
export const registeredProjection: Projection = {
  collection: registered,
  key: (fact) =>
    isRegistrationFact(fact) && fact.data.member_id !== null
      ? idOf(fact.data.member_id, fact.data.event_id)
      : undefined,
  project(fact, before): Document | null {
    if (!isRegistrationFact(fact)) return before ?? null;
    return fact.type === 'RegistrationConfirmed' ? { member_id: fact.data.member_id } : null;
  },
  erase: { documents: { field: 'member_id' } },
};

/** Whether a member has a place at an event, as far as integration events have arrived. */
export async function isRegistered(
  { documents }: { readonly documents: Pick<Documents, 'get'> },
  school: string,
  { member, item }: { readonly member: string; readonly item: string },
): Promise<boolean> {
  return rowAs(await documents.get(registered, school, idOf(member, item))) !== undefined;
}
