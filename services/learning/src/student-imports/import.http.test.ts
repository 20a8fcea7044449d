import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '@lyceum/testkit';
import { disagreements } from '@lyceum/web';
import { type Learning, courseIds, importOver, startLearning } from '../testing.ts';
import { importRejections } from './import.http.ts';
import { importRowsStream } from './import.ts';

let learning: Learning;
beforeEach(async () => void (learning = await startLearning()));
afterEach(() => learning.close());

const path = '/api/student_imports';
const csv = (body: string, query = '', headers: Record<string, string> = {}) =>
  learning.call('POST', `${path}${query}`, { body, headers: { 'content-type': 'text/csv', ...headers } });
const json = (rows: readonly object[], query = '') => learning.call('POST', `${path}${query}`, { body: { rows } });
const errorsOf = async (id: string) => (await learning.call('GET', `${path}/${id}/errors?limit=100`)).body.data;

describe('an import of students', () => {
  test('rejects with the statuses of the error table', () => expect(disagreements(importRejections)).toEqual([]));

  test('invites and enrolls row by row, and tells which rows it left out, and why', async () => {
    await learning.enroll('member', 'paid');
    const begun = await csv(
      [
        'email,name,course_ids',
        `ada@example.org,Ada,${courseIds.free} ${courseIds.paid}`,
        'account_member@example.org,,',
        'nobody,,',
        `bob@example.org,Bob,${courseIds.archived}`,
        'account_erased@example.org,,',
        `carl@example.org,,${courseIds.none} ${courseIds.free}`,
      ].join('\r\n'),
      `?course_ids=${courseIds.paid}`,
    );
    expect([begun.status, begun.headers.get('location')]).toEqual([202, `${path}/${begun.body.id}`]);
    expect(begun.body).toMatchObject({
      object: 'student_import',
      status: 'running',
      source: 'csv',
      rows: 6,
      processed: 1,
    });
    expect(begun.body).toMatchObject({ requested_by: 'acc_1', failed: 1, finished_at: null, view: 'staff' });
    const over = await importOver(learning, begun.body.id);
    expect(over).toMatchObject({ status: 'completed', processed: 6, invited: 4, enrolled: 4, unchanged: 1, failed: 3 });
    expect(over.finished_at).not.toBeNull();
    expect(await errorsOf(begun.body.id)).toMatchObject([
      { line: 4, code: 'email_invalid', reason: 'This is no e-mail address', course_id: null },
      { line: 5, code: 'invalid_state', course_id: courseIds.archived },
      { line: 7, code: 'unknown_course', reason: 'There is no such course', course_id: courseIds.none },
    ]);
    await learning.settled();
    const { body: list } = await learning.call('GET', path);
    expect(list.data).toMatchObject([{ id: begun.body.id, status: 'completed', processed: 6, failed: 3 }]);
    const { body: students } = await learning.call('GET', `/api/students?course_id=${courseIds.paid}`);
    expect(students.data).toHaveLength(3);
  });

  test('takes JSON rows, with an end of access for all', async () => {
    const { body } = await json(
      [{ email: 'ada@example.org', course_ids: [courseIds.free] }, { email: 'x' }],
      '?expires_at=2126-01-01T01:00:00%2B01:00',
    );
    expect(body).toMatchObject({ source: 'json', rows: 2, expires_at: '2126-01-01T00:00:00.000Z' });
    expect(await importOver(learning, body.id)).toMatchObject({
      status: 'completed',
      invited: 1,
      enrolled: 1,
      failed: 1,
    });
    expect(await errorsOf(body.id)).toMatchObject([{ line: 2, code: 'email_invalid' }]);
    await learning.settled();
    const { body: students } = await learning.call('GET', '/api/students');
    expect(students.data[0].enrollments[0].expires_at).toBe('2126-01-01T00:00:00.000Z');
  });

  test('pages the errors by line', async () => {
    const { body } = await json(Array.from({ length: 25 }, () => ({ email: 'x' })));
    const first = await learning.call('GET', `${path}/${body.id}/errors?limit=20`);
    const rest = await learning.call('GET', `${path}/${body.id}/errors?limit=20&cursor=${first.body.next_cursor}`);
    const lines = [...first.body.data, ...rest.body.data].map(({ line }: { line: number }) => line);
    expect([first.body.has_more, rest.body.has_more, lines]).toEqual([
      true,
      false,
      Array.from({ length: 25 }, (_, at) => at + 1),
    ]);
  });

  test.each([
    ['no CSV', 'email\n"x', 'text/csv', 'validation_failed'],
    ['no rows', '{"rows":[]}', 'application/json', 'validation_failed'],
    [
      'too many rows',
      JSON.stringify({ rows: Array.from({ length: 5_001 }, () => ({ email: 'a' })) }),
      'application/json',
      'validation_failed',
    ],
    ['another media type', 'email\na@b.org', 'text/plain', 'unsupported_media_type'],
    ['more than 1 MiB of CSV', `email\n${'a@b.org\n'.repeat(140_000)}`, 'text/csv', 'payload_too_large'],
    [
      'more than 1 MiB of JSON',
      JSON.stringify({ rows: [{ email: 'a'.repeat(1_100_000) }] }),
      'application/json',
      'payload_too_large',
    ],
  ])('is refused with %s, and nothing is begun', async (_, body, type, error) => {
    const got = await learning.call('POST', path, { body, headers: { 'content-type': type } });
    expect(got.body.error).toBe(error);
    await learning.settled();
    expect((await learning.call('GET', path)).body.data).toEqual([]);
  });

  test('one of a school runs at a time, and another may begin when it is cancelled', async () => {
    const release = learning.school.hold();
    const first = await json([{ email: 'ada@example.org' }]);
    expect((await json([{ email: 'bob@example.org' }])).body.error).toBe('import_running');
    const ended = await learning.call('POST', `${path}/${first.body.id}/cancel`);
    expect([ended.status, ended.body.status]).toEqual([200, 'cancelled']);
    release();
    const second = await json([{ email: 'bob@example.org' }]);
    expect(second.status).toBe(202);
    expect(await importOver(learning, second.body.id)).toMatchObject({ status: 'completed', invited: 1 });
  });

  test('with the same Idempotency-Key it is one import, and another file is refused', async () => {
    const key = { 'idempotency-key': 'one-import' };
    const [first, again] = [await csv('email\na@b.org', '', key), await csv('email\na@b.org', '', key)];
    expect([again.status, again.body.id]).toEqual([202, first.body.id]);
    expect((await csv('email\nc@b.org', '', key)).body.error).toBe('idempotency_key_reused');
    await importOver(learning, first.body.id);
    expect(learning.school.members.size).toBe(8);
  });

  test('ends when who asked for it runs the school no more', async () => {
    learning.school.demote('acc_1');
    const { body } = await json([{ email: 'ada@example.org' }]);
    expect(await importOver(learning, body.id)).toMatchObject({ status: 'cancelled', processed: 0 });
    expect(learning.school.wishes.size).toBe(0);
  });

  test('waits for services that are away, and ends after a week', async () => {
    let away = true;
    const own = await startLearning({
      ports: { ask: async (...asked) => (away ? Promise.reject(new Error('away')) : learning.school.answer(...asked)) },
    });
    try {
      const begin = () => own.call('POST', path, { body: { rows: [{ email: 'ada@example.org' }] } });
      const first = await begin();
      own.clock.advance(8 * 24 * 3_600_000);
      expect(await importOver(own, first.body.id)).toMatchObject({ status: 'expired', processed: 0 });
      const second = await begin();
      away = false;
      expect(await importOver(own, second.body.id)).toMatchObject({ status: 'completed', invited: 1 });
    } finally {
      await own.close();
    }
  });

  test('5,000 rows take seconds, in pieces', async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => ({ email: `person${at}@example.org` }));
    const began = performance.now();
    const { body } = await json(rows, `?course_ids=${courseIds.free}`);
    let over = await learning.call('GET', `${path}/${body.id}`);
    while (over.body.status === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 50));
      over = await learning.call('GET', `${path}/${body.id}`);
    }
    expect(over.body).toMatchObject({ status: 'completed', invited: 5_000, enrolled: 5_000, failed: 0 });
    expect(performance.now() - began).toBeLessThan(60_000);
  });
});

