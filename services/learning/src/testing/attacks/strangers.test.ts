import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { found } from '@lyceum/testkit';
import type { Got, Sent } from '@lyceum/testkit-service';
import { attemptStream } from '../../attempts/attempt.ts';
import { type Learning, courseIds, importOver, memberToken, startLearning } from '../../testing.ts';

/** What a stranger tries who knows every id: a member without access, a student of something else, another school. */
let learning: Learning;
/** What is the victim's. */
let enrollment: string;
let certificate: string;
let attempt: string;
let imported: string;
beforeAll(async () => {
  learning = await startLearning();
  enrollment = (await learning.enroll('enrolled', 'quizzed')).body.id;
  const answers = { q1: ['a'], q2: ['b'], q3: [] };
  const attempts = `/api/account/enrollments/${enrollment}/lessons/lesson_exam/attempts`;
  attempt = (await learning.call('POST', attempts, { as: victim, body: { answers } })).body.id;
  const right = { q1: ['b'], q2: ['a', 'c'], q3: ['a'] };
  await learning.call('POST', attempts, { as: victim, body: { answers: right } });
  certificate = await certified();
  const rows = [{ email: 'nobody at all', course_ids: [courseIds.free] }];
  imported = (await learning.call('POST', '/api/student_imports', { body: { rows } })).body.id;
  await importOver(learning, imported);
  for (let again = 0; again < 3; again += 1) await learning.enroll('other', 'free');
  await learning.settled();
});
afterAll(() => learning.close());

const victim = memberToken('enrolled');
const staff: TokenClaims = { role: 'owner', subject: 'account_owner' };
const strangers: Readonly<Record<string, Sent>> = {
  anonymous: { as: 'anonymous' },
  'a member': { as: memberToken('member') },
  'a student of another course': { as: memberToken('other') },
  'a member who claims staff scopes': { as: { role: 'member', subject: 'account_other' } },
  'a lecturer of other courses': { as: { role: 'lecturer', subject: 'account_other_lecturer' } },
  'the owner of another school': { as: staff, school: 'school_2' },
  'the same account id at another school': { as: memberToken('enrolled'), school: 'school_2' },
};

const certified = (): Promise<string> =>
  found(async () => {
    const { body } = await learning.call('GET', `/api/account/enrollments/${enrollment}`, { as: victim });
    return body.certificate_id ?? undefined;
  }, 'a certificate');

/** Every operation of the service that is asked with GET, as its description says. */
const reads = (): readonly string[] => {
  const { paths } = learning.started.openapi as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(paths).flatMap(([path, methods]) => ('get' in methods ? [path] : []));
};

/** The path with what is the victim's in it. */
const ofVictim = (path: string): string =>
  path
    .replace('{student}', 'account_enrolled')
    .replace('{enrollment}', enrollment)
    .replace('{certificate}', certificate)
    .replace('{import}', imported)
    .replace('{lesson}', 'lesson_exam');

/** What nobody else may learn: who the victim is, and what they have. */
const secrets = (): readonly string[] => ['account_enrolled', enrollment, certificate, attempt, imported];
const told = (got: Got): readonly string[] => {
  const text = JSON.stringify([got.body ?? '', ...got.headers]);
  return secrets().filter((secret) => text.includes(secret));
};

/** Everything but the public page of a certificate, whose code is given away on purpose. */
const secretReads = () => reads().filter((path) => !path.startsWith('/certificates/'));

const queries: readonly string[] = [
  '',
  '?expand=enrollments,member,course,grants,questions',
  '?fields=id,email,name,member_id,right,grants,code',
  '?filter[member_id]=account_enrolled',
  '?member_id=account_enrolled&ids=account_enrolled',
  '?ids=account_enrolled',
  '?q=enrolled',
  '?sort=email',
  '?view=staff&role=owner&school=school_1',
  '?limit=100&state=active&tag=e',
];

