import { type Collection, type Document, type Documents, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { registrationEvents } from './registration.events.ts';
import { type Registration, evolve } from './registration.state.ts';

/** The read model behind lists of registrations. */
export const registrations: Collection = {
  name: 'registrations',
  version: 1,
  fields: {
    event_id: 'text',
    member_id: 'text',
    person_id: 'text',
    status: 'text',
    created_at: 'text',
    updated_at: 'text',
  },
};

/** A registration in the read model. `person_id`: the member, or the guest. */
export interface RegistrationRow extends Registration {
  readonly person_id: string;
}

/** The registration of a row. */
export function registrationOfRow(row: Document): Registration {
  const { person_id: _person, ...registration } = rowAs<RegistrationRow>(row);
  return registration;
}

/** How many come to an event, as far as the read model has it; counted no further than `most`. */
export async function comingTo(
  { documents }: { readonly documents: Pick<Documents, 'query'> },
  school: string,
  event: string,
  most: number,
): Promise<number> {
  const where = [
    { field: 'event_id', is: event },
    { field: 'status', in: ['confirmed', 'attended'] },
  ];
  let count = 0;
  for (let after: string | undefined, more = true; more && count < most;) {
    const behind = after === undefined ? {} : { after: { value: null, id: after } };
    const page = await documents.query(registrations, school, { where, limit: 200, ...behind });
    count += page.items.length;
    after = page.items.at(-1)?.id;
    ({ more } = page);
  }
  return count;
}

/** Folds each registration's events into its row. Of somebody who was erased nothing is kept, and nothing is begun anew. */
export const registrationProjection: Projection = {
  collection: registrations,
  key: ({ stream }) => (stream.startsWith('registration_') ? stream : undefined),
  project(recorded, before): Document | null {
    const event = upcast(registrationEvents, recorded);
    if (!before && event.type !== 'RegistrationRequested') return null;
    const { at, version } = recorded;
    const next = evolve(before ? registrationOfRow(before) : null, event, { at, version });
    return next && { ...next, person_id: next.member_id ?? next.guest?.id ?? '' };
  },
  erase: { documents: { field: 'person_id' } },
};
