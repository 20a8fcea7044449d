import { claimant, fold, type Folded } from '@lyceum/eventlog';
import { type Call, type Ports, Problem } from '@lyceum/web';
import { type View, viewOfOwn } from '../resource/view.ts';
import type { Lecturer } from './lecturer.state.ts';
import { lecturerDecider, lecturerSlug } from './lecturer.ts';

type Asking = Pick<Call, 'school' | 'principal' | 'view'>;

/** A lecturer as the log has it now, and how much of it the caller sees. */
interface Loaded extends Omit<Folded<Lecturer>, 'state'> {
  readonly id: string;
  readonly lecturer: Lecturer;
  readonly view: View;
}

/** How much of a profile the caller sees: role lecturer sees all of the own one only. */
export const viewOf = (asking: Asking, { member_id }: Pick<Lecturer, 'member_id'>): View =>
  viewOfOwn(asking, member_id !== null && member_id === asking.principal?.subject);

/** The lecturer of this id or slug, old slugs included. Strongly consistent. Throws 404 for those who may not know of it. */
export async function loadLecturer(asking: Asking, ref: string, { log }: Pick<Ports, 'log'>): Promise<Loaded> {
  const { school } = asking;
  const id = ref.startsWith('lecturer_') ? ref : await claimant(log, school, lecturerSlug, ref);
  if (id === undefined) throw new Problem('not_found');
  const { state: lecturer, ...found } = await fold(log, lecturerDecider, school, id);
  if (!lecturer) throw new Problem('not_found');
  const view = viewOf(asking, lecturer);
  if (lecturer.status === 'archived' && view !== 'staff') throw new Problem('not_found');
  return { ...found, id, lecturer, view };
}
