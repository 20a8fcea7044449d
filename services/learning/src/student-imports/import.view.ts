import type { View } from '@lyceum/web';
import type { StudentImport } from './import.state.ts';

/** An import as the staff read it. */
export function importDocument(id: string, state: StudentImport, view: View) {
  const { rows, done, refused, failed, errors: _errors, expires_at, ...shown } = state;
  return {
    ...shown,
    id,
    object: 'student_import',
    rows: rows + refused,
    processed: done + refused,
    failed: failed + refused,
    expires_at: expires_at ?? null,
    view,
  };
}