describe('a stranger who knows every id', () => {
  test('the operations are those of the description, and the victim and the staff read them', async () => {
    const known = secretReads().filter((path) => !ofVictim(path).includes('{'));
    expect(known.length).toBeGreaterThan(10);
    const answers = await Promise.all(
      known.map((path) => {
        const as = path.startsWith('/api/account/') ? victim : staff;
        return learning.call('GET', ofVictim(path), { as });
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.filter((each) => told(each).length > 0).length).toBeGreaterThan(8);
  });

  test.each(Object.entries(strangers))('%s learns nothing of the victim, however it is asked', async (_, sent) => {
    for (const path of secretReads())
      for (const query of queries) {
        const got = await learning.call('GET', `${ofVictim(path)}${query}`, sent);
        expect([path, query, got.status < 500, told(got)]).toEqual([path, query, true, []]);
      }
  });

  test.each(Object.entries(strangers))(
    '%s gets no further by a cursor of the staff or of the victim',
    async (_, sent) => {
      for (const path of secretReads()) {
        const as = path.startsWith('/api/account/') ? victim : staff;
        const first = await learning.call('GET', `${ofVictim(path)}?limit=1`, { as });
        const cursor = first.body?.next_cursor;
        if (typeof cursor !== 'string') continue;
        const got = await learning.call('GET', `${ofVictim(path)}?limit=1&cursor=${cursor}`, sent);
        expect([path, told(got)]).toEqual([path, []]);
        const flipped = `${cursor.slice(0, -2)}${cursor.endsWith('AA') ? 'BB' : 'AA'}`;
        for (const bad of [flipped, `${cursor}x`, cursor.slice(1), 'x', '%00']) {
          const altered = await learning.call('GET', `${ofVictim(path)}?limit=1&cursor=${bad}`, { as });
          expect([path, bad, altered.status]).toEqual([path, bad, 400]);
        }
      }
    },
  );

  test('a cursor of one list opens no other, nor the same one with other filters', async () => {
    const { body } = await learning.call('GET', '/api/students?limit=1');
    expect(body.next_cursor).toEqual(expect.any(String));
    for (const list of [`/api/students?limit=1&course_id=${courseIds.free}`, '/api/student_imports?limit=1']) {
      const got = await learning.call('GET', `${list}&cursor=${body.next_cursor}`);
      expect([list, got.status, got.body.error]).toEqual([list, 400, 'invalid_request']);
    }
  });
});

describe('an Idempotency-Key of somebody else', () => {
  const headers = { 'idempotency-key': 'a-key-that-leaked' };
  const body = { course_id: courseIds.limited };
  const enroll = (sent: Sent) => learning.call('POST', '/api/account/enrollments', { ...sent, headers, body });

  test('gives nothing of what they got: the same request is the sender’s own, at each school', async () => {
    const first = await enroll({ as: victim });
    expect([first.status, first.body.object]).toEqual([201, 'enrollment']);
    const other = await enroll({ as: memberToken('other') });
    expect(other.status).toBe(201);
    expect(other.body.id).not.toBe(first.body.id);
    expect((await enroll({ as: victim, school: 'school_2' })).body.error).toBe('validation_failed');
    expect((await enroll({ as: 'anonymous' })).body.error).toBe('access_denied');
    const again = await enroll({ as: victim });
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
  });

  test('opens nothing that the role does not: the answer of the staff is not given again', async () => {
    const path = '/api/students/account_enrolled/enrollments';
    const sent = { headers, body: { course_id: courseIds.seats } };
    expect((await learning.call('POST', path, { ...sent, as: staff })).status).toBe(201);
    for (const as of [victim, { role: 'lecturer', subject: 'account_lecturer' } as const, 'anonymous' as const]) {
      const got = await learning.call('POST', path, { ...sent, as });
      expect([got.status, 'grants' in got.body]).toEqual([403, false]);
    }
  });
});

describe('ids that are none of the kind', () => {
  /** What stands in the log and in paths, and is no enrollment, student, certificate or import. */
  const foreign = (): readonly string[] => [
    certificate,
    attempt,
    imported,
    attemptStream({ enrollment_id: enrollment, lesson_id: 'lesson_exam', round: 0 }),
    courseIds.quizzed,
    'unique/certificate_code/x',
    'unique%2Fcertificate_code%2Fx',
    '..%2f..%2fapi%2fstudents',
    '__proto__',
    'constructor',
    '%00',
    '%F0%9F%98%80',
    'x'.repeat(2_000),
    "' OR 1=1 --",
    '*',
  ];

  test('are 404 or refused wherever an id stands, to the victim and to the staff', async () => {
    for (const path of secretReads().filter((each) => each.includes('{')))
      for (const name of [...path.matchAll(/\{(\w+)\}/g)].map(([, each]) => each!))
        for (const id of foreign()) {
          const place = ofVictim(path.replace(`{${name}}`, encodeURIComponent('@@'))).replace('%40%40', id);
          if (place === ofVictim(path)) continue;
          const as = path.startsWith('/api/account/') ? victim : staff;
          const { status, body } = await learning.call('GET', place, { as });
          // A lesson that is none has no attempts.
          const isEmpty = status === 200 && Array.isArray(body.data) && body.data.length === 0;
          expect([place, isEmpty || [400, 404, 422].includes(status)]).toEqual([place, true]);
        }
  });
});

describe('bodies beyond measure', () => {
  const attempts = () => `/api/account/enrollments/${enrollment}/lessons/lesson_practice/attempts`;
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

  test.each<[string, () => unknown, number]>([
    ['more than any body may have', () => ({ answers: { q1: ['x'.repeat(2_000_000)] } }), 413],
    [
      'thousands of questions',
      () => ({ answers: Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`q${n}`, []])) }),
      422,
    ],
    ['thousands of choices', () => ({ answers: { q1: Array.from({ length: 2_000 }, () => 'a') } }), 422],
    ['nesting without an end', () => `{"answers":${deep}}`, 422],
    ['a prototype', () => '{"answers":{"__proto__":["a"],"constructor":["b"]}}', 422],
    ['no JSON', () => '{"answers":', 400],
  ])('%s: refused, and not counted as an attempt', async (_, body, status) => {
    const got = await learning.call('POST', attempts(), { as: victim, body: body() });
    expect([got.status, typeof got.body.error]).toEqual([status, 'string']);
    const listed = await learning.call('GET', attempts(), { as: victim });
    expect(listed.body.data).toEqual([]);
  });

  test('rows of an import: too many and too long', async () => {
    const send = (rows: readonly object[]) => learning.call('POST', '/api/student_imports', { body: { rows } });
    expect((await send(Array.from({ length: 5_001 }, (_, n) => ({ email: `a${n}@b.org` })))).status).toBe(422);
    expect((await send([{ email: `a@b.org`, name: 'x'.repeat(1_100_000) }])).status).toBe(413);
  });
});
