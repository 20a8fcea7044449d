import { type AskingPorts, askFor } from '@lyceum/service';
import { type Call, type Ports, Problem } from '@lyceum/web';
import { z } from 'zod';
import { courseOfLesson } from './known-lessons.ts';

/** What people write comments about. */
export const hostTypes = ['post', 'lesson', 'course'] as const;

/** A kind of thing that people write comments about. */
export type HostType = (typeof hostTypes)[number];

/** The id of a host: it tells of which kind it is. */
export const hostId = z
  .string()
  .regex(/^(?:post|lesson|course)_[0-9a-f-]{36}$/, 'must be the id of a post, a lesson or a course')
  .meta({ example: 'course_0195a3c2-7d10-7abc-8def-0123456789ab' });

/** Who asks for a host, and when. */
export type AskingForHost = Pick<Call, 'school' | 'principal' | 'at'>;

/** What somebody may do at a host. */
export interface HostAccess {
  /** Whether everybody may read it. */
  readonly isPublic: boolean;
  /** Whether they may read it. */
  readonly isOpen: boolean;
  /** Whether it is theirs to change: then they moderate its comments. */
  readonly manages: boolean;
  /** Whether nobody can comment on it. */
  readonly isClosed: boolean;
}

/** A host as somebody finds it. */
export interface CommentHost extends HostAccess {
  readonly id: string;
  readonly type: HostType;
  /** The course that it is or belongs to; null for a post. */
  readonly course_id: string | null;
}

/** A post as somebody finds it, as of now; undefined where there is none that they may know of. The owner of posts gives it. */
export type FindPost = (
  asking: AskingForHost,
  ports: Pick<Ports, 'log' | 'documents'>,
  id: string,
) => Promise<HostAccess | undefined>;

/** What hosts are found with. */
export type HostPorts = Pick<Ports, 'log' | 'documents'> & AskingPorts;

const ofCourse = z.object({ public: z.boolean(), open: z.boolean(), manages: z.boolean() }).nullable();

/** Asks the catalog service, which knows who may read what it teaches. */
async function hostOfCourse(
  { school, principal, at }: AskingForHost,
  ports: HostPorts,
  course: string,
  lesson: string | null,
): Promise<HostAccess | undefined> {
  const whom = { member: principal?.subject ?? null, role: principal?.role ?? null };
  const answer = await askFor(
    ports,
    'catalog',
    { kind: 'host-of-course', school, course, lesson, ...whom, at },
    ofCourse,
  );
  if (answer === undefined)
    throw new Problem('temporarily_unavailable', 'The catalog service cannot say yet who may read a course', {
      headers: { 'Retry-After': '5' },
    });
  return answer
    ? { isPublic: answer.public, isOpen: answer.open, manages: answer.manages, isClosed: false }
    : undefined;
}

/** The kind of a host. */
const hostTypeOf = (id: string): HostType => hostTypes.find((type) => id.startsWith(`${type}_`)) ?? 'post';

/** Whether everybody may read a host, also without knowing more of it than its id. */
export async function isForEverybody(
  { school, at }: Pick<AskingForHost, 'school' | 'at'>,
  ports: HostPorts,
  findPost: FindPost,
  { id, isPublic }: Pick<CommentHost, 'id' | 'isPublic'>,
): Promise<boolean> {
  if (!isPublic) return false;
  const found = await findHost({ school, at, principal: undefined }, ports, findPost, id);
  return found?.isPublic === true;
}

/** The host of an id, as of now; undefined where there is none that the caller may know of. */
export async function findHost(
  asking: AskingForHost,
  ports: HostPorts,
  findPost: FindPost,
  id: string,
): Promise<CommentHost | undefined> {
  const type = hostTypeOf(id);
  if (type === 'post') {
    const post = await findPost(asking, ports, id);
    return post && { ...post, id, type, course_id: null };
  }
  const course_id = type === 'course' ? id : await courseOfLesson(ports, asking.school, id);
  if (course_id === undefined) return undefined;
  const found = await hostOfCourse(asking, ports, course_id, type === 'lesson' ? id : null);
  return found && { ...found, id, type, course_id };
}
