import { demoCourseId } from '@lyceum/contracts';
import { fold } from '@lyceum/eventlog';
import { type DomainEvent, isoTime, uuidv5 } from '@lyceum/kernel';
import { type Command, type OpenService, each, fromBuild, openService } from './writing.ts';

/** How much there is in a school. Each member has learnt in one course: `progress` events of each. */
export interface SchoolSize {
  readonly courses: number;
  readonly members: number;
}

/** Lessons of each course that are learnt: of six, so that no course is completed. */
const learnt = 5;

/** Events of what a member learns: each lesson is started and completed. */
export const progress = learnt * 2;

/** Commands side by side: they share flushes. */
const atATime = 64;

const began = Date.parse('2026-01-05T08:00:00.000Z');

/** When the thing of a number was created: each a second after the one before. */
export const timeOf = (index: number): string => isoTime(began + index * 1_000);

/** Ids of one kind, ordered by time as those of the system are. */
const idOf = (kind: string, index: number): string =>
  `${kind}_019b0000-0000-7000-8000-${String(index).padStart(12, '0')}`;

/** The id of a course that was written. */
export const courseId = (index: number): string => idOf('course', index);

/** The id of a course's copy of a lesson or section. */
const copyId = (course: string, of: string): string => `${of.split('_')[0]}_${uuidv5('copied-lesson', course, of)}`;

/** What is copied of a demo course, as far as it is looked at here. */
interface Course {
  readonly created_by: string;
  readonly lecturer_ids: readonly string[];
}
interface Curriculum {
  readonly lesson_count: number;
  readonly sections: readonly Section[];
}
interface Section {
  readonly release: unknown;
  readonly lessons: readonly { readonly id: string; readonly release: unknown }[];
}

/** A lesson as those who learn find it. */
type Lesson = Section['lessons'][number] & { readonly releases: readonly unknown[] };

/**
 * Fills a school of a system that is stopped: the deciders of the services' builds decide the commands that their
 * operations would, and the events go through the event log port, personal fields encrypted. What one request after the
 * other would write is one commit here: of a new course and its publication, and of all that a member has learnt.
 */
export async function writeSchool(
  folder: string,
  rootKey: Buffer,
  school: string,
  { courses, members }: SchoolSize,
): Promise<void> {
  const write = async <T>(name: string, writing: (service: OpenService) => Promise<T>): Promise<T> => {
    const service = await openService(folder, name, rootKey, school);
    return writing(service).finally(() => service.close());
  };
  const lessons = await write('catalog', (service) => writeCourses(service, school, courses));
  await write('school', (service) => writeMembers(service, school, members));
  await write('learning', (service) => writeLearning(service, lessons, { courses, members }));
}

/** Copies of a free demo course, published as that one is. Gives the lessons of that one. */
async function writeCourses({ log, write }: OpenService, school: string, count: number): Promise<readonly Lesson[]> {
  const { courseDecider } = await fromBuild('catalog/dist/courses/course.js');
  const { copyOf } = await fromBuild('catalog/dist/courses/course.create.js');
  const { curriculumDecider, curriculumStream } = await fromBuild('catalog/dist/curriculum/curriculum.js');
  const from = demoCourseId(school, 'first-steps');
  const { state: course } = await fold<Course, DomainEvent>(log, courseDecider, school, from);
  const stream: string = curriculumStream(from);
  const { state: curriculum } = await fold<Curriculum, DomainEvent>(log, curriculumDecider, school, stream);
  const { created_by: by, lecturer_ids: active } = course;
  const { lesson_count } = curriculum;
  await each(count, atATime, async (index) => {
    const [id, at] = [courseId(index), timeOf(index)];
    const newId = (of: string) => copyId(id, of);
    await write(curriculumDecider, curriculumStream(id), [{ type: 'CopyCurriculum', from: curriculum, newId }], at);
    const currency = 'USD';
    const copy = copyOf(course, `Measured course ${index}`, { currency, newPriceId: () => idOf('price', index) });
    const created = { type: 'CreateCourse', id, by, slug: `measured-${index}`, currency, ...copy };
    await write(courseDecider, id, [created, { type: 'PublishCourse', currency, lesson_count, active }], at);
  });
  return curriculum.sections.flatMap(({ release, lessons }) =>
    lessons.map((lesson) => ({ ...lesson, releases: [release, lesson.release] })),
  );
}

const memberId = (index: number): string => idOf('account', index);

async function writeMembers({ vault, write }: OpenService, school: string, count: number): Promise<void> {
  const { memberDecider } = await fromBuild('school/dist/members/member.js');
  const { memberEmailKey } = await fromBuild('school/dist/members/member.email.js');
  await each(count, atATime, async (index) => {
    const email = `measured.learner.${index}@lantern.test`;
    const emailKey: string = await memberEmailKey(vault, school, email);
    const joined = { type: 'JoinSchool', email, emailKey, name: `Measured Learner ${index}`, role: 'member' };
    await write(memberDecider, memberId(index), [joined], timeOf(index));
  });
}

async function writeLearning({ write }: OpenService, lessons: readonly Lesson[], size: SchoolSize): Promise<void> {
  const { enrollmentDecider, enrollmentStream } = await fromBuild('learning/dist/enrollments/enrollment.js');
  await each(size.members, atATime, async (index) => {
    const [member_id, course_id, now] = [memberId(index), courseId(index % size.courses), timeOf(index)];
    const path = {
      title: 'Measured',
      open: false,
      timezone: 'Europe/Lisbon',
      lessons: lessons.map((lesson) => ({ ...lesson, id: copyId(course_id, lesson.id) })),
    };
    const about = { member_id, course_id, now };
    const source = { source_type: 'staff', source_id: idOf('grant', index) };
    const commands: Command[] = [{ type: 'GrantAccess', ...about, ...source, starts_at: now, expires_at: null }];
    for (const { id: lesson_id } of path.lessons.slice(-learnt)) {
      commands.push({ type: 'StartLesson', lesson_id, path, ...about });
      commands.push({ type: 'CompleteLesson', lesson_id, path, passed: false, ...about });
    }
    await write(enrollmentDecider, enrollmentStream(member_id, course_id), commands, now);
  });
}
