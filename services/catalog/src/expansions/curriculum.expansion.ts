import type { Ports } from '@lyceum/web';
import { type AskingNow, type LoadCourse, loadCurriculum, wholeOf } from '../curriculum/curriculum.load.ts';
import { curriculumReply } from '../curriculum/curriculum.schema.ts';

/** The curriculum in something else that belongs to it. */
export const curriculumExpansion = { scope: 'curriculum:read', reply: curriculumReply } as const;

/** The curriculum of the course of this id or slug, as of now, as the caller may read it. */
export const shownCurriculum = async (
  loadCourse: LoadCourse,
  call: AskingNow,
  ports: Pick<Ports, 'log' | 'documents' | 'files'>,
  ref: string,
) => wholeOf(await loadCurriculum(loadCourse, call, ref, ports));
