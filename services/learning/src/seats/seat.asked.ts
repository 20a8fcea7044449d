import type { Collection, Projection } from '@lyceum/documents';
import { rowAs, type Documents } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { enrollmentEvents } from '../enrollments/enrollment.events.ts';

/** The enrollments with a seat, or with one that they wait for, by ids only: those of erased people are to give theirs back. */
export const askedSeats: Collection = { name: 'asked-seats', version: 1, fields: { member_id: 'text' } };

/** An enrollment with a seat. */
export interface AskedSeat {
  readonly member_id: string;
  readonly course_id: string;
}

const begins = 'SeatRequested';
const ends: readonly string[] = ['SeatRefused', 'SeatReturned'];

/** Follows seats from their request until they are returned. */
export const askedSeatProjection: Projection = {
  collection: askedSeats,
  key: ({ stream, type }) =>
    stream.startsWith('enrollment_') && (type === begins || ends.includes(type)) ? stream : undefined,
  project(recorded) {
    const { type, data } = upcast(enrollmentEvents, recorded);
    return type === begins ? { member_id: data.member_id, course_id: data.course_id } : null;
  },
};

const pageSize = 200;

/** The enrollments of a member that have a seat, or wait for one, as far as the read model has them. */
export async function* seatsOf({ documents }: { readonly documents: Documents }, school: string, member: string) {
  const where = [{ field: 'member_id', is: member }];
  for (let after: string | undefined, more = true; more;) {
    const behind = after === undefined ? {} : { after: { value: null, id: after } };
    const page = await documents.query(askedSeats, school, { where, limit: pageSize, ...behind });
    for (const { id, body } of page.items) yield { id, ...rowAs<AskedSeat>(body) };
    more = page.more;
    after = page.items.at(-1)?.id;
  }
}
