import { type Recorded, recording, unrecorded } from '@lyceum/kernel';
import type { ImportEvent, RowError } from './import.events.ts';

/** What an import can be. */
export const importStatuses = ['running', 'completed', 'cancelled', 'expired'] as const;

/** An import of students as its events tell it. */
export interface StudentImport extends Recorded {
  readonly status: (typeof importStatuses)[number];
  readonly requested_by: string;
  readonly source: string;
  /** Rows that are worked on. */
  readonly rows: number;
  /** The first so many of them are. */
  readonly done: number;
  /** Rows that were left out at once. */
  readonly refused: number;
  readonly invited: number;
  readonly enrolled: number;
  readonly unchanged: number;
  readonly failed: number;
  /** Those left out, at once or later, by line. */
  readonly errors: readonly RowError[];
  readonly expires_at: string | null | undefined;
  /** When it was over; null while it runs. */
  readonly finished_at: string | null;
}

/** An import; null = there is none. */
export type ImportState = StudentImport | null;

const byLine = (one: RowError, other: RowError): number => one.line - other.line;

function apply(state: ImportState, event: ImportEvent): ImportState {
  if (event.type === 'ImportRequested') {
    const { refused, expires_at, ...data } = event.data;
    const counts = { done: 0, refused: refused.length, invited: 0, enrolled: 0, unchanged: 0, failed: 0 };
    const begun = { status: 'running', errors: refused, expires_at, finished_at: null } as const;
    return { ...data, ...counts, ...begun, ...unrecorded };
  }
  if (!state) return state;
  switch (event.type) {
    case 'ImportAdvanced': {
      const { done, invited, enrolled, unchanged, errors } = event.data;
      return {
        ...state,
        done,
        invited: state.invited + invited,
        enrolled: state.enrolled + enrolled,
        unchanged: state.unchanged + unchanged,
        failed: state.failed + errors.length,
        errors: [...state.errors, ...errors].toSorted(byLine),
      };
    }
    case 'ImportCompleted':
      return { ...state, status: 'completed' };
    case 'ImportCancelled':
      return { ...state, status: 'cancelled' };
    case 'ImportExpired':
      return { ...state, status: 'expired' };
  }
}

const recorded = recording(apply, { created: 'ImportRequested' });

const ends: readonly ImportEvent['type'][] = ['ImportCompleted', 'ImportCancelled', 'ImportExpired'];

/** Folds an event as the log recorded it. */
export function evolve(before: ImportState, event: ImportEvent, context: Parameters<typeof recorded>[2]): ImportState {
  const state = recorded(before, event, context);
  return state && ends.includes(event.type) ? { ...state, finished_at: context.at } : state;
}
