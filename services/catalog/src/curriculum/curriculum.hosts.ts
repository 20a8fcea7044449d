import { roles } from '@lyceum/contracts';
import { heads } from '@lyceum/service';
import { type Ports, Problem } from '@lyceum/web';
import { z } from 'zod';
import { type AskingNow, type LoadCourse, type LoadedCurriculum, loadCurriculum, lessonOf } from './curriculum.load.ts';
import { isReadable, mayKnow } from './curriculum.view.ts';

const asked = z.object({
  school: z.string(),
  course: z.string(),
  /** Null = the course itself. */
  lesson: z.string().nullable(),
  /** Null = somebody without a token. */
  member: z.string().nullable(),
  role: z.enum(roles).nullable(),
  /** RFC 3339 UTC. */
  at: z.string(),
});

type Asked = z.output<typeof asked>;

/** What somebody may do at a course or a lesson that people write about. */
interface HostOfCourse {
  /** Whether everybody may read what it teaches. */
  readonly public: boolean;
  /** Whether they may read what it teaches. */
  readonly open: boolean;
  /** Whether the course is theirs to change. */
  readonly manages: boolean;
}

const isStaff = (role: Asked['role']): boolean => role === 'lecturer' || (role !== null && heads.includes(role));

/** The person as the operations of the catalog know them. */
function askingOf({ school, member, role, at }: Asked): AskingNow {
  const unused = { client: '', scopes: new Set<never>(), grant: '', jti: '', issued: 0, expires: 0, audience: [] };
  const principal = member === null || role === null ? undefined : { school, subject: member, role, ...unused };
  const view = principal ? (isStaff(role) ? 'staff' : 'member') : 'anonymous';
  return { school, principal, view, at, issuer: '' };
}

/** A course or a lesson of it, for whom it may be known. Throws 404 otherwise. */
function hostOf({ course, reader, state }: LoadedCurriculum, lesson: string | null): HostOfCourse {
  const manages = reader.view === 'staff';
  const isPublished = course.status === 'published';
  const everybody = { ...reader, view: 'anonymous', learner: undefined } as const;
  if (lesson === null) {
    const isPublic = isPublished && reader.open;
    return { public: isPublic, open: isPublic || manages || reader.learner !== undefined, manages };
  }
  const found = lessonOf(state, lesson);
  if (!mayKnow(reader, found.lesson)) throw new Problem('not_found');
  return {
    public: isPublished && isReadable(everybody, found.section, found.lesson),
    open: isReadable(reader, found.section, found.lesson),
    manages,
  };
}

/** What somebody may do at a course or a lesson, as of now; null where there is none that they may know of. */
export async function answerHostOfCourse(
  question: unknown,
  ports: Pick<Ports, 'log' | 'documents'>,
  loadCourse: LoadCourse,
): Promise<HostOfCourse | null> {
  const about = asked.parse(question);
  try {
    return hostOf(await loadCurriculum(loadCourse, askingOf(about), about.course, ports), about.lesson);
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null;
    throw error;
  }
}
