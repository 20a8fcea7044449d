import { execute, fold } from '@lyceum/eventlog';
import { isRejection, uuidv5 } from '@lyceum/kernel';
import type { Call, Ports } from '@lyceum/web';
import { curriculumDecider, curriculumStream } from '../curriculum/curriculum.ts';
import type { Course } from './course.state.ts';

/**
 * Gives a new course the lessons of another, under ids of their own, and tells what they amount to. Idempotent: what a
 * request that was cut off did is found when it is repeated.
 */
export async function copyCurriculum(
  { school, at, meta }: Pick<Call, 'school' | 'at' | 'meta'>,
  { log }: Pick<Ports, 'log'>,
  from: string,
  to: string,
): Promise<Pick<Course, 'lesson_count' | 'duration_s'>> {
  const { state } = await fold(log, curriculumDecider, school, curriculumStream(from));
  const newId = (of: string): string => `${of.split('_')[0]}_${uuidv5('copied-lesson', to, of)}`;
  const command = { type: 'CopyCurriculum', from: state, newId } as const;
  const commitId = uuidv5('copied-curriculum', to);
  const request = { tenant: school, stream: curriculumStream(to), command, at, meta, commitId };
  const done = await execute(log, curriculumDecider, request);
  if (isRejection(done)) throw new Error(done.reason);
  return done.state;
}
