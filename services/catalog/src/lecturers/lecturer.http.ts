import type { Derive, Derived } from '@lyceum/eventlog';
import {
  accepted,
  asOf,
  attempt,
  type Call,
  expandOf,
  fieldsOf,
  operation,
  type Operation,
  type Ports,
  Problem,
  type Reply,
  type StatusTable,
} from '@lyceum/web';
import { z } from 'zod';
import { authors, heads } from '../resource/view.ts';
import type { Expander } from '../resource/expander.ts';
import { createNamed, namingOf } from '../resource/slugs.ts';
import { changesOf, newProfile } from './lecturer.input.ts';
import { listLecturers } from './lecturer.list.ts';
import { loadLecturer } from './lecturer.load.ts';
import {
  addLecturerBody,
  changeLecturerBody,
  lecturerParams,
  lecturerReply,
  linkLecturerBody,
} from './lecturer.schema.ts';
import { type LecturerCode, type LecturerCommand, lecturerDecider } from './lecturer.ts';
import { lecturerDocument } from './lecturer.view.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const lecturerStatuses = {
  not_found: 404,
  slug_taken: 409,
  member_taken: 409,
  assigned: 409,
  invalid_state: 409,
} as const satisfies StatusTable<LecturerCode>;

const path = '/api/lecturers';
const one = `${path}/{lecturer}`;
const area = 'lecturers';
const writing = { area, scope: 'lecturers:write', anonymous: false, roles: heads } as const;
const changing = {
  ...writing,
  params: lecturerParams,
  reply: lecturerReply,
  ifMatch: 'accepted',
  status: 200,
} as const;

type OfLecturer = Omit<Call<{ params: typeof lecturerParams }>, 'query' | 'body'>;

/** What operations on lecturers are given: the owner of courses tells which of them name a lecturer. */
export interface LecturerPorts {
  readonly courses: LecturerCourses;
  /** Shows the courses of lecturers. */
  readonly expander: Expander<{ readonly id: string }>;
}

/** The courses that name lecturers. */
interface LecturerCourses {
  /** Ids of the public courses that the lecturer teaches, as far as the lists have them. */
  publicCourses(ports: Ports, school: string, lecturer: string): Promise<string[]>;
  /** Whether a published course has no other active lecturer, as of now, and the versions of all that this follows from. */
  isNeeded(ports: Ports, school: string, lecturer: string): Promise<Needed>;
}

interface Needed extends Pick<Derived<LecturerCommand>, 'upon'> {
  readonly needed: boolean;
}

type Ending = 'ArchiveLecturer' | 'RemoveLecturer';

async function run(
  { courses }: LecturerPorts,
  call: OfLecturer,
  ports: Ports,
  id: string,
  command: LecturerCommand | Derive<LecturerCommand>,
): Promise<Reply> {
  const done = accepted(await attempt(call, ports, lecturerDecider, id, command), lecturerStatuses);
  if (!done.state) return { observed: { lane: done.lane, position: done.position } };
  const course_ids = await courses.publicCourses(ports, call.school, id);
  return { body: { ...lecturerDocument(id, done.state, 'staff'), course_ids }, ...asOf(done) };
}

/** Brings a command to the lecturer that the path names. */
async function change(given: LecturerPorts, call: OfLecturer, ports: Ports, command: LecturerCommand): Promise<Reply> {
  const { id, view } = await loadLecturer(call, call.params.lecturer, ports);
  if (view !== 'staff') throw new Problem('access_denied', 'Lecturers change their own profile only');
  return run(given, call, ports, id, command);
}

/** Ends a profile in one of two ways, unless a published course needs it. */
async function end(given: LecturerPorts, call: OfLecturer, ports: Ports, type: Ending): Promise<Reply> {
  const { id } = await loadLecturer(call, call.params.lecturer, ports);
  // Refused while a published course has no other active lecturer as of the moment that the profile ends.
  return run(given, call, ports, id, async () => {
    const { needed, upon } = await given.courses.isNeeded(ports, call.school, id);
    return { command: { type, needed }, upon };
  });
}

