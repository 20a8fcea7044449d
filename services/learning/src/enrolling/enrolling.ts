import { uuidv5 } from '@lyceum/kernel';
import { type Deciding, type Ports, Problem } from '@lyceum/web';
import { type KnownCourse, knownCourse } from '../courses/known-courses.ts';
import { enrollable, endOfAccess, hasSeats } from '../courses/enrolling.ts';
import { enrollmentStream } from '../enrollments/enrollment.ts';
import { type Decided, decideEnrollment } from '../enrollments/enrollment.write.ts';

/** A course as the staff give access to it. `expires_at`: RFC 3339 UTC; null = never. */
export interface GivenAccess {
  readonly course_id: string;
  readonly expires_at: string | null;
  /** Whether it waits for a seat. */
  readonly seat: boolean;
}

/** When access is to end; as the course says where this is undefined. */
type End = string | null | undefined;

/** Access to a course that the staff may give now. Throws the problem why not. */
export async function accessToGive(
  ports: Pick<Ports, 'documents'>,
  { school, at }: Pick<Deciding, 'school' | 'at'>,
  course_id: string,
  end: End,
): Promise<GivenAccess> {
  return givenAccess(course_id, enrollable(await knownCourse(ports, school, course_id)), end, at);
}

function givenAccess(course_id: string, course: KnownCourse, end: End, at: string): GivenAccess {
  const expires_at = end === undefined ? endOfAccess(course, at) : end;
  refusePast(expires_at, at);
  return { course_id, expires_at, seat: hasSeats(course) };
}

/** Throws the 422 problem for access that would end in the past. Times are RFC 3339 UTC; null = never. */
export function refusePast(expires_at: string | null, now: string): void {
  if (expires_at === null || expires_at > now) return;
  throw new Problem('validation_failed', 'Access must end in the future', {
    details: [{ path: 'expires_at', code: 'not_in_future', message: 'must be in the future' }],
  });
}

/** A member's enrollment, given access by the staff, be it once a seat comes. Throws the problem why not. */
export function enrollMember(
  call: Deciding,
  ports: Pick<Ports, 'log'>,
  member_id: string,
  { course_id, expires_at, seat }: GivenAccess,
): Promise<Decided> {
  return decideEnrollment(call, ports, enrollmentStream(member_id, course_id), {
    type: 'GrantAccess',
    member_id,
    course_id,
    source_type: 'staff',
    source_id: call.commit.commitId,
    starts_at: call.at,
    expires_at,
    seat,
    now: call.at,
  });
}

/**
 * The call as one of several writes that follow from it. The commit id is derived from the `key` of the write, so that a
 * repetition of the whole writes nothing twice; `content` is what has to be the same then.
 */
export const partOf = (call: Deciding, key: string, content: readonly unknown[]): Deciding => ({
  ...call,
  commit: {
    commitId: uuidv5('part-of', call.commit.commitId, key),
    fingerprint: uuidv5('part', key, ...content.map(String)),
  },
});

/** Does something for each item, a few at a time, in order. */
export async function aFewAtATime<Item, Done>(
  items: readonly Item[],
  work: (item: Item) => Promise<Done>,
): Promise<readonly Done[]> {
  const done: Done[] = [];
  for (let from = 0; from < items.length; from += few)
    done.push(...(await Promise.all(items.slice(from, from + few).map(work))));
  return done;
}

/** More share a commit to the disk, fewer leave room for other callers. */
const few = 16;
