import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { seatRequestEvents } from './seat-request.events.ts';

/** The answers to requests, but for seats that were taken: those stand among the seats of the item. */
export function seatRequestFact(recorded: RecordedEvent): FactOf<'commerce'> | undefined {
  if (!recorded.stream.startsWith('seat_request_')) return undefined;
  const event = upcast(seatRequestEvents, recorded);
  if (event.type === 'SeatRequestDenied') return { type: 'SeatDenied', data: event.data };
  if (event.type !== 'SeatRequestGranted' || event.data.counted) return undefined;
  const { counted: _counted, ...request } = event.data;
  return { type: 'SeatTaken', data: { ...request, taken: 0, limit: null } };
}