const add = operation({
  ...writing,
  id: 'addLecturer',
  method: 'POST',
  path,
  summary: 'Add a lecturer',
  description: 'Adds an active profile. Without a slug one is made from the name.',
  body: addLecturerBody,
  status: 201,
  reply: lecturerReply,
  errors: ['slug_taken'],
  async handle(call, ports) {
    const id = ports.ids.next('lecturer');
    const made = { type: 'AddLecturer', by: call.meta.actor, profile: newProfile(call.body) } as const;
    const outcome = await createNamed(
      namingOf(call.body.slug, call.body.display_name),
      { id, noun: 'lecturer' },
      (slug) => attempt(call, ports, lecturerDecider, id, { ...made, slug }),
    );
    const done = accepted(outcome, lecturerStatuses);
    const body = { ...lecturerDocument(done.stream, done.state!, 'staff'), course_ids: [] };
    return { body, ...asOf(done), headers: { Location: `${path}/${done.stream}` } };
  },
});

const get = (given: LecturerPorts) =>
  operation({
    area,
    scope: 'lecturers:read',
    anonymous: true,
    id: 'getLecturer',
    method: 'GET',
    path: one,
    summary: 'Read a lecturer',
    description: 'By id or slug, as of now; `course_ids` follows with a short delay. A former slug answers 308.',
    params: lecturerParams,
    query: z.strictObject({ ...fieldsOf(lecturerReply), ...expandOf(given.expander.expansions) }),
    expands: given.expander.expansions,
    status: 200,
    reply: lecturerReply,
    async handle(call, ports) {
      const ref = call.params.lecturer;
      const { id, lecturer, view, ...found } = await loadLecturer(call, ref, ports);
      const { version, observed } = asOf(found);
      if (ref !== id && ref !== lecturer.slug)
        return { status: 308, headers: { Location: `${path}/${lecturer.slug}` }, observed };
      const course_ids = await given.courses.publicCourses(ports, call.school, id);
      const document = { ...lecturerDocument(id, lecturer, view), id, course_ids };
      const [body] = await given.expander.expand(call, ports, [document], call.query.expand);
      return { body, version, observed };
    },
  });

const patch = (given: LecturerPorts) =>
  operation({
    ...changing,
    roles: authors,
    id: 'changeLecturer',
    method: 'PATCH',
    path: one,
    summary: 'Change a lecturer',
    description: 'A JSON Merge Patch. A lecturer changes the linked profile only.',
    body: changeLecturerBody,
    errors: ['slug_taken', 'invalid_state'],
    handle: (call, ports) => change(given, call, ports, { type: 'ChangeLecturer', changes: changesOf(call.body) }),
  });

const link = (given: LecturerPorts) =>
  operation({
    ...changing,
    id: 'linkLecturer',
    method: 'PUT',
    path: `${one}/member`,
    summary: 'Link a lecturer to a member',
    description: 'Who signs in as this lecturer; a member has one profile at most. null unlinks.',
    body: linkLecturerBody,
    errors: ['member_taken'],
    handle: (call, ports) => change(given, call, ports, { type: 'LinkLecturer', member_id: call.body.member_id }),
  });

const archive = (given: LecturerPorts) =>
  operation({
    ...changing,
    id: 'archiveLecturer',
    method: 'POST',
    path: `${one}/archive`,
    summary: 'Archive a lecturer',
    description: 'Hides the profile. Refused while a published course has no other active lecturer.',
    errors: ['assigned'],
    handle: (call, ports) => end(given, call, ports, 'ArchiveLecturer'),
  });

const restore = (given: LecturerPorts) =>
  operation({
    ...changing,
    id: 'restoreLecturer',
    method: 'POST',
    path: `${one}/restore`,
    summary: 'Restore a lecturer',
    description: 'Makes an archived profile active again.',
    handle: (call, ports) => change(given, call, ports, { type: 'RestoreLecturer' }),
  });

const remove = (given: LecturerPorts) =>
  operation({
    ...writing,
    id: 'removeLecturer',
    method: 'DELETE',
    path: one,
    summary: 'Delete a lecturer',
    description: 'Frees the slug and the member. Refused while a published course has no other active lecturer.',
    params: lecturerParams,
    ifMatch: 'accepted',
    status: 204,
    errors: ['assigned'],
    handle: (call, ports) => end(given, call, ports, 'RemoveLecturer'),
  });

/** All operations on lecturers. */
export const lecturerOperations = (given: LecturerPorts): readonly Operation[] => [
  listLecturers(given.expander),
  add,
  ...[get, patch, remove, link, archive, restore].map((make) => make(given)),
];
