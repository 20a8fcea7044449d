import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { hostileFormulas } from '@lyceum/testkit';
import type { Sent } from '@lyceum/testkit-service';
import { type Learning, courseIds, memberToken, startLearning } from '../testing.ts';
import { csvLine } from '@lyceum/web';

let learning: Learning;
const lecturer: Sent = { as: { role: 'lecturer', subject: 'account_lecturer' } };

/** 450 students, whose names begin with the letters a to c in turn. */
beforeAll(async () => {
  learning = await startLearning();
  const all = Array.from({ length: 450 }, (_, at) => `account_${'abc'.charAt(at % 3)}${at}`);
  for (const member_id of all) {
    learning.school.join(member_id);
    await learning.publish('school', { type: 'MemberJoined', data: { member_id, role: 'member' } });
  }
  await learning.settled();
  for (const course_id of [courseIds.paid, courseIds.limited]) {
    const member_ids = course_id === courseIds.paid ? all : all.slice(0, 10);
    const { body } = await learning.call('POST', '/api/students/bulk-enroll', { body: { member_ids, course_id } });
    expect(body.done).toBe(member_ids.length);
    learning.clock.advance(1_000);
  }
  await learning.settled();
});
afterAll(() => learning.close());

async function allOf(query: string, sent: Sent = {}): Promise<{ ids: string[]; pages: number[] }> {
  const ids: string[] = [];
  const pages: number[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await learning.call('GET', `/api/students?${query}${more}`, sent);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    pages.push(body.data.length);
    expect(body.has_more).toBe(body.next_cursor !== null);
    cursor = body.next_cursor;
  }
  return { ids, pages };
}

describe('students by what the school service knows', () => {
  test('few with a name are found at once', async () => {
    expect((await allOf('q=OF account_a12&limit=2')).ids.toSorted()).toEqual(
      Array.from({ length: 450 }, (_, at) => at)
        .filter((at) => at % 3 === 0 && `a${at}`.startsWith('a12'))
        .map((at) => `account_a${at}`)
        .toSorted(),
    );
    expect((await allOf('q=nobody')).ids).toEqual([]);
  });

  test('many with a name come page by page, each once', async () => {
    const { ids, pages } = await allOf('q=name&limit=100');
    expect([ids.length, new Set(ids).size]).toEqual([450, 450]);
    expect(pages.slice(0, 4)).toEqual([100, 100, 100, 100]);
  });

  test('a tag, a name, a course and a state narrow each other', async () => {
    const tagged = await allOf('tag=b&limit=50');
    expect(tagged.ids).toHaveLength(150);
    expect(tagged.ids.every((id) => id.startsWith('account_b'))).toBe(true);
    expect((await allOf(`tag=b&course_id=${courseIds.limited}`)).ids.toSorted()).toEqual([
      'account_b1',
      'account_b4',
      'account_b7',
    ]);
    expect((await allOf(`tag=b&q=account_c&limit=50`)).ids).toEqual([]);
    expect((await allOf(`tag=b&course_id=${courseIds.paid}&state=lapsed`)).ids).toEqual([]);
  });

  test('lecturers find those of their own courses only', async () => {
    expect((await allOf('tag=b&limit=100', lecturer)).ids).toHaveLength(150);
    expect((await allOf(`tag=b&course_id=${courseIds.limited}`, lecturer)).ids).toEqual([]);
  });

  test('what few of many rows have is found in pages that may be short, and never endless', async () => {
    // More than 200 members match, few of them are students: every row is looked at.
    const outsiders = Array.from({ length: 250 }, (_, at) => `account_z${at}`);
    for (const id of outsiders) learning.school.join(id);
    const { body } = await learning.call('POST', '/api/students/bulk-enroll', {
      body: { member_ids: outsiders.slice(0, 3), course_id: courseIds.free },
    });
    expect(body.done).toBe(3);
    await learning.settled();
    expect((await allOf('tag=z&limit=2')).ids.toSorted()).toEqual(outsiders.slice(0, 3).toSorted());
  });
});