describe('the rows of an import', () => {
  const canary = 'canary@example.org';
  const stored = async (id: string) => {
    const { commits } = await learning.log.load('school_1', [importRowsStream(id)]);
    const all = commits.flatMap(({ events }) => events.filter(({ stream }) => stream === importRowsStream(id)));
    return all.map(({ data }) => data);
  };

  test('stand in its rows only, encrypted, until it is over, and can never be read again', async () => {
    const release = learning.school.hold();
    const { body } = await json([{ email: canary, name: 'Canary' }]);
    expect(await stored(body.id)).toMatchObject([{ import_id: body.id, rows: expect.any(String) }]);
    expect(await learning.vault.keyStatus('school_1', body.id)).toBe('known');
    release();
    await importOver(learning, body.id);
    const isErased = async () => (await learning.vault.keyStatus('school_1', body.id)) === 'erased';
    await until(isErased, 'the end of the rows');
    expect(await stored(body.id)).toEqual([{ import_id: body.id, rows: null }]);
    const lane = learning.log.laneOf('school_1');
    const all = await learning.log.readLane(lane, 0, 1_000);
    expect(JSON.stringify(all)).not.toMatch(/canary/i);
    expect(JSON.stringify(all)).toContain('SubjectErased');
  });

  test('a file of errors alone completes, and is forgotten too', async () => {
    const { body } = await json([{ email: canary.replace('@', '') }]);
    expect(await importOver(learning, body.id)).toMatchObject({
      status: 'completed',
      rows: 1,
      processed: 1,
      failed: 1,
    });
    const all = await learning.log.readLane(learning.log.laneOf('school_1'), 0, 1_000);
    expect(JSON.stringify(all)).not.toMatch(/canary/i);
  });
});
