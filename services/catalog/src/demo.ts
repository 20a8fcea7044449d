import { execute } from '@lyceum/eventlog';
import { isRejection, uuidv5 } from '@lyceum/kernel';
import type { Ports } from '@lyceum/web';
import { newCourse } from './courses/course.input.ts';
import { createCourseBody } from './courses/course.schema.ts';
import { type CourseCommand, courseDecider } from './courses/course.ts';
import { type DemoCourse, type DemoSchool, demoSchools } from './demo-courses.ts';

/** The id of a demo school and of its demo lecturer's account: derived alike in every service. */
const schoolId = (slug: string): string => `school_${uuidv5('demo-school', slug)}`;
const lecturerOf = (school: string): string => `account_${uuidv5('demo-account', school, 'lecturer')}`;
const ownerOf = (school: string): string => `account_${uuidv5('demo-account', school, 'owner')}`;

/** The id of a demo course: always the same. */
export const demoCourseId = (school: string, slug: string): string => `course_${uuidv5('demo-course', school, slug)}`;

/**
 * Writes the courses of the demo schools, by the commands that clients use. Idempotent: every commit id is derived, so
 * what was done is found, and what people changed since is left alone.
 */
export async function seedCourses(ports: Pick<Ports, 'log'>): Promise<void> {
  for (const school of demoSchools) for (const course of school.courses) await seed(ports, school, course);
}

async function seed({ log }: Pick<Ports, 'log'>, { slug, currency }: DemoSchool, demo: DemoCourse): Promise<void> {
  const school = schoolId(slug);
  const id = demoCourseId(school, demo.body.slug);
  const run = async (command: CourseCommand, at: string) => {
    const commitId = uuidv5('demo-course', command.type, id);
    const meta = { actor: 'system' };
    const done = await execute(log, courseDecider, { tenant: school, stream: id, command, at, commitId, meta });
    if (isRejection(done)) throw new Error(`demo course ${demo.body.slug}: ${done.reason}`);
  };
  const by = demo.taught ? lecturerOf(school) : ownerOf(school);
  await run({ type: 'CreateCourse', id, by, slug: demo.body.slug, currency, ...made(id, by, currency, demo) }, demo.at);
  if (demo.published !== undefined) await run({ type: 'PublishCourse', currency }, demo.published);
}

function made(id: string, by: string, currency: string, { body, taught }: DemoCourse) {
  let prices = 0;
  const newPriceId = () => `price_${uuidv5('demo-price', id, (prices += 1))}`;
  const wanted = newCourse(createCourseBody.parse(body), { currency, newPriceId });
  return { ...wanted, lecturer_ids: taught ? [by] : [] };
}
