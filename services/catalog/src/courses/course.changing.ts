import type { Derived } from '@lyceum/eventlog';
import { type Call, type Deciding, type Ports, type Reply, readingAgain } from '@lyceum/web';
import { authors } from '../resource/view.ts';
import { courseParams, courseReply } from './course.schema.ts';
import type { CourseCommand } from './course.ts';
import { write, written } from './course.write.ts';
import { type LoadedCourse, loadForUpdate } from './course.load.ts';

/** Where courses are. */
export const coursesPath = '/api/courses';
/** What operations on courses have in common: those that read, write, and change one that there is. */
export const reading = { area: 'courses', scope: 'courses:read', anonymous: true } as const;
export const writing = { area: 'courses', scope: 'courses:write', anonymous: false, roles: authors } as const;
export const changing = { ...writing, params: courseParams, reply: courseReply, ifMatch: 'accepted' } as const;

type OfCourse = Pick<Call<{ params: typeof courseParams }>, keyof Deciding | 'params' | 'principal' | 'view'>;

/** Brings a command to a course that the caller may change; it may follow from the course and what it depends on. */
export async function change(
  call: OfCourse,
  ports: Ports,
  wanted: CourseCommand | ((loaded: LoadedCourse) => Promise<Derived<CourseCommand>>),
): Promise<Reply> {
  const load = () => loadForUpdate(call, call.params.course, ports);
  const loaded = await load();
  const { course } = loaded;
  if (typeof wanted !== 'function') return written(await write(call, ports, course.id, wanted), course);
  const again = readingAgain(loaded, load);
  return written(await write(call, ports, course.id, async () => wanted(await again())), course);
}
