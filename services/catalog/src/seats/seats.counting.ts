import { facts } from '@lyceum/contracts';
import { execute } from '@lyceum/eventlog';
import { isoTime, uuidv5 } from '@lyceum/kernel';
import type { Reaction } from '@lyceum/service';
import { seatsDecider, seatsStream } from './seats.ts';

const counted = facts.commerce.SeatTaken.data.omit({ request_id: true });

/** Counts the seats of courses as the commerce service does, which alone decides who gets one. */
export const countingSeats: Reaction = {
  name: 'counting-seats',
  source: 'commerce',
  events: ['SeatTaken', 'SeatReleased'],
  async perform({ tenant, type, stream, version, data }, { log, clock }) {
    const { item_type, item_id: course_id, taken, limit } = counted.parse(data);
    if (item_type !== 'course') return;
    // Where there is no limit, nobody counts.
    if (type === 'SeatTaken' && limit === null) return;
    const at = isoTime(clock.now());
    await execute(log, seatsDecider, {
      tenant,
      stream: seatsStream(course_id),
      command: { type: 'CountSeats', course_id, taken, limit, version },
      at,
      meta: { actor: 'system' },
      commitId: uuidv5('seats-counted', stream, version),
    });
  },
};
