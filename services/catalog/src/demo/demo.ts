import {
  demoAccountId,
  demoCourseId,
  demoLecturerId,
  demoLessonId,
  demoProductId,
  demoSchoolId,
} from '@lyceum/contracts';
import { execute } from '@lyceum/eventlog';
import { type Decider, type DomainEvent, isRejection, uuidv5 } from '@lyceum/kernel';
import type { Ports } from '@lyceum/web';
import { newCourse } from '../courses/course.create.ts';
import { createCourseBody } from '../courses/course.schema.ts';
import { courseDecider } from '../courses/course.ts';
import { newLesson } from '../curriculum/curriculum.input.ts';
import { addLessonBody } from '../curriculum/curriculum.schema.ts';
import type { Curriculum, Lesson, Totals } from '../curriculum/curriculum.state.ts';
import { curriculumDecider, curriculumStream } from '../curriculum/curriculum.ts';
import { type DemoCourse, type DemoSchool, demoSchools } from './demo-courses.ts';
import { demoLecturers } from './demo-lecturers.ts';
import { type DemoLesson, type DemoSection, demoLessons } from './demo-lessons.ts';
import { type DemoProduct, demoProducts } from './demo-products.ts';
import { newProfile } from '../lecturers/lecturer.input.ts';
import { addLecturerBody } from '../lecturers/lecturer.schema.ts';
import { lecturerDecider } from '../lecturers/lecturer.ts';
import { newProduct } from '../products/product.input.ts';
import { createProductBody } from '../products/product.schema.ts';
import { productDecider } from '../products/product.ts';

/**
 * Writes the lecturers, courses and digital products of the demo schools, by the commands that clients use. Idempotent: every commit id is derived, so
 * what was done is found, and what people changed since is left alone.
 */
export async function seedCatalog(ports: Pick<Ports, 'log'>): Promise<void> {
  await Promise.all(demoSchools.map((school) => seedSchool(ports, school)));
}

async function seedSchool(ports: Pick<Ports, 'log'>, school: DemoSchool): Promise<void> {
  await seedLecturers(ports, school);
  // They share commits: a start waits for them.
  await Promise.all([
    ...school.courses.map((course) => seedCourse(ports, school, course)),
    ...(demoProducts[school.slug] ?? []).map((product) => seedProduct(ports, school, product)),
  ]);
}

const began = '2026-08-22T09:00:00.000Z';

/** Runs the commands of one stream, each under a commit id of its own. */
function runner<State, Command extends { readonly type: string }, Event extends DomainEvent, Code extends string>(
  { log }: Pick<Ports, 'log'>,
  decider: Decider<State, Command, Event, Code>,
  tenant: string,
  stream: string,
) {
  return async (command: Command, at: string) => {
    const commitId = uuidv5('demo-course', command.type, stream);
    const request = { tenant, stream, command, at, commitId, meta: { actor: 'system' } };
    const done = await execute(log, decider, request);
    if (isRejection(done)) throw new Error(`demo, ${command.type} of ${stream}: ${done.reason}`);
    return done.state;
  };
}

async function seedLecturers(ports: Pick<Ports, 'log'>, { slug }: DemoSchool): Promise<void> {
  const school = demoSchoolId(slug);
  for (const { account, body } of demoLecturers[slug] ?? []) {
    const run = runner(ports, lecturerDecider, school, demoLecturerId(school, body.slug));
    const profile = newProfile(addLecturerBody.parse(body));
    await run({ type: 'AddLecturer', slug: body.slug, by: demoAccountId(school, 'owner'), profile }, began);
    if (account) await run({ type: 'LinkLecturer', member_id: demoAccountId(school, 'lecturer') }, began);
  }
}

async function seedCourse(ports: Pick<Ports, 'log'>, { slug, currency }: DemoSchool, demo: DemoCourse): Promise<void> {
  const school = demoSchoolId(slug);
  const id = demoCourseId(school, demo.body.slug);
  const run = runner(ports, courseDecider, school, id);
  const by = demo.taught ? demoAccountId(school, 'lecturer') : demoAccountId(school, 'owner');
  const lecturer_ids = demo.taught ? [demoLecturerId(school, demoLecturers[slug]![0]!.body.slug)] : [];
  const made = courseOf(id, currency, demo);
  await run({ type: 'CreateCourse', id, by, slug: demo.body.slug, currency, ...made, lecturer_ids }, demo.at);
  const { lesson_count } = await seedLessons(ports, school, id, demo, demoLessons[slug]?.[demo.body.slug] ?? []);
  if (demo.published === undefined) return;
  await run({ type: 'PublishCourse', currency, lesson_count, active: lecturer_ids }, demo.published);
}

function courseOf(id: string, currency: string, { body }: DemoCourse) {
  let prices = 0;
  const newPriceId = () => `price_${uuidv5('demo-price', id, (prices += 1))}`;
  return newCourse(createCourseBody.parse(body), { currency, newPriceId });
}

async function seedProduct(
  ports: Pick<Ports, 'log'>,
  { slug, currency }: DemoSchool,
  demo: DemoProduct,
): Promise<void> {
  const school = demoSchoolId(slug);
  const { body, files, published } = demo;
  const id = demoProductId(school, body.slug);
  const run = runner(ports, productDecider, school, id);
  const newPriceId = () => `price_${uuidv5('demo-price', id)}`;
  const made = newProduct(createProductBody.parse(body), { currency, newPriceId });
  await run(
    { type: 'CreateProduct', id, by: demoAccountId(school, 'owner'), slug: body.slug, currency, ...made },
    began,
  );
  await run({ type: 'SetFiles', files, currency }, began);
  if (published) await run({ type: 'PublishProduct', currency }, began);
}

async function seedLessons(
  ports: Pick<Ports, 'log'>,
  school: string,
  course: string,
  { at }: DemoCourse,
  sections: readonly DemoSection[],
): Promise<Totals> {
  const run = runner(ports, curriculumDecider, school, curriculumStream(course));
  return run({ type: 'CopyCurriculum', from: curriculumOf(course, sections), newId: (id) => id }, at);
}

/** The lessons of a demo course as a curriculum, with ids that are always the same. */
function curriculumOf(course: string, sections: readonly DemoSection[]): Curriculum {
  const idOf = (title: string) => demoLessonId(course, title);
  const lesson = ({ draft, after, ...said }: DemoLesson): Lesson => ({
    ...newLesson(addLessonBody.parse({ ...said, section_id: 'any' })),
    ...(after === undefined ? {} : { release: { type: 'after_lesson', lesson_id: idOf(after) } }),
    id: idOf(said.title),
    status: draft ? 'draft' : 'published',
    changed: 0,
  });
  return {
    lesson_count: 0,
    duration_s: 0,
    version: 0,
    sections: sections.map(({ title, lessons }) => ({
      id: `section_${uuidv5('demo-section', course, title)}`,
      title,
      release: { type: 'immediate' },
      lessons: lessons.map(lesson),
      changed: 0,
    })),
  };
}
