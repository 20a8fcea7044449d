import type { Append } from '@lyceum/eventlog';

/** Streams that events are spread over, and the schools that these belong to. */
export const streams = 10_000;
const schools = 16;

/** An event's data: 292 bytes as JSON. */
export const data = { title: 'Measured '.repeat(11), text: 'x'.repeat(150), price: 12_345 };
export const json = JSON.stringify(data);

const meta = { actor: 'user_0197f3a0-0000-7000-8000-000000000000', client: 'web' };
const names = Array.from(
  { length: streams },
  (_, index) => `course-0197f3a0-0000-7000-8000-${String(index).padStart(12, '0')}`,
);

/** A random stream's number. */
export const anyStream = (): number => Math.floor(Math.random() * streams);

let made = 0;
let now = 0;
let time = '';

/** An id as callers make it, a UUID of version 7, but with a count for its random part: that costs the measurement little. */
function commitId(): string {
  made += 1;
  if (now !== Date.now()) {
    now = Date.now();
    const digits = now.toString(16).padStart(12, '0');
    time = `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-`;
  }
  return time + String(made).padStart(12, '0');
}

/** One event for a stream of a school. */
export const appendTo = (stream: number): Append => ({
  tenant: `school_${stream % schools}`,
  expectations: [],
  events: [{ stream: names[stream]!, type: 'CourseDescribed', schema: 1, data }],
  commitId: commitId(),
  fingerprint: '',
  at: '2026-01-05T08:00:00.000Z',
  meta,
});

/**
 * Runs callers side by side until the time is over; each waits for its own operation, and ends when that resolves to
 * `false`: there was nothing left to do. Returns what each operation took, in milliseconds.
 */
export async function callers(
  count: number,
  milliseconds: number,
  operation: () => Promise<unknown>,
): Promise<number[]> {
  const latencies: number[] = [];
  const end = performance.now() + milliseconds;
  const caller = async (): Promise<void> => {
    for (let now = performance.now(); now < end;) {
      if ((await operation()) === false) return;
      const after = performance.now();
      latencies.push(after - now);
      now = after;
    }
  };
  await Promise.all(Array.from({ length: count }, caller));
  return latencies;
}
