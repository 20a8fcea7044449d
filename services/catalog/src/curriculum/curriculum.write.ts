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
import { type LoadCourse, type LoadedCurriculum, lessonOf, loadCurriculum, sectionOf } from './curriculum.load.ts';
import type { Curriculum } from './curriculum.state.ts';
import { type CurriculumCode, type CurriculumCommand, curriculumDecider } from './curriculum.ts';
import { curriculumDocument, lessonDocument, sectionDocument } from './curriculum.view.ts';

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

/** What was written of a curriculum, and what was read before. */
interface Written {
  readonly done: Done;
  readonly read: LoadedCurriculum;
}

/** Commands that change, or remove, one section or lesson. */
type OfPart = Extract<CurriculumCommand, { readonly seen?: unknown }>;

type Write<Command> = (
  call: OfCourse,
  ports: Ports,
  command: (read: LoadedCurriculum) => Command | Promise<Command>,
) => Promise<Written>;

/** How commands come to the curriculum of a course that the caller may change. */
export interface CurriculumWriting {
  /** The command may depend on what was read: it is written only while the course is as it was. */
  readonly write: Write<CurriculumCommand>;
  /**
   * As `write`, of one section or lesson: `If-Match` is compared with what was read of this one, so a change of another
   * does not get in its way.
   */
  readonly writePart: Write<OfPart>;
}

/** The writing of curricula whose courses are loaded like this. */
export function curriculumWriting(loadCourse: LoadCourse): CurriculumWriting {
  const write: CurriculumWriting['write'] = async (call, ports, command) => {
    let read = await loadForUpdate(loadCourse, call, ports);
    const again = readingAgain(read, () => loadForUpdate(loadCourse, call, ports));
    const outcome = await attempt(call, ports, curriculumDecider, read.stream, async () => {
      read = await again();
      const { id, version } = read.course;
      return { command: await command(read), expectedVersions: [{ stream: id, version }] };
    });
    return { done: accepted(outcome, curriculumStatuses), read };
  };
  return {
    write,
    writePart: (call, ports, command) =>
      write({ ...call, expected: undefined }, ports, async (read) => ({
        ...(await command(read)),
        seen: call.expected,
      })),
  };
}

async function loadForUpdate(loadCourse: LoadCourse, call: OfCourse, ports: Ports): Promise<LoadedCurriculum> {
  const read = await loadCurriculum(loadCourse, call, call.params.course, ports);
  if (read.reader.view !== 'staff') throw new Problem('access_denied', 'This course is not one of yours');
  if (read.course.status === 'archived') throw new Problem('invalid_state', 'An archived course cannot be changed');
  return read;
}

const around = ({ course, reader }: LoadedCurriculum, { version }: Done) => ({
  course_id: course.id,
  version,
  view: reader.view,
});

/** The answer that shows a section. */
export function sectionWritten({ done, read }: Written, id: string): Reply {
  const { section, position } = sectionOf(done.state, id);
  return { body: { ...sectionDocument(section, position), ...around(read, done) }, ...asOf(done) };
}

/** The answer that shows a lesson. */
export function lessonWritten({ done, read }: Written, id: string): Reply {
  const { section, lesson } = lessonOf(done.state, id);
  const body = { ...lessonDocument(read.reader, section, lesson), section_id: section.id, ...around(read, done) };
  return { body, ...asOf(done) };
}

/** The answer that shows the whole curriculum. */
export const curriculumWritten = ({ done, read }: Written): Reply => ({
  body: { ...curriculumDocument(read.reader, done.state), ...around(read, done) },
  ...asOf(done),
});

/** The answer to a removal: nothing but where it was seen. */
export const removed = ({ done: { lane, position } }: { done: Done }): Reply => ({ observed: { lane, position } });
