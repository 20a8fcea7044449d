import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { ImportEvent, RowError } from './import.events.ts';
import { type ImportCommand, importDecider, importRowsStream } from './import.ts';

const id = 'import_0195a3c2-7d10-7abc-8def-0123456789ab';
const data = { requested_by: 'account_admin', source: 'csv', rows: 60, refused: [{ line: 3, code: 'email_invalid' }] };
const requested: ImportEvent = { type: 'ImportRequested', data };
const advance = (done: number, errors: RowError[] = []) => ({ done, invited: 2, enrolled: 3, unchanged: 1, errors });
const advanced = (done: number, errors: RowError[] = []): ImportEvent => ({
  type: 'ImportAdvanced',
  data: advance(done, errors),
});
const completed: ImportEvent = { type: 'ImportCompleted', data: {} };
const cancelled: ImportEvent = { type: 'ImportCancelled', data: { by: 'account_admin' } };
const expired: ImportEvent = { type: 'ImportExpired', data: {} };
const request: ImportCommand = { type: 'RequestImport', id, request: data, kept: 'rows' };
const step = (from: number, done: number): ImportCommand => ({ type: 'AdvanceImport', from, advance: advance(done) });
const cancel: ImportCommand = { type: 'CancelImport', by: 'account_admin' };
const expire: ImportCommand = { type: 'ExpireImport' };

describe('an import', () => {
  test('is requested once', () => {
    given(importDecider).when(request).then(requested);
    given(importDecider, requested).when(request).rejected('invalid_state');
  });

  test('advances from where it is, and completes with the last row', () => {
    given(importDecider, requested).when(step(0, 50)).then(advanced(50));
    given(importDecider, requested, advanced(50)).when(step(50, 60)).then(advanced(60), completed);
    given(importDecider, { ...requested, data: { ...data, rows: 0 } })
      .when(step(0, 0))
      .then(completed);
  });

  test('what was written down already is not written again', () => {
    given(importDecider, requested, advanced(50)).when(step(0, 50)).unchanged();
    given(importDecider, requested, advanced(60), completed).when(step(60, 60)).unchanged();
  });

  test('what was done while somebody cancelled it counts, and it stays cancelled', () => {
    given(importDecider, requested, cancelled).when(step(0, 60)).then(advanced(60));
    expect(given(importDecider, requested, cancelled, advanced(60)).state).toMatchObject({
      status: 'cancelled',
      done: 60,
    });
  });

  test('is cancelled while it runs', () => {
    given(importDecider, requested, advanced(50)).when(cancel).then(cancelled);
    given(importDecider, requested, cancelled).when(cancel).unchanged();
    given(importDecider, requested, advanced(60), completed).when(cancel).rejected('invalid_state');
    given(importDecider, requested, expired).when(cancel).rejected('invalid_state');
  });

  test('expires while it runs', () => {
    given(importDecider, requested).when(expire).then(expired);
    given(importDecider, requested, advanced(60), completed).when(expire).unchanged();
    given(importDecider, requested, cancelled).when(expire).unchanged();
  });

  test.each<[string, ImportCommand]>([
    ['advance', step(0, 1)],
    ['cancel', cancel],
    ['expire', expire],
  ])('one that there is not cannot %s', (_, command) => given(importDecider).when(command).rejected('not_found'));

  test('adds up what came of its rows, and keeps errors by line', () => {
    const errors = [{ line: 2, code: 'unknown_course', course_id: 'course_1' }];
    const { state } = given(importDecider, requested, advanced(50, errors), advanced(60), completed);
    expect(state).toMatchObject({ status: 'completed', done: 60, refused: 1, failed: 1, invited: 4, enrolled: 6 });
    expect(state?.errors.map(({ line }) => line)).toEqual([2, 3]);
    expect(state?.finished_at).not.toBeNull();
  });

  test('holds the one place of the school until it is over, and keeps its rows beside', () => {
    const place = { kind: 'student_import', value: 'running' };
    expect(importDecider.claims?.(requested)).toEqual([{ ...place, rejected: 'import_running' }]);
    for (const end of [completed, cancelled, expired]) expect(importDecider.releases?.(end, null)).toEqual([place]);
    expect(importDecider.releases?.(advanced(1), null)).toEqual([]);
    expect(importDecider.sideEvents?.(null, null, request)).toMatchObject([
      { stream: importRowsStream(id), type: 'ImportRowsKept', data: { import_id: id, rows: 'rows' } },
    ]);
    expect(importDecider.sideEvents?.(null, null, cancel)).toEqual([]);
  });
});
