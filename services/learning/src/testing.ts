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
  taught: 'course_00000000-0000-7000-8000-000000000011',
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

const immediate = { type: 'immediate' };

/** A section of the course that has lessons. */
const section = (section_id: string, position: number, release: object = immediate) =>
  about('SectionAdded', 'taught', { section_id, position, release });

/** A lesson of the course that has some, as the catalog publishes it. */
export const lessonFact = (type: 'LessonPublished' | 'LessonChanged', lesson_id: string, more: object = {}) =>
  about(type, 'taught', {
    lesson_id,
    title: `Title of ${lesson_id}`,
    type: 'text',
    duration_s: 0,
    preview: false,
    required: true,
    pass_mark: null,
    release: immediate,
    ...more,
  });

const lesson = (lesson_id: string, section_id: string, position: number, more?: object) => [
  about('LessonAdded', 'taught', { lesson_id, section_id, position }),
  ...(more ? [lessonFact('LessonPublished', lesson_id, more)] : []),
];

/** The course that has lessons: five that count, one that does not, and a draft. */
const taught = [
  shown('taught'),
  section('section_late', 0, { type: 'after_days', days: 7 }),
  section('section_first', 0),
  section('section_last', 2, { type: 'after_lesson', lesson_id: 'lesson_film' }),
  ...lesson('lesson_extra', 'section_first', 0, { required: false }),
  ...lesson('lesson_film', 'section_first', 0, { type: 'video', duration_s: 600 }),
  ...lesson('lesson_draft', 'section_first', 2),
  ...lesson('lesson_late', 'section_late', 0, {}),
  ...lesson('lesson_quiz', 'section_last', 0, { type: 'quiz', pass_mark: 50 }),
  ...lesson('lesson_after', 'section_last', 1, { release: { type: 'after_lesson', lesson_id: 'lesson_extra' } }),
  ...lesson('lesson_preview', 'section_last', 2, { preview: true }),
];

/** What the catalog has published before a test. */
const catalogFacts = [
  ...taught,
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

/** That the school has a time zone. */
const schoolIn = (timezone: string) => ({
  type: 'SchoolProvisioned',
  data: { slug: 's', name: 'S', host: 'h', base_url: 'b', currency: 'USD', locale: 'en', timezone },
});

/** Starts the service with courses and members; in UTC unless a time zone is given. */
export async function startLearning({
  timezone,
  ...options
}: UnderTestOptions<Record<never, never>> & { readonly timezone?: string } = {}): Promise<Learning> {
  const provisioned = timezone === undefined ? [] : [schoolIn(timezone)];
  const service = await serviceUnderTest(learning, {
    published: { catalog: catalogFacts, school: [...provisioned, ...schoolFacts] },
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
