import type { Executed } from '@lyceum/eventlog';
import {
  accepted,
  asOf,
  attempt,
  type Call,
  type Ports,
  Problem,
  readingAgain,
  type Reply,
  type StatusTable,
} from '@lyceum/web';
import { type Read, lessonOf, readCurriculum, sectionOf } from './curriculum.load.ts';
import type { Curriculum } from './curriculum.state.ts';
import { type CurriculumCode, type CurriculumCommand, curriculumDecider } from './curriculum.ts';
import { curriculumDocument, lessonDocument, sectionDocument } from './curriculum.view.ts';
import { nobodyEntitled } from './entitlement.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const curriculumStatuses = {
  not_found: 404,
  cycle: 409,
  order_mismatch: 409,
  last_lesson: 409,
  invalid_state: 409,
  not_ready: 409,
  precondition_failed: 412,
} as const satisfies StatusTable<CurriculumCode>;

/** A call that names a course. */
export type OfCourse = Omit<Call, 'params' | 'query' | 'body'> & { readonly params: { readonly course: string } };

type Done = Executed<Curriculum>;

/**
 * Brings a command to the curriculum of a course that the caller may change. The command may depend on what was read: it
 * is written only while the course is as it was.
 */
export async function writeCurriculum(
  call: OfCourse,
  ports: Ports,
  command: (read: Read) => CurriculumCommand,
): Promise<{ readonly done: Done; readonly read: Read }> {
  let read = await readToWrite(call, ports);
  const again = readingAgain(read, () => readToWrite(call, ports));
  const outcome = await attempt(call, ports, curriculumDecider, read.stream, async () => {
    read = await again();
    const { id, version } = read.course;
    return { command: command(read), upon: [{ stream: id, version }] };
  });
  return { done: accepted(outcome, curriculumStatuses), read };
}

/**
 * As `writeCurriculum`, of one section or lesson: `If-Match` is compared with what was read of this one, so a change of
 * another does not get in its way.
 */
export const writePart = (
  call: OfCourse,
  ports: Ports,
  command: (read: Read) => OfPart,
): ReturnType<typeof writeCurriculum> =>
  writeCurriculum({ ...call, expected: undefined }, ports, (read) => ({ ...command(read), seen: call.expected }));

type OfPart = Extract<CurriculumCommand, { readonly seen?: unknown }>;

async function readToWrite(call: OfCourse, ports: Ports): Promise<Read> {
  const read = await readCurriculum(call, call.params.course, ports, nobodyEntitled);
  if (read.reader.view !== 'staff') throw new Problem('access_denied', 'This course is not one of yours');
  if (read.course.status === 'archived') throw new Problem('invalid_state', 'An archived course cannot be changed');
  return read;
}

const around = ({ course, reader }: Read, { version }: Done) => ({ course_id: course.id, version, view: reader.view });

/** The answer that shows a section. */
export function sectionWritten({ done, read }: { done: Done; read: Read }, id: string): Reply {
  const { section, position } = sectionOf(done.state, id);
  return { body: { ...sectionDocument(section, position), ...around(read, done) }, ...asOf(done) };
}

/** The answer that shows a lesson. */
export function lessonWritten({ done, read }: { done: Done; read: Read }, id: string): Reply {
  const { section, lesson } = lessonOf(done.state, id);
  const body = { ...lessonDocument(read.reader, section, lesson), section_id: section.id, ...around(read, done) };
  return { body, ...asOf(done) };
}

/** The answer that shows the whole curriculum. */
export const curriculumWritten = ({ done, read }: { done: Done; read: Read }): Reply => ({
  body: { ...curriculumDocument(read.reader, done.state), ...around(read, done) },
  ...asOf(done),
});

/** The answer to a removal: nothing but where it was seen. */
export const removed = ({ done: { lane, position } }: { done: Done }): Reply => ({ observed: { lane, position } });
