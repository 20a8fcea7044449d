import { claimant, execute } from '@lyceum/eventlog';
import { isoTime, type Meta, uuidv5 } from '@lyceum/kernel';
import { type ModulePorts, type Slice, aggregate, streamsOf } from '@lyceum/runtime';
import { lecturerEvents } from './lecturer.events.ts';
import { lecturerOperations } from './lecturer.http.ts';
import { lecturerProjection } from './lecturer.projection.ts';
import { lecturerDecider, lecturerMember } from './lecturer.ts';

const system: Meta = { actor: 'system' };

/** The member behind a profile is erased: the profile goes, and the key of what it said. Idempotent. */
async function memberGone(school: string, subject: string, { log, clock, erase }: ModulePorts): Promise<void> {
  const stream = await claimant(log, school, lecturerMember, subject);
  if (stream === undefined) return;
  // The key goes first: a repeat finds the profile by its link for as long as both are not done.
  await erase?.(school, stream, system);
  const at = isoTime(clock.now());
  const commitId = uuidv5('lecturer-gone', school, stream);
  await execute(log, lecturerDecider, {
    tenant: school,
    stream,
    command: { type: 'ForgetLecturer' },
    at,
    meta: system,
    commitId,
  });
}

/** Who teaches: public profiles, linked to the members who sign in. */
export const lecturerSlice: Slice = {
  name: 'lecturers',
  operations: lecturerOperations,
  events: lecturerEvents,
  aggregates: [aggregate(streamsOf('lecturer_'), lecturerDecider)],
  projections: [lecturerProjection],
  erased: memberGone,
};
