import type { Role } from '@lyceum/contracts';
import { asOf, operation, type Operation, Problem } from '@lyceum/web';
import { lessonOperations } from './lesson.http.ts';
import { readCurriculum } from './curriculum.reading.ts';
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
import { curriculumDocument, lessonDocument, mayKnow } from './curriculum.view.ts';
import { curriculumWritten, removed, sectionWritten, writeCurriculum } from './curriculum.write.ts';
import type { Entitled } from './entitlement.ts';
import { lessonOf } from './curriculum.reading.ts';

const course = '/api/courses/{course}';
const area = 'curriculum';
const writers: readonly Role[] = ['owner', 'admin', 'lecturer'];
const reading = { area, scope: 'curriculum:read', anonymous: true, status: 200 } as const;
const writing = { area, scope: 'curriculum:write', anonymous: false, roles: writers } as const;

const get = (entitled: Entitled): Operation =>
  operation({
    ...reading,
    id: 'getCurriculum',
    method: 'GET',
    path: `${course}/curriculum`,
    summary: 'Read a curriculum',
    description:
      'Sections and published lessons, in order, as of now; drafts for those who may change the course. What a lesson teaches is there when it is a preview, when the course is open, or for those who have access, once it is released.',
    params: curriculumParams,
    reply: curriculumReply,
    async handle(call, ports) {
      const { course: of, reader, state, ...found } = await readCurriculum(call, call.params.course, ports, entitled);
      const body = {
        ...curriculumDocument(reader, state),
        course_id: of.id,
        version: found.version,
        view: reader.view,
      };
      return { body, ...asOf(found) };
    },
  });

const getLesson = (entitled: Entitled): Operation =>
  operation({
    ...reading,
    id: 'getLesson',
    method: 'GET',
    path: `${course}/lessons/{lesson}`,
    summary: 'Read a lesson',
    description: 'As of now, with what it teaches as far as the caller may read it.',
    params: lessonParams,
    reply: lessonReply,
    async handle(call, ports) {
      const { course: of, reader, state, ...found } = await readCurriculum(call, call.params.course, ports, entitled);
      const { section, lesson } = lessonOf(state, call.params.lesson);
      if (!mayKnow(reader, lesson)) throw new Problem('not_found');
      const around = { course_id: of.id, section_id: section.id, version: found.version, view: reader.view };
      return { body: { ...lessonDocument(reader, section, lesson), ...around }, ...asOf(found) };
    },
  });

const order = operation({
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
    curriculumWritten(await writeCurriculum(call, ports, () => ({ type: 'Reorder', tree: call.body.sections }))),
});

const addSection = operation({
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
    const written = await writeCurriculum(call, ports, () => ({ type: 'AddSection', id, title, release, position }));
    return sectionWritten(written, addedId(written.done.events, 'section_id') ?? id);
  },
});

/** The id that the stored events gave: a repeated request drew another one. */
const addedId = (events: readonly { readonly data: unknown }[], name: string): string | undefined =>
  (events[0]?.data as Record<string, string> | undefined)?.[name];

const changeSection = operation({
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
    const written = await writeCurriculum(call, ports, () => ({ type: 'ChangeSection', id, ...call.body }));
    return sectionWritten(written, id);
  },
});

const removeSection = operation({
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
    return removed(
      await writeCurriculum(call, ports, (read) => ({ ...remove, live: read.course.status === 'published' })),
    );
  },
});

/** All operations on curricula. */
export const curriculumOperations = (entitled: Entitled): readonly Operation[] => [
  get(entitled),
  order,
  addSection,
  changeSection,
  removeSection,
  getLesson(entitled),
  ...lessonOperations,
];
