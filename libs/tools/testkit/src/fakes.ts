import type { Clock, Ids } from '@lyceum/kernel';

/** A clock that stands still until it is told to move. Starts at 2026-01-05T08:00:00Z. */
export class FakeClock implements Clock {
  #now: number;

  constructor(at: string | number = '2026-01-05T08:00:00.000Z') {
    this.#now = new Date(at).getTime();
  }

  now(): number {
    return this.#now;
  }

  /** Moves forward (or back, when negative) by milliseconds. */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** Ids in counting order: `course_00000000-0000-7000-8000-000000000001`, secrets `secret-1…`. */
export class FakeIds implements Ids {
  #count = 0;

  next(prefix: string): string {
    this.#count += 1;
    return `${prefix}_00000000-0000-7000-8000-${String(this.#count).padStart(12, '0')}`;
  }

  secret(bytes = 32): string {
    this.#count += 1;
    return `secret-${this.#count}-`.padEnd(Math.ceil((bytes * 4) / 3), 'x');
  }
}
