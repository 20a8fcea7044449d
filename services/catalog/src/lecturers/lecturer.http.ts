import type { VersionedCommand } from '@lyceum/eventlog';
import {
  type Asking,
  type Expander,
  type Loaded,
  addressed,
  authors,
  heads,
  imageOf,
  namingOf,
  resource,
  viewOfOwn,
} from '@lyceum/service';
import type { Call, Operation, Ports, StatusTable } from '@lyceum/web';
import { changesOf, newProfile } from './lecturer.input.ts';
import {
  addLecturerBody,
  changeLecturerBody,
  lecturerItem,
  lecturerReply,
  linkLecturerBody,
} from './lecturer.schema.ts';
import type { Lecturer } from './lecturer.state.ts';
import { type LecturerCode, type LecturerCommand, lecturerDecider, lecturerSlug } from './lecturer.ts';
import { lecturerDocument } from './lecturer.view.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const lecturerStatuses = {
  not_found: 404,
  slug_taken: 409,
  member_taken: 409,
  assigned: 409,
  invalid_state: 409,
} as const satisfies StatusTable<LecturerCode>;

/** How much of a profile the caller sees: role lecturer sees all of the own one only. */
export const viewOf = (asking: Asking, { member_id }: Lecturer) =>
  viewOfOwn(asking, member_id !== null && member_id === asking.principal?.subject);

/** A profile with the whole address of its avatar. */
export const withAvatar = addressed('avatar');

/** Lecturers: active ones are everybody's; who runs the school sees and changes all, a lecturer the own profile. */
export const lecturers = resource({
  noun: 'lecturer',
  path: '/api/lecturers',
  area: 'lecturers',
  decider: lecturerDecider,
  present: (state): Lecturer | null => state,
  slugs: lecturerSlug,
  statuses: lecturerStatuses,
  access: {
    writers: heads,
    refusal: 'Lecturers change their own profile only',
    viewer: (asking) => asking,
    viewOf,
    mayKnow: (asking, lecturer) => lecturer.status === 'active' || viewOf(asking, lecturer) === 'staff',
    rows({ principal, view }) {
      const all = view === 'staff' && principal !== undefined && heads.includes(principal.role);
      return [all ? [] : [{ field: 'status', is: 'active' }]];
    },
  },
  reply: lecturerReply,
  item: lecturerItem,
  document: lecturerDocument,
  addressed: withAvatar,
  list: {
    name: 'lecturers',
    version: 2,
    fields: { status: 'text', member_id: 'text', position: 'number' },
    statuses: ['active', 'archived'],
    texts: ({ display_name, title }) => [display_name, title],
    erase: { documents: (subject) => [subject] },
  },
});

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

interface Needed extends Pick<VersionedCommand<LecturerCommand>, 'expectedVersions'> {
  readonly needed: boolean;
}

type Kit = ReturnType<typeof lecturers.given>;

/** Ends a profile, unless a published course has no other active lecturer as of the moment that it ends. */
const ending =
  (courses: LecturerCourses, type: 'ArchiveLecturer' | 'RemoveLecturer') =>
  ({ school }: Pick<Asking, 'school'>, ports: Ports) =>
  async ({ id }: Pick<Loaded<Lecturer, Asking>, 'id'>) => {
    const { needed, expectedVersions } = await courses.isNeeded(ports, school, id);
    return { command: { type, needed }, expectedVersions };
  };

/** All operations on lecturers. */
export function lecturerOperations({ courses, expander }: LecturerPorts): readonly Operation[] {
  const kit = lecturers.given({
    expands: { one: expander, each: expander },
    alongside: async (ports, school, id) => ({ course_ids: await courses.publicCourses(ports, school, id) }),
  });
  return [...reading(kit), ...writing(kit), ...statuses(kit, courses)];
}

const reading = (kit: Kit) => [
  kit.list({
    id: 'listLecturers',
    summary: 'List lecturers',
    description:
      'Active lecturers by their position; owners and admins see archived ones when `status` asks for them. Follows writes with a short delay: see Consistency-Token.',
    searches: 'Beginnings of words of the name or title.',
    sorts: ['position', 'created_at'],
  }),

  kit.get({
    id: 'getLecturer',
    summary: 'Read a lecturer',
    description: 'By id or slug, as of now; `course_ids` follows with a short delay. A former slug answers 308.',
  }),
];

/** What a request means by an avatar, as it is kept: the id of a file, or an address elsewhere. */
async function avatarNamed(
  call: Pick<Call, 'school' | 'issuer' | 'principal'> & {
    readonly body: { readonly avatar?: string | null | undefined };
  },
  ports: Ports,
  known?: string,
): Promise<{ readonly avatar?: string }> {
  const { avatar } = call.body;
  if (avatar === undefined || avatar === null) return {};
  const image = await imageOf(call, ports, avatar, { path: 'avatar', purposes: ['avatar'], known });
  return { avatar: 'file' in image ? image.file : image.url };
}

const writing = (kit: Kit) => [
  kit.create({
    id: 'addLecturer',
    summary: 'Add a lecturer',
    description: 'Adds an active profile. Without a slug one is made from the name.',
    body: addLecturerBody,
    errors: ['slug_taken', 'file_not_ready', 'temporarily_unavailable'],
    naming: ({ slug, display_name }) => namingOf(slug, display_name),
    async command(call, ports) {
      const { body, meta } = call;
      const profile = { ...newProfile(body), ...(await avatarNamed(call, ports)) };
      const made = { type: 'AddLecturer', by: meta.actor, profile } as const;
      return (slug) => ({ ...made, slug });
    },
  }),

  kit.change({
    roles: authors,
    id: 'changeLecturer',
    summary: 'Change a lecturer',
    description: 'A JSON Merge Patch. A lecturer changes the linked profile only.',
    body: changeLecturerBody,
    errors: ['slug_taken', 'file_not_ready', 'invalid_state', 'temporarily_unavailable'],
    command:
      (call, ports) =>
      async ({ thing }) => {
        const changes = { ...changesOf(call.body), ...(await avatarNamed(call, ports, thing.avatar_file)) };
        return { command: { type: 'ChangeLecturer', changes }, expectedVersions: [] };
      },
  }),

  kit.change({
    id: 'linkLecturer',
    method: 'PUT',
    below: '/member',
    summary: 'Link a lecturer to a member',
    description: 'Who signs in as this lecturer; a member has one profile at most. null unlinks.',
    body: linkLecturerBody,
    errors: ['member_taken'],
    command: ({ body: { member_id } }) => ({ type: 'LinkLecturer', member_id }),
  }),
];

const statuses = (kit: Kit, courses: LecturerCourses) => [
  kit.remove({
    id: 'removeLecturer',
    summary: 'Delete a lecturer',
    description: 'Frees the slug and the member. Refused while a published course has no other active lecturer.',
    errors: ['assigned'],
    command: ending(courses, 'RemoveLecturer'),
  }),

  kit.change({
    id: 'archiveLecturer',
    method: 'POST',
    below: '/archive',
    summary: 'Archive a lecturer',
    description: 'Hides the profile. Refused while a published course has no other active lecturer.',
    errors: ['assigned'],
    command: ending(courses, 'ArchiveLecturer'),
  }),

  kit.change({
    id: 'restoreLecturer',
    method: 'POST',
    below: '/restore',
    summary: 'Restore a lecturer',
    description: 'Makes an archived profile active again.',
    command: () => ({ type: 'RestoreLecturer' }),
  }),
];
