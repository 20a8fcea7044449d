import { referenceEvents } from '@lyceum/contracts';
import { type Decider, type Rejection, differences, reject } from '@lyceum/kernel';
import { type LecturerEvent, lecturerEvents } from './lecturer.events.ts';
import { evolve, type Lecturer, type LecturerState, type Profile } from './lecturer.state.ts';

/** What can be asked of a lecturer's profile. */
export type LecturerCommand =
  | { readonly type: 'AddLecturer'; readonly slug: string; readonly by: string; readonly profile: Known }
  | { readonly type: 'ChangeLecturer'; readonly changes: Partial<Known> & { readonly slug?: string } }
  | { readonly type: 'LinkLecturer'; readonly member_id: string | null }
  /** `needed`: a published course has no other active lecturer. */
  | { readonly type: 'ArchiveLecturer' | 'RemoveLecturer'; readonly needed: boolean }
  | { readonly type: 'RestoreLecturer' }
  /** The person is erased: the profile goes, whoever needs it. */
  | { readonly type: 'ForgetLecturer' };

/** A profile whose person is not erased. */
export type Known = { readonly [Field in keyof Profile]: NonNullable<Profile[Field]> };

/** What a command to a lecturer can be rejected for. */
export type LecturerCode = 'not_found' | 'slug_taken' | 'member_taken' | 'assigned' | 'invalid_state';

type Decision = readonly LecturerEvent[] | Rejection<LecturerCode>;

const needed = reject('assigned', 'A published course has no other active lecturer');

function decide(command: LecturerCommand, state: LecturerState): Decision {
  if (command.type === 'AddLecturer') {
    if (state) return reject('invalid_state', 'The lecturer exists already');
    const { slug, by, profile } = command;
    const added: LecturerEvent = { type: 'LecturerAdded', data: { slug, by, ...profile, links: [...profile.links] } };
    return [added, ...referenceEvents([], [profile.avatar])];
  }
  if (!state) return reject('not_found', 'There is no such lecturer');
  switch (command.type) {
    case 'ChangeLecturer':
      return changed(state, command.changes);
    case 'LinkLecturer':
      return linked(state, command.member_id);
    case 'ArchiveLecturer':
      if (state.status === 'archived') return [];
      return command.needed ? needed : [{ type: 'LecturerArchived', data: {} }];
    case 'RestoreLecturer':
      return state.status === 'active' ? [] : [{ type: 'LecturerRestored', data: {} }];
    case 'RemoveLecturer':
      return command.needed ? needed : removed(state);
    case 'ForgetLecturer':
      return removed(state);
  }
}

const removed = ({ avatar_file }: Lecturer): Decision => [
  ...releaseOf(avatar_file),
  { type: 'LecturerRemoved', data: {} },
];

const releaseOf = (file: string | undefined) => referenceEvents([file], []);

function changed(state: Lecturer, { slug, ...wanted }: Partial<Known> & { readonly slug?: string }): Decision {
  if (state.status === 'archived')
    return reject('invalid_state', 'An archived profile is restored before it is changed');
  const { links, ...open } = wanted;
  const different = differences(state, links ? { ...open, links: [...links] } : open);
  const events: LecturerEvent[] = [];
  if (different) events.push({ type: 'LecturerChanged', data: different });
  // Released first: the state knows one file.
  if (different?.avatar !== undefined && different.avatar !== state.avatar_file)
    events.push(...releaseOf(state.avatar_file), ...referenceEvents([], [different.avatar]));
  if (slug !== undefined && slug !== state.slug) events.push({ type: 'LecturerSlugChanged', data: { slug } });
  return events;
}

function linked(state: Lecturer, member_id: string | null): Decision {
  if (member_id === state.member_id) return [];
  return member_id === null
    ? [{ type: 'LecturerUnlinked', data: {} }]
    : [{ type: 'LecturerLinked', data: { member_id } }];
}

/** The kind of claim that keeps lecturers' slugs unique in a school. */
export const lecturerSlug = 'lecturer_slug';

/** The kind of claim that gives a member one profile: its holder is the profile of the member. */
export const lecturerMember = 'lecturer_member';

const linkOf = (state: LecturerState) => (state?.member_id ? [{ kind: lecturerMember, value: state.member_id }] : []);

/** A lecturer: the stream is the id of the profile. */
export const lecturerDecider: Decider<LecturerState, LecturerCommand, LecturerEvent, LecturerCode> = {
  events: lecturerEvents,
  initial: null,
  decide,
  evolve,
  claims(event) {
    if (event.type === 'LecturerAdded' || event.type === 'LecturerSlugChanged')
      return [{ kind: lecturerSlug, value: event.data.slug, rejected: 'slug_taken' }];
    if (event.type === 'LecturerLinked')
      return [{ kind: lecturerMember, value: event.data.member_id, rejected: 'member_taken' }];
    return [];
  },
  releases(event, before) {
    if (event.type === 'LecturerRemoved')
      return [...linkOf(before), ...(before?.slugs ?? []).map((value) => ({ kind: lecturerSlug, value }))];
    return event.type === 'LecturerLinked' || event.type === 'LecturerUnlinked' ? linkOf(before) : [];
  },
};
