import { type Call, operation, type Operation, type Ports } from '@lyceum/web';
import { authors } from '@lyceum/service';
import type { z } from 'zod';
import { filesKept } from '../files/named-files.ts';
import type { KeptFile } from '../values/files.ts';
import { type LessonFile, changesOf, newLesson } from './curriculum.input.ts';
import { lessonOf } from './curriculum.load.ts';
import { addLessonBody, changeLessonBody, curriculumParams, lessonParams, lessonReply } from './curriculum.schema.ts';
import { type CurriculumWriting, lessonWritten, removed } from './curriculum.write.ts';

const path = '/api/courses/{course}/lessons';
const one = `${path}/{lesson}`;
const writing = { area: 'curriculum', scope: 'curriculum:write', anonymous: false, roles: authors } as const;
const changing = { ...writing, params: lessonParams, reply: lessonReply, ifMatch: 'accepted', status: 200 } as const;

/** What a request means by the file of a lesson; `known`: the one that it has. */
async function fileNamed(
  call: Pick<Call, 'school' | 'principal'> & { readonly body: z.output<typeof changeLessonBody> },
  ports: Ports,
  known: KeptFile | null,
): Promise<LessonFile> {
  const { file } = call.body;
  if (file === undefined || file === null) return file === null ? { file } : {};
  const named = { file, path: 'file.file_id', purposes: ['lesson_video', 'lesson_file'] };
  const [kept] = await filesKept(call, ports, [named], known ? [known] : []);
  return { file: kept ?? null };
}

const add = ({ write }: CurriculumWriting) =>
  operation({
    ...writing,
    id: 'addLesson',
    method: 'POST',
    path,
    summary: 'Add a lesson',
    description: 'Adds a draft at the end of a section, unless a position is given.',
    params: curriculumParams,
    body: addLessonBody,
    ifMatch: 'accepted',
    status: 201,
    reply: lessonReply,
    errors: ['cycle', 'file_not_ready', 'invalid_state', 'temporarily_unavailable'],
    async handle(call, ports) {
      const { section_id, position } = call.body;
      const id = ports.ids.next('lesson');
      const written = await write(call, ports, async () => {
        const fields = newLesson(call.body, await fileNamed(call, ports, null));
        return { type: 'AddLesson', id, section_id, position, fields };
      });
      // A repeated request drew another id than the stored events have.
      const [first] = written.done.events;
      return lessonWritten(written, (first?.data as { lesson_id?: string } | undefined)?.lesson_id ?? id);
    },
  });

const change = ({ writePart }: CurriculumWriting) =>
  operation({
    ...changing,
    id: 'changeLesson',
    method: 'PATCH',
    path: one,
    summary: 'Change a lesson',
    description: 'What is left out stays. It may only wait for a lesson that comes before it.',
    body: changeLessonBody,
    errors: ['cycle', 'file_not_ready', 'not_ready', 'invalid_state', 'temporarily_unavailable'],
    async handle(call, ports) {
      const id = call.params.lesson;
      const written = await writePart(call, ports, async ({ state }) => {
        const { file } = lessonOf(state, id).lesson;
        return { type: 'ChangeLesson', id, fields: changesOf(call.body, await fileNamed(call, ports, file)) };
      });
      return lessonWritten(written, id);
    },
  });

const publish = ({ writePart }: CurriculumWriting) =>
  operation({
    ...changing,
    id: 'publishLesson',
    method: 'POST',
    path: `${one}/publish`,
    summary: 'Publish a lesson',
    description: 'Puts it into the outline of the course.',
    errors: ['not_ready', 'invalid_state'],
    async handle(call, ports) {
      const id = call.params.lesson;
      return lessonWritten(await writePart(call, ports, () => ({ type: 'PublishLesson', id })), id);
    },
  });

const unpublish = ({ writePart }: CurriculumWriting) =>
  operation({
    ...changing,
    id: 'unpublishLesson',
    method: 'POST',
    path: `${one}/unpublish`,
    summary: 'Unpublish a lesson',
    description: 'Makes it a draft again. A published course keeps at least one published lesson.',
    errors: ['last_lesson', 'invalid_state'],
    async handle(call, ports) {
      const id = call.params.lesson;
      const command = { type: 'UnpublishLesson', id } as const;
      return lessonWritten(
        await writePart(call, ports, (read) => ({ ...command, live: read.course.status === 'published' })),
        id,
      );
    },
  });

const remove = ({ writePart }: CurriculumWriting) =>
  operation({
    ...writing,
    id: 'removeLesson',
    method: 'DELETE',
    path: one,
    summary: 'Delete a lesson',
    description: 'A published course keeps at least one published lesson, and no lesson may wait for it.',
    params: lessonParams,
    ifMatch: 'accepted',
    status: 204,
    errors: ['last_lesson', 'cycle', 'invalid_state'],
    async handle(call, ports) {
      const command = { type: 'RemoveLesson', id: call.params.lesson } as const;
      return removed(
        await writePart(call, ports, (read) => ({ ...command, live: read.course.status === 'published' })),
      );
    },
  });

/** The operations that write one lesson. */
export const lessonOperations = (writing: CurriculumWriting): readonly Operation[] =>
  [add, change, publish, unpublish, remove].map((make) => make(writing));
