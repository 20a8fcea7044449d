import type { Call, Ports } from '@lyceum/web';
import { readCurriculum, wholeOf } from './curriculum.load.ts';
import { curriculumReply } from './curriculum.schema.ts';
import { nobodyEntitled } from './entitlement.ts';

/** The curriculum in something else that belongs to it. */
export const curriculumExpansion = { scope: 'curriculum:read', reply: curriculumReply } as const;

/** The curriculum of the course of this id or slug, as of now, as the caller may read it. */
export const shownCurriculum = async (
  call: Pick<Call, 'school' | 'principal' | 'view' | 'at'>,
  ports: Pick<Ports, 'log'>,
  ref: string,
) => wholeOf(await readCurriculum(call, ref, ports, nobodyEntitled));
