import { expandOf, expandedIn, fieldsOf, operation, type Operation, type Ports, Problem } from '@lyceum/web';
import { z } from 'zod';
import { authors } from '@lyceum/service';
import type { Expander } from '@lyceum/service';
import { lessonOperations } from './lesson.http.ts';
import {
  type AskingNow,
  lessonOf,
  type LoadCourse,
  type LoadedCurriculum,
  loadCurriculum,
  taggedAs,
  wholeOf,
} from './curriculum.load.ts';
import {
  addSectionBody,
  changeSectionBody,
  curriculumParams,
  curriculumReply,
  lessonParams,
  lessonReply,
  orderBody,
  sectionParams,
  sectionReply,
} from './curriculum.schema.ts';
import { lessonDocument, mayKnow } from './curriculum.view.ts';
import {
  type CurriculumWriting,
  curriculumWriting,
  curriculumWritten,
  removed,
  sectionWritten,
} from './curriculum.write.ts';

const course = '/api/courses/{course}';
const area = 'curriculum';
const reading = { area, scope: 'curriculum:read', anonymous: true, status: 200 } as const;
const writing = { area, scope: 'curriculum:write', anonymous: false, roles: authors } as const;

/** What operations on curricula are given: the owner of courses loads and shows them. */
export interface CurriculumPorts {
  readonly loadCourse: LoadCourse;
  /** Shows the course that a curriculum, or a part of it, comes with. */
  readonly expander: Expander<{ readonly course: ReturnType<LoadedCurriculum['shown']> }>;
}

interface Expanding extends AskingNow {
  readonly query: { readonly expand?: readonly string[] | undefined };
}

/** A curriculum, or a part of it, with its course when the caller asks for that. */
async function withCourse(
  { expander }: CurriculumPorts,
  call: Expanding,
  ports: Ports,
  part: object,
  { shown }: LoadedCurriculum,
) {
  const { expand } = call.query;
  if (!expandedIn(expand, 'course')) return part;
  const [expanded] = await expander.expand(call, ports, [{ ...part, course: shown() }], expand);
  return expanded;
}

const get = (given: CurriculumPorts): Operation =>
  operation({
    ...reading,
    id: 'getCurriculum',
    method: 'GET',
    path: `${course}/curriculum`,
    summary: 'Read a curriculum',
    description:
      'Sections and published lessons, in order, as of now; drafts for those who may change the course. What a lesson teaches is there when it is a preview, when the course is open, or for those who have access, once it is released.',
    params: curriculumParams,
    query: z.strictObject({ ...fieldsOf(curriculumReply), ...expandOf(given.expander.expansions) }),
    expands: given.expander.expansions,
    reply: curriculumReply,
    async handle(call, ports) {
      const read = await loadCurriculum(given.loadCourse, call, call.params.course, ports);
      return { body: await withCourse(given, call, ports, wholeOf(read), read), ...taggedAs(read) };
    },
  });

const getLesson = (given: CurriculumPorts): Operation =>
  operation({
    ...reading,
    id: 'getLesson',
    method: 'GET',
    path: `${course}/lessons/{lesson}`,
    summary: 'Read a lesson',
    description: 'As of now, with what it teaches as far as the caller may read it.',
    params: lessonParams,
    query: z.strictObject({ ...fieldsOf(lessonReply), ...expandOf(given.expander.expansions) }),
    expands: given.expander.expansions,
    reply: lessonReply,
    async handle(call, ports) {
      const read = await loadCurriculum(given.loadCourse, call, call.params.course, ports);
      const { course: of, reader, state, version } = read;
      const { section, lesson } = lessonOf(state, call.params.lesson);
      if (!mayKnow(reader, lesson)) throw new Problem('not_found');
      const around = { course_id: of.id, section_id: section.id, version, view: reader.view };
      const body = { ...lessonDocument(reader, section, lesson), ...around };
      return { body: await withCourse(given, call, ports, body, read), ...taggedAs(read) };
    },
  });

const order = ({ write }: CurriculumWriting) =>
  operation({
    ...writing,
    id: 'orderCurriculum',
    method: 'PUT',
    path: `${course}/curriculum/order`,
    summary: 'Order a curriculum',
    description: 'The whole tree: lessons may move between sections. Needs If-Match with the version that was read.',
    params: curriculumParams,
    body: orderBody,
    ifMatch: 'required',
    status: 200,
    reply: curriculumReply,
    errors: ['order_mismatch', 'cycle', 'invalid_state'],
    handle: async (call, ports) =>
      curriculumWritten(await write(call, ports, () => ({ type: 'Reorder', tree: call.body.sections }))),
  });

const addSection = ({ write }: CurriculumWriting) =>
  operation({
    ...writing,
    id: 'addSection',
    method: 'POST',
    path: `${course}/sections`,
    summary: 'Add a section',
    description: 'At the end, unless a position is given.',
    params: curriculumParams,
    body: addSectionBody,
    ifMatch: 'accepted',
    status: 201,
    reply: sectionReply,
    errors: ['cycle', 'invalid_state'],
    async handle(call, ports) {
      const { title, release = { type: 'immediate' }, position } = call.body;
      const id = ports.ids.next('section');
      const written = await write(call, ports, () => ({ type: 'AddSection', id, title, release, position }));
      return sectionWritten(written, addedId(written.done.events, 'section_id') ?? id);
    },
  });

/** The id that the stored events gave: a repeated request drew another one. */
const addedId = (events: readonly { readonly data: unknown }[], name: string): string | undefined =>
  (events[0]?.data as Record<string, string> | undefined)?.[name];

const changeSection = ({ writePart }: CurriculumWriting) =>
  operation({
    ...writing,
    id: 'changeSection',
    method: 'PATCH',
    path: `${course}/sections/{section}`,
    summary: 'Change a section',
    description: 'Its title, and when it opens.',
    params: sectionParams,
    body: changeSectionBody,
    ifMatch: 'accepted',
    status: 200,
    reply: sectionReply,
    errors: ['cycle', 'invalid_state'],
    async handle(call, ports) {
      const id = call.params.section;
      const written = await writePart(call, ports, () => ({ type: 'ChangeSection', id, ...call.body }));
      return sectionWritten(written, id);
    },
  });

const removeSection = ({ writePart }: CurriculumWriting) =>
  operation({
    ...writing,
    id: 'removeSection',
    method: 'DELETE',
    path: `${course}/sections/{section}`,
    summary: 'Delete a section',
    description: 'With all its lessons. A published course keeps at least one published lesson.',
    params: sectionParams,
    ifMatch: 'accepted',
    status: 204,
    errors: ['last_lesson', 'cycle', 'invalid_state'],
    async handle(call, ports) {
      const id = call.params.section;
      const remove = { type: 'RemoveSection', id } as const;
      return removed(await writePart(call, ports, (read) => ({ ...remove, live: read.course.status === 'published' })));
    },
  });

/** All operations on curricula. */
export function curriculumOperations(given: CurriculumPorts): readonly Operation[] {
  const writing = curriculumWriting(given.loadCourse);
  const parts = [order, addSection, changeSection, removeSection].map((make) => make(writing));
  return [get(given), ...parts, getLesson(given), ...lessonOperations(writing)];
}
