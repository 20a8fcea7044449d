import type { TokenClaims } from '@lyceum/oauth/testing';
import { type Got, type ServiceUnderTest, type UnderTestOptions, serviceUnderTest } from '@lyceum/testkit-service';
import { learning } from './module.ts';

/** Courses of school_1, by what is special about them. */
export const courseIds = {
  free: 'course_00000000-0000-7000-8000-000000000001',
  paid: 'course_00000000-0000-7000-8000-000000000002',
  limited: 'course_00000000-0000-7000-8000-000000000003',
  seats: 'course_00000000-0000-7000-8000-000000000004',
  later: 'course_00000000-0000-7000-8000-000000000005',
  over: 'course_00000000-0000-7000-8000-000000000006',
  unpublished: 'course_00000000-0000-7000-8000-000000000007',
  archived: 'course_00000000-0000-7000-8000-000000000008',
  draft: 'course_00000000-0000-7000-8000-000000000009',
  none: 'course_00000000-0000-7000-8000-000000000010',
} as const;

type Course = keyof typeof courseIds;

const shown = (course: Course, more: object = {}) => ({
  type: 'CourseShown',
  data: {
    course_id: courseIds[course],
    slug: course,
    title: course,
    summary: null,
    access: 'free',
    listed: true,
    prices: [],
    seat_limit: null,
    lecturer_ids: [],
    access_days: null,
    ...more,
  },
});

const about = (type: string, course: Course, more: object = {}) => ({
  type,
  data: { course_id: courseIds[course], ...more },
});

/** What the catalog has published before a test. */
const catalogFacts = [
  shown('free'),
  shown('paid', { access: 'paid' }),
  shown('limited', { access_days: 10 }),
  shown('seats', { seat_limit: 3 }),
  shown('later'),
  about('EnrollmentPeriodSet', 'later', { opens_at: '2126-01-01T00:00:00.000Z', closes_at: null }),
  shown('over'),
  about('EnrollmentPeriodSet', 'over', { closes_at: '2020-01-01T00:00:00.000Z' }),
  shown('unpublished'),
  about('CourseUnpublished', 'unpublished'),
  shown('archived'),
  about('CourseUnpublished', 'archived'),
  about('CourseArchived', 'archived'),
  about('EnrollmentPeriodSet', 'draft', { opens_at: null }),
];

/** The members of school_1, by what they are called in tests; and one of school_2. */
const people = ['member', 'enrolled', 'other', 'erased'] as const;

const joined = (member_id: string, school?: string) => ({
  type: 'MemberJoined',
  data: { member_id, role: 'member' },
  ...(school === undefined ? {} : { school }),
});

/** What the school service has published before a test. */
const schoolFacts = [
  ...people.map((name) => joined(`account_${name}`)),
  { type: 'MemberErased', data: { member_id: 'account_erased', tokens_not_before: '2026-01-01T00:00:00.000Z' } },
  joined('account_elsewhere', 'school_2'),
];

/** The token of a member. */
export const memberToken = (
  name: string,
  scopes: TokenClaims['scopes'] = ['account:read', 'account:write'],
): TokenClaims => ({
  role: 'member',
  subject: `account_${name}`,
  ...(scopes ? { scopes } : {}),
});

/** The service under test. */
export interface Learning extends ServiceUnderTest {
  /** The staff enrolls a member; gives the answer's body. */
  enroll(member: string, course: Course, more?: object): Promise<Got>;
}

/** Answers what the service asks others: names of everybody, and the courses of one lecturer. */
async function answers(service: string, question: Readonly<Record<string, unknown>>): Promise<unknown> {
  if (service === 'school' && question['kind'] === 'members-by-id') {
    const ids = question['ids'] as readonly string[];
    return { members: ids.map((id) => ({ id, name: `Name of ${id}`, email: `${id}@example.org` })) };
  }
  if (service === 'catalog' && question['kind'] === 'courses-of-lecturer')
    return { courses: question['member'] === 'account_lecturer' ? [courseIds.free, courseIds.paid] : [] };
  return undefined;
}

/** Starts the service with courses and members. */
export async function startLearning(options: UnderTestOptions<Record<never, never>> = {}): Promise<Learning> {
  const service = await serviceUnderTest(learning, {
    published: { catalog: catalogFacts, school: schoolFacts },
    ports: { ask: answers },
    ...options,
  });
  return {
    ...service,
    enroll: (member, course, more = {}) =>
      service.call('POST', `/api/students/account_${member}/enrollments`, {
        body: { course_id: courseIds[course], ...more },
      }),
  };
}
