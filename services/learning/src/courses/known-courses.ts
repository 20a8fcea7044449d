import type { FactOf } from '@lyceum/contracts';
import { type Collection, type Document, type Documents, type Projection, eventGuard, rowAs } from '@lyceum/documents';

const courses: Collection = { name: 'courses', version: 2, fields: {} };

/** A course as the catalog service published it. `status` is `draft` for as long as it never was public. */
export interface KnownCourse {
  readonly status: 'draft' | 'published' | 'unpublished' | 'archived';
  readonly title: string;
  readonly access: string;
  /** Days that access lasts; null = for ever. */
  readonly access_days: number | null;
  readonly seat_limit: number | null;
  /** When people may enroll; null = no bound. RFC 3339 UTC. */
  readonly opens_at: string | null;
  readonly closes_at: string | null;
}

type CourseFact = Extract<FactOf<'catalog'>, { data: { course_id: string } }>;

const unknown: KnownCourse = {
  status: 'draft',
  title: '',
  access: 'paid',
  access_days: null,
  seat_limit: null,
  opens_at: null,
  closes_at: null,
};

/** The course after an integration event; as it was after one that says nothing about it. */
function after({ type, data }: CourseFact, before: KnownCourse): KnownCourse {
  switch (type) {
    case 'CourseShown': {
      const { title, access, access_days, seat_limit } = data;
      return { ...before, status: 'published', title, access, access_days, seat_limit };
    }
    case 'EnrollmentPeriodSet': {
      const { opens_at = before.opens_at, closes_at = before.closes_at } = data;
      return { ...before, opens_at, closes_at };
    }
    case 'SeatLimitChanged':
      return { ...before, seat_limit: data.seat_limit };
    case 'CourseUnpublished':
      return { ...before, status: 'unpublished' };
    case 'CourseArchived':
      return { ...before, status: 'archived' };
    default:
      return before;
  }
}

const isCourseFact = eventGuard<CourseFact>(
  'CourseShown',
  'EnrollmentPeriodSet',
  'SeatLimitChanged',
  'CourseUnpublished',
  'CourseArchived',
);

/** What the service knows of courses, from the integration events of the catalog service. */
export const courseProjection: Projection = {
  collection: courses,
  key: (fact) => (isCourseFact(fact) ? fact.data.course_id : undefined),
  project(fact, before): Document | null {
    const course = before ? rowAs<KnownCourse>(before) : unknown;
    return isCourseFact(fact) ? { ...after(fact, course) } : { ...course };
  },
};

/** The version before, which knew limits of seats of public courses only, while the present one is built. */
export const courseProjectionBefore: Projection = { ...courseProjection, collection: { ...courses, version: 1 } };

/** A course, as far as integration events have arrived; undefined when there are none of it. */
export async function knownCourse(
  { documents }: { readonly documents: Pick<Documents, 'get'> },
  school: string,
  id: string,
): Promise<KnownCourse | undefined> {
  return rowAs<KnownCourse>(await documents.get(courses, school, id));
}
