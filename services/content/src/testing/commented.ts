import { routesOf } from '@lyceum/contracts';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { domainModule } from '@lyceum/service';
import {
  type Got,
  type Sent,
  type ServiceUnderTest,
  type UnderTestOptions,
  serviceUnderTest,
} from '@lyceum/testkit-service';
import { countSlice } from '../comment-counts/count.slice.ts';
import { likeSlice } from '../comment-liking/liking.slice.ts';
import { commentSlice } from '../comments/api/comment.slice.ts';
import { formSlice } from '../forms/api/form.slice.ts';
import type { FindPost } from '../hosts/host.ts';
import { contentServicePorts } from '../ports/content-ports.ts';
import { contentSettings } from '../ports/content-settings.ts';
import { submissionSlice } from '../submissions/api/submission.slice.ts';

const uuid = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** What people comment on in tests: who reads it stands in its name. */
export const hosts = {
  openCourse: `course_${uuid(1)}`,
  paidCourse: `course_${uuid(2)}`,
  preview: `lesson_${uuid(3)}`,
  paidLesson: `lesson_${uuid(4)}`,
  publicPost: `post_${uuid(5)}`,
  membersPost: `post_${uuid(6)}`,
  closedPost: `post_${uuid(7)}`,
  none: `course_${uuid(9)}`,
  /** In no list: members open it by its address, and nobody else is told of it. */
  unlistedCourse: `course_${uuid(10)}`,
} as const;

const isPublicly: ReadonlySet<string> = new Set([
  hosts.openCourse,
  hosts.preview,
  hosts.publicPost,
  hosts.closedPost,
  hosts.unlistedCourse,
]);

const courses: ReadonlySet<unknown> = new Set([hosts.openCourse, hosts.paidCourse, hosts.unlistedCourse]);

/** Who has access to the paid course; a lecturer teaches it. */
const entitled: ReadonlySet<unknown> = new Set(['account_ada', 'account_bob', 'account_cyd', 'account_dan']);

const runs: ReadonlySet<unknown> = new Set(['owner', 'admin']);

/** Posts: one that everybody reads, one for members, one without comments. A lecturer wrote the first. */
const findPost: FindPost = async ({ principal, school }, _ports, id) => {
  if (school !== 'school_1' || !Object.values<string>(hosts).includes(id)) return undefined;
  const manages = runs.has(principal?.role) || (principal?.subject === 'account_teacher' && id === hosts.publicPost);
  const isPublic = isPublicly.has(id);
  return { isPublic, isOpen: isPublic || principal !== undefined, manages, isClosed: id === hosts.closedPost };
};

/** Comments, on posts of these tests. */
export const commentSliceOfTests = commentSlice(findPost);

/** The content service, as far as visitors write into it. */
export const commentModule = domainModule({
  name: 'content',
  routes: routesOf('content'),
  settings: contentSettings,
  slices: [commentSliceOfTests, likeSlice, countSlice, formSlice, submissionSlice],
  ownPorts: contentServicePorts,
});

/** The catalog and the school service, as far as they are asked. */
export class FakeNeighbours {
  readonly erased = new Set<string>();
  isAway = false;

  readonly answer = async (service: string, question: Readonly<Record<string, unknown>>): Promise<unknown> => {
    if (this.isAway) throw new Error(`the ${service} service is away`);
    switch (question['kind']) {
      case 'host-of-course':
        return this.#host(question);
      case 'courses-of-lecturer':
        return { courses: question['member'] === 'account_teacher' ? [hosts.paidCourse] : [] };
      case 'members-by-id':
        return {
          members: (question['ids'] as readonly string[])
            .filter((id) => !this.erased.has(id))
            .map((id) => ({ id, name: `Name of ${id}`, avatar: id === 'account_ada' ? `upload_${uuid(8)}` : null })),
        };
      default:
        return undefined;
    }
  };

  #host({ school, course, lesson, member, role }: Readonly<Record<string, unknown>>) {
    if (school !== 'school_1' || !courses.has(course)) return null;
    if (course === hosts.unlistedCourse && !member) return null;
    const manages = runs.has(role) || (member === 'account_teacher' && course === hosts.paidCourse);
    const isPublic = isPublicly.has(String(lesson ?? course));
    return { public: isPublic, open: isPublic || manages || entitled.has(member), manages };
  }
}

const lesson = (lesson_id: string, course_id: string) => ({
  type: 'LessonPublished',
  data: {
    course_id,
    lesson_id,
    title: 'A lesson',
    type: 'text',
    duration_s: null,
    preview: false,
    required: true,
    pass_mark: null,
    release: { type: 'immediate' },
  },
});

/** The service under test. */
export interface Commented extends ServiceUnderTest {
  readonly neighbours: FakeNeighbours;
  /** Somebody comments on something. */
  post(member: string, host: string, body: string, more?: object): Promise<Got>;
  /** The school says which comments wait. */
  policy(comment_policy: string, school?: string): Promise<void>;
}

/** The token of a member, who acts as themselves. */
export const memberOf = (name: string): TokenClaims => ({
  role: 'member',
  subject: `account_${name}`,
  scopes: ['account:read', 'account:write', 'comments:read'],
});

/** The token of a lecturer. */
export const lecturerOf = (name: string): TokenClaims => ({
  role: 'lecturer',
  subject: `account_${name}`,
  scopes: ['account:write', 'comments:read', 'courses:write', 'posts:write'],
});

/** Starts the service with lessons; nobody waits for the staff unless the test says so. */
export async function startCommented(options: UnderTestOptions<Record<never, never>> = {}): Promise<Commented> {
  const neighbours = new FakeNeighbours();
  const service = await serviceUnderTest(commentModule, {
    published: {
      catalog: [lesson(hosts.preview, hosts.paidCourse), lesson(hosts.paidLesson, hosts.paidCourse)],
      school: [{ type: 'SchoolChanged', data: { comment_policy: 'open' } }],
    },
    settings: { RATE_LIMIT_FACTOR: 1_000 },
    ports: { ask: neighbours.answer },
    ...options,
  });
  return {
    ...service,
    neighbours,
    post: (member, host, body, more = {}) => {
      const { as = memberOf(member), ...rest } = more as Sent & Record<string, unknown>;
      return service.call('POST', '/api/comments', { as, body: { host, body, ...rest } });
    },
    async policy(comment_policy, school = 'school_1') {
      await service.publish('school', { type: 'SchoolChanged', data: { comment_policy }, school });
      await service.settled();
    },
  };
}
