import { claimants, execute, fold } from '@lyceum/eventlog';
import { isoTime, type Meta, uuidv5 } from '@lyceum/kernel';
import { type Reaction, type ModulePorts, type Slice, aggregate, streamsOf } from '@lyceum/service';
import { lecturerEvents } from './lecturer.events.ts';
import { type LecturerPorts, lecturerOperations, lecturers } from './lecturer.http.ts';
import { lecturerDecider, lecturerMember } from './lecturer.ts';

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
  erased: memberGone,
});