describe('students by what they have learnt', () => {
  let own: Learning;
  let since: string;
  const complete = async (name: string, enrollment: string, ...lessons: string[]) => {
    for (const lesson of lessons) {
      const path = `/api/account/enrollments/${enrollment}/lessons/lesson_${lesson}`;
      const { status } = await own.call('PUT', path, { as: memberToken(name), body: { state: 'completed' } });
      expect([lesson, status]).toEqual([lesson, 200]);
    }
  };
  /** One has learnt nothing, one two of five lessons, one other lessons of another course since. */
  beforeAll(async () => {
    own = await startLearning();
    const of = async (name: string) => (await own.enroll(name, 'taught')).body.id as string;
    await of('other');
    await complete('member', await of('member'), 'film');
    const enrolled = await of('enrolled');
    await complete('enrolled', enrolled, 'film');
    own.clock.advance(86_400_000);
    since = new Date(own.clock.now()).toISOString();
    own.clock.advance(1_000);
    await complete('enrolled', enrolled, 'preview');
    await own.settled();
  });
  afterAll(() => own.close());
  const names = async (query: string) => {
    const { status, body } = await own.call('GET', `/api/students?${query}`);
    expect(status).toBe(200);
    return body.data.map(({ id }: { id: string }) => id.replace('account_', '')).toSorted();
  };

  test.each<[string, string[]]>([
    ['min_percent=1', ['enrolled', 'member']],
    ['max_percent=0', ['other']],
    ['min_percent=21&max_percent=40', ['enrolled']],
    ['max_percent=20', ['member', 'other']],
    [`course_id=${courseIds.taught}&min_percent=20&max_percent=20`, ['member']],
    [`course_id=${courseIds.taught}&max_percent=20&q=other`, ['other']],
    [`course_id=${courseIds.paid}&max_percent=100`, []],
  ])('%s', async (query, expected) => expect(await names(query)).toEqual(expected));

  test('those who are inactive since a time learnt before it, or never', async () => {
    expect(await names(`inactive_since=${since}`)).toEqual(['member', 'other']);
    expect(await names('inactive_since=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await names(`inactive_since=${since}&max_percent=10`)).toEqual(['other']);
  });

  test('a percentage beyond 100 is refused', async () => {
    expect((await own.call('GET', '/api/students?min_percent=101')).body.error).toBe('validation_failed');
  });
});

describe('the export of students', () => {
  const read = async (query: string, sent: Sent = {}) => {
    const got = await learning.call('GET', `/api/students/export?${query}`, sent);
    return { ...got, rows: got.status === 200 ? (parse(got.body, { columns: true }) as Record<string, string>[]) : [] };
  };

  test('has a line for every enrollment, over all pages', async () => {
    const { headers, rows, body } = await read('');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="students.csv"');
    expect(body.endsWith('\r\n')).toBe(true);
    const keys = new Set(rows.map(({ member_id, course_id }) => `${member_id} ${course_id}`));
    expect([rows.length, keys.size]).toEqual([463, 463]);
    expect(rows.find(({ member_id }) => member_id === 'account_a0')).toMatchObject({
      name: 'Name of account_a0',
      email: 'account_a0@example.org',
      tags: 'a',
      course_title: 'paid',
      state: 'active',
      percent: '0',
      last_activity_at: '',
      completed_at: '',
    });
  });

  test('is filtered as the list is', async () => {
    expect((await read(`course_id=${courseIds.limited}`)).rows.map((row) => row['course_id'])).toEqual(
      Array.from({ length: 10 }, () => courseIds.limited),
    );
    expect((await read('tag=b')).rows).toHaveLength(153);
    expect((await read('limit=5')).status).toBe(400);
  });

  test('has own courses and masked addresses for lecturers, and nobody without a token', async () => {
    const { rows } = await read('', lecturer);
    expect(rows).toHaveLength(453);
    expect(rows.every(({ email }) => email === 'a***@example.org')).toBe(true);
    expect((await read('', { as: 'anonymous' })).rows).toEqual([]);
    expect((await read('', { as: 'anonymous' })).body).toMatch(/^member_id,name,email/);
  });

  test('HEAD has the headers and reads no page but the first', async () => {
    const { status, headers, body } = await learning.call('HEAD', '/api/students/export');
    expect([status, headers.get('content-type'), body]).toEqual([200, 'text/csv; charset=utf-8', undefined]);
  });

  test('503 at once when the names cannot be asked for', async () => {
    const alone = await startLearning({ ports: { ask: async () => Promise.reject(new Error('away')) } });
    try {
      await alone.enroll('member', 'free');
      await alone.settled();
      expect((await alone.call('GET', '/api/students/export')).body.error).toBe('temporarily_unavailable');
    } finally {
      await alone.close();
    }
  });
});

describe('a line of CSV', () => {
  const read = (line: string) => parse(line, { relax_column_count: true, record_delimiter: '\r\n' })[0];

  test.each(hostileFormulas)('%j is no formula any more', (text) => {
    expect(read(csvLine([text, 'x']))![0]).toBe(`'${text}`);
  });

  test('a number is one, also below 0; what is missing is an empty cell', () => {
    expect(csvLine([-5, 0, null, true])).toBe('-5,0,,true\r\n');
  });

  test('RFC 4180 §2: whatever stands in the cells is read back', () => {
    const cell = fc.string({ unit: 'grapheme' }).filter((text) => !/^\s*[=+\-@＋－＝＠]|^[\t\r\n]/u.test(text));
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2, maxLength: 5 }), (cells) => {
        expect(read(csvLine(cells))).toEqual(cells);
      }),
    );
  });
});
