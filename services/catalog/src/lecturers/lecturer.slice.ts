import { claimant, claimants, execute, fold } from '@lyceum/eventlog';
import { isoTime, type Meta, uuidv5 } from '@lyceum/kernel';
import { type ModulePorts, type PersonalData, type Reaction, type Slice, aggregate, streamsOf } from '@lyceum/service';
import { lecturerEvents } from './lecturer.events.ts';
import { lecturerFact } from './lecturer.facts.ts';
import { type LecturerPorts, lecturerOperations, lecturers } from './lecturer.http.ts';
import { lecturerDecider, lecturerMember } from './lecturer.ts';
import { lecturerDocument } from './lecturer.view.ts';

const system: Meta = { actor: 'system' };

/** Ends what can be known of a profile: its key is destroyed, and there is no such profile any more. Idempotent. */
async function forget(school: string, stream: string, { log, clock, vault, erase }: ModulePorts): Promise<void> {
  // The key goes first: a repeat finds the profile by its link for as long as both are not done.
  if ((await vault.keyStatus(school, stream)) !== 'erased') await erase?.(school, stream, system);
  if (!(await fold(log, lecturerDecider, school, stream)).state) return;
  const at = isoTime(clock.now());
  const commitId = uuidv5('lecturer-gone', school, stream);
  const command = { type: 'ForgetLecturer' } as const;
  await execute(log, lecturerDecider, { tenant: school, stream, command, at, meta: system, commitId });
}

/**
 * A member is erased: with them go the profiles that are or were theirs, removed ones too. One that is another member's
 * by now is about that person, and stays.
 */
async function memberGone(school: string, subject: string, ports: ModulePorts): Promise<void> {
  for (const stream of await claimants(ports.log, school, lecturerMember, subject)) {
    const { state } = await fold(ports.log, lecturerDecider, school, stream);
    if (state && state.member_id !== null && state.member_id !== subject) continue;
    await forget(school, stream, ports);
  }
}

/** The profile that a person teaches under, if there is one: also what only the staff sees of it. */
const lecturerData: PersonalData<ModulePorts> = {
  file: 'lecturer',
  async read({ school, subject }, { log }) {
    const stream = await claimant(log, school, lecturerMember, subject);
    const state = stream === undefined ? null : (await fold(log, lecturerDecider, school, stream)).state;
    if (stream === undefined || state === null) return { records: [] };
    const { view: _view, ...profile } = lecturerDocument(state, 'staff', stream);
    return { records: [profile] };
  },
};

/** Nobody reads what a profile said once it is removed: its key goes with it. */
const forgetting: Reaction = {
  name: 'forgetting-lecturers',
  events: ['LecturerRemoved'],
  perform: ({ tenant, stream }, ports) => forget(tenant, stream, ports),
};

/** Who teaches: public profiles, linked to the members who sign in. */
export const lecturerSlice = (given: LecturerPorts): Slice => ({
  name: 'lecturers',
  operations: lecturerOperations(given),
  events: lecturerEvents,
  aggregates: [aggregate(streamsOf('lecturer_'), lecturerDecider)],
  projections: [lecturers.projection],
  reactions: [forgetting],
  toFact: lecturerFact,
  personalData: [lecturerData],
  erased: memberGone,
});
