import { fold, type Folded } from '@lyceum/eventlog';
import { type Call, type Ports, Problem } from '@lyceum/web';
import { reach, type Reached } from '../courses/course.load.ts';
import type { Curriculum, Lesson, Section } from './curriculum.state.ts';
import { curriculumDecider, curriculumStream } from './curriculum.ts';
import { curriculumDocument, type Reader } from './curriculum.view.ts';
import { type Entitled } from './entitlement.ts';

type Asking = Pick<Call, 'school' | 'principal' | 'view' | 'at'>;

/** A curriculum as of now, with the course that it belongs to and who reads it. */
export interface Read extends Folded<Curriculum> {
  readonly stream: string;
  readonly course: Reached['course'];
  readonly reader: Reader;
}

/** The curriculum of the course that an id or slug names, for whoever may know of the course. Throws 404 otherwise. */
export async function readCurriculum(
  call: Asking,
  ref: string,
  ports: Pick<Ports, 'log'>,
  entitled: Entitled,
): Promise<Read> {
  const { course, view } = await reach(call, ref, ports);
  const stream = curriculumStream(course.id);
  const folded = await fold(ports.log, curriculumDecider, call.school, stream);
  const enrollment = call.principal ? await entitled(call.school, call.principal.subject, course.id) : undefined;
  return { ...folded, stream, course, reader: { view, open: course.access === 'open', enrollment, now: call.at } };
}

/** A curriculum, as its reader sees it, and where it belongs. */
export const wholeOf = ({ course, reader, state, version }: Read) => ({
  ...curriculumDocument(reader, state),
  course_id: course.id,
  version,
  view: reader.view,
});

/** A section with its place. Throws 404 when there is none of that id. */
export function sectionOf(
  { sections }: Curriculum,
  id: string,
): { readonly section: Section; readonly position: number } {
  const position = sections.findIndex((each) => each.id === id);
  if (position === -1) throw new Problem('not_found');
  return { section: sections[position]!, position };
}

/** A lesson with its section. Throws 404 when there is none of that id. */
export function lessonOf({ sections }: Curriculum, id: string): { readonly section: Section; readonly lesson: Lesson } {
  for (const section of sections)
    for (const lesson of section.lessons) if (lesson.id === id) return { section, lesson };
  throw new Problem('not_found');
}
