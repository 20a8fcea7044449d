import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { found } from '@lyceum/testkit';
import type { Sent } from '@lyceum/testkit-service';
import { type Learning, courseIds, fileIds, importOver, memberToken, productIds, startLearning } from '../testing.ts';

let learning: Learning;
let enrollment: string;
let taught: string;
let imported: string;
let release: () => void;
let quizzed: string;
let certificate: string;
beforeAll(async () => {
  learning = await startLearning();
  const made = await learning.enroll('enrolled', 'paid');
  enrollment = made.body.id;
  taught = (await learning.enroll('enrolled', 'taught')).body.id;
  await learning.give('enrolled', 'paid');
  const begun = await learning.call('POST', '/api/student_imports', { body: { rows: [{ email: '' }] } });
  imported = begun.body.id;
  quizzed = (await learning.enroll('enrolled', 'quizzed')).body.id;
  certificate = await certifiedBy(quizzed);
  await learning.settled();
  await importOver(learning, imported);
  release = learning.school.hold();
});
afterAll(async () => {
  release();
  await learning.close();
});

const answers = { q1: ['b'], q2: ['a', 'c'], q3: ['a'] };

/** Passes the exam for the enrolled member, and gives the id of the certificate that follows. */
async function certifiedBy(id: string): Promise<string> {
  const sent = { as: memberToken('enrolled'), body: { answers } };
  await learning.call('POST', `/api/account/enrollments/${id}/lessons/lesson_exam/attempts`, sent);
  return found(async () => {
    const { body: read } = await learning.call('GET', `/api/account/enrollments/${id}`, { as: sent.as });
    return read.certificate_id ?? undefined;
  }, 'a certificate');
}

/** The code of the enrolled member's certificate, as it is given to anybody. */
async function codeOfEnrolled(): Promise<string> {
  const { body: list } = await learning.call('GET', '/api/account/certificates', { as: memberToken('enrolled') });
  return list.data[0].code;
}

type Caller = readonly [name: string, sent: Sent];

const as = (claims: TokenClaims): Sent => ({ as: claims });

const callers = {
  anonymous: { as: 'anonymous' },
  member: as(memberToken('member')),
  'enrolled member': as(memberToken('enrolled')),
  // Whatever a token says: a role that may not is refused.
  'member with staff scopes': as({ role: 'member', subject: 'account_enrolled' }),
  'lecturer own': as({ role: 'lecturer', subject: 'account_lecturer' }),
  'lecturer other': as({ role: 'lecturer', subject: 'account_other_lecturer' }),
  admin: as({ role: 'admin', subject: 'account_admin' }),
  owner: as({ role: 'owner', subject: 'account_owner' }),
  'other school': { as: { role: 'owner', subject: 'account_owner' }, school: 'school_2' },
} satisfies Readonly<Record<string, Sent>>;

type Expected = Readonly<Record<keyof typeof callers, number | string>>;

const staffWrite = {
  anonymous: 'access_denied',
  member: 'insufficient_scope',
  'enrolled member': 'insufficient_scope',
  'member with staff scopes': 'access_denied',
  'lecturer own': 'access_denied',
  'lecturer other': 'access_denied',
  'other school': 'not_found',
} as const;

/** What is the enrolled member's and nobody else's, whatever they may do. */
const ofEnrolled = {
  anonymous: 'access_denied',
  member: 'not_found',
  'enrolled member': 200,
  'member with staff scopes': 200,
  'lecturer own': 'not_found',
  'lecturer other': 'not_found',
  admin: 'not_found',
  owner: 'not_found',
  'other school': 'not_found',
} as const;

/** What lecturers read of their own courses, and heads of all. */
const ofStudent = {
  ...staffWrite,
  anonymous: 'not_found',
  'lecturer own': 200,
  'lecturer other': 'not_found',
  admin: 200,
  owner: 200,
} as const;

const everybody = {
  anonymous: 200,
  member: 200,
  'enrolled member': 200,
  'member with staff scopes': 200,
  'lecturer own': 200,
  'lecturer other': 200,
  admin: 200,
  owner: 200,
  'other school': 200,
} as const;

/** What everybody has of their own, be it nothing. */
const ofOneself = { ...everybody, anonymous: 'access_denied' } as const;

/** What whoever knows of it may read, at its school. */
const ofAnybody = { ...everybody, 'other school': 'not_found' } as const;

const body = { course_id: courseIds.free };
const given = `/api/students/account_enrolled/digital_products/${productIds.paid}`;
let people = 0;

/** Every operation, and what comes of it for whom. */
const table: readonly [string, string, () => string | Promise<string>, (() => object) | undefined, Expected][] = [
  [
    'attemptQuiz',
    'POST',
    () => `/api/account/enrollments/${quizzed}/lessons/lesson_practice/attempts`,
    () => ({ answers }),
    { ...ofEnrolled, 'enrolled member': 201, 'member with staff scopes': 201 },
  ],
  [
    'listOwnAttempts',
    'GET',
    () => `/api/account/enrollments/${quizzed}/lessons/lesson_exam/attempts`,
    undefined,
    ofEnrolled,
  ],
  [
    'listStudentAttempts',
    'GET',
    () => `/api/students/account_enrolled/enrollments/${quizzed}/attempts`,
    undefined,
    ofStudent,
  ],
  ['verifyCertificate', 'GET', async () => `/certificates/${await codeOfEnrolled()}`, undefined, ofAnybody],
  ['listOwnCertificates', 'GET', () => '/api/account/certificates', undefined, ofOneself],
  [
    'getStudentCertificate',
    'GET',
    () => `/api/students/account_enrolled/certificates/${certificate}`,
    undefined,
    ofStudent,
  ],
  [
    'revokeCertificate',
    'POST',
    () => `/api/students/account_enrolled/certificates/${certificate}/revoke`,
    undefined,
    { ...staffWrite, admin: 200, owner: 200 },
  ],
  [
    'listStudents',
    'GET',
    () => '/api/students',
    undefined,
    {
      ...staffWrite,
      anonymous: 200,
      'lecturer own': 200,
      'lecturer other': 200,
      admin: 200,
      owner: 200,
      'other school': 200,
    },
  ],
  [
    'getStudent',
    'GET',
    () => '/api/students/account_enrolled',
    undefined,
    {
      ...staffWrite,
      anonymous: 'not_found',
      'lecturer own': 200,
      'lecturer other': 'not_found',
      admin: 200,
      owner: 200,
    },
  ],
  [
    'getStudentEnrollment',
    'GET',
    () => `/api/students/account_enrolled/enrollments/${enrollment}`,
    undefined,
    {
      ...staffWrite,
      anonymous: 'not_found',
      'lecturer own': 200,
      'lecturer other': 'not_found',
      admin: 200,
      owner: 200,
    },
  ],
  [
    'exportStudents',
    'GET',
    () => '/api/students/export',
    undefined,
    {
      ...staffWrite,
      anonymous: 200,
      'lecturer own': 200,
      'lecturer other': 200,
      admin: 200,
      owner: 200,
      'other school': 200,
    },
  ],
  [
    'addStudent',
    'POST',
    () => '/api/students',
    () => ({ email: 'new@example.org' }),
    { ...staffWrite, admin: 201, owner: 200, 'other school': 200 },
  ],
  [
    'bulkEnrollStudents',
    'POST',
    () => '/api/students/bulk-enroll',
    () => ({ member_ids: ['account_enrolled'], course_id: courseIds.paid }),
    { ...staffWrite, admin: 200, owner: 200, 'other school': 'validation_failed' },
  ],
  [
    'bulkRevokeStudents',
    'POST',
    () => '/api/students/bulk-revoke',
    () => ({ member_ids: ['account_nobody'], course_id: courseIds.paid }),
    { ...staffWrite, admin: 200, owner: 200, 'other school': 200 },
  ],
  [
    'importStudents',
    'POST',
    () => '/api/student_imports',
    () => ({ rows: [{ email: 'new@example.org' }] }),
    { ...staffWrite, admin: 202, owner: 'import_running', 'other school': 202 },
  ],
  [
    'listStudentImports',
    'GET',
    () => '/api/student_imports',
    undefined,
    {
      ...staffWrite,
      anonymous: 200,
      'lecturer own': 'access_denied',
      'lecturer other': 'access_denied',
      admin: 200,
      owner: 200,
      'other school': 200,
    },
  ],
  [
    'getStudentImport',
    'GET',
    () => `/api/student_imports/${imported}`,
    undefined,
    {
      ...staffWrite,
      anonymous: 'not_found',
      admin: 200,
      owner: 200,
    },
  ],
  [
    'listStudentImportErrors',
    'GET',
    () => `/api/student_imports/${imported}/errors`,
    undefined,
    {
      ...staffWrite,
      anonymous: 'not_found',
      admin: 200,
      owner: 200,
    },
  ],
  [
    'cancelStudentImport',
    'POST',
    () => `/api/student_imports/${imported}/cancel`,
    undefined,
    { ...staffWrite, admin: 'invalid_state', owner: 'invalid_state' },
  ],
  [
    'enrollStudent',
    'POST',
    () => `/api/students/account_${people % 2 === 0 ? 'other' : 'member'}/enrollments`,
    () => (people++, body),
    { ...staffWrite, admin: 201, owner: 201 },
  ],
  [
    'extendEnrollment',
    'PATCH',
    () => `/api/students/account_enrolled/enrollments/${enrollment}`,
    () => ({ expires_at: null }),
    { ...staffWrite, admin: 200, owner: 200 },
  ],
  [
    'listOwnEnrollments',
    'GET',
    () => '/api/account/enrollments',
    undefined,
    {
      anonymous: 'access_denied',
      member: 200,
      'enrolled member': 200,
      'member with staff scopes': 200,
      'lecturer own': 200,
      'lecturer other': 200,
      admin: 200,
      owner: 200,
      'other school': 200,
    },
  ],
  ['getOwnEnrollment', 'GET', () => `/api/account/enrollments/${enrollment}`, undefined, ofEnrolled],
  [
    'enroll',
    'POST',
    () => '/api/account/enrollments',
    () => ({ course_id: courseIds.limited }),
    {
      anonymous: 'access_denied',
      member: 201,
      'enrolled member': 201,
      'member with staff scopes': 'already_granted',
      'lecturer own': 201,
      'lecturer other': 201,
      admin: 201,
      owner: 201,
      'other school': 'validation_failed',
    },
  ],
  ['listOwnDownloads', 'GET', () => '/api/account/downloads', undefined, ofOneself],
  [
    'issueDownload',
    'POST',
    () => '/api/account/downloads',
    () => ({ product_id: productIds.paid, file_id: fileIds.only }),
    {
      anonymous: 'access_denied',
      member: 'access_denied',
      'enrolled member': 201,
      'member with staff scopes': 201,
      'lecturer own': 'access_denied',
      'lecturer other': 'access_denied',
      admin: 'access_denied',
      owner: 'access_denied',
      'other school': 'not_found',
    },
  ],
  [
    'listStudentProducts',
    'GET',
    () => '/api/students/account_enrolled/digital_products',
    undefined,
    { ...ofStudent, anonymous: 200, 'lecturer other': 200, 'other school': 200 },
  ],
  ['getStudentProduct', 'GET', () => given, undefined, ofStudent],
  [
    'giveProduct',
    'POST',
    () => `/api/students/account_${people % 2 === 0 ? 'other' : 'member'}/digital_products`,
    () => (people++, { product_id: productIds.free }),
    { ...staffWrite, admin: 201, owner: 201 },
  ],
  ['extendProduct', 'PATCH', () => given, () => ({ expires_at: null }), { ...staffWrite, admin: 200, owner: 200 }],
  ['revokeProduct', 'DELETE', () => given, undefined, { ...staffWrite, admin: 200, owner: 200 }],
  ['listOwnLessons', 'GET', () => `/api/account/enrollments/${taught}/lessons`, undefined, ofEnrolled],
  [
    'learn',
    'PUT',
    () => `/api/account/enrollments/${taught}/lessons/lesson_film`,
    () => ({ state: 'completed' }),
    ofEnrolled,
  ],
  [
    'resetProgress',
    'POST',
    () => `/api/students/account_enrolled/enrollments/${taught}/progress-reset`,
    undefined,
    { ...staffWrite, admin: 200, owner: 200 },
  ],
  [
    'revokeEnrollment',
    'DELETE',
    () => `/api/students/account_enrolled/enrollments/${enrollment}`,
    undefined,
    { ...staffWrite, admin: 200, owner: 200 },
  ],
];

describe('who may do what', () => {
  test.each(table)('%s', async (_, method, path, sends, expected) => {
    const all: Record<string, number | string> = {};
    for (const [name, sent] of Object.entries(callers) as Caller[]) {
      const got = await learning.call(method, await path(), { ...sent, ...(sends ? { body: sends() } : {}) });
      all[name] = got.body?.error ?? got.status;
    }
    expect(all).toEqual(expected);
  });

  test('the table has every operation', () => {
    const described = learning.started.openapi as { paths: Record<string, Record<string, { operationId?: string }>> };
    const ids = Object.values(described.paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(ids.toSorted()).toEqual(table.map(([id]) => id).toSorted());
  });
});

describe('who sees what', () => {
  test('nobody without a token learns of any student', async () => {
    const { status, body: list } = await learning.call('GET', '/api/students', { as: 'anonymous' });
    expect([status, list]).toMatchObject([200, { data: [], has_more: false, view: 'anonymous' }]);
  });

  test('another school has no students of this one', async () => {
    expect((await learning.call('GET', '/api/students', callers['other school'])).body.data).toEqual([]);
  });

  test('lecturers see the students of their own courses, with what is theirs of it, and masked addresses', async () => {
    await learning.enroll('enrolled', 'seats');
    await learning.enroll('other', 'seats');
    await learning.settled();
    const read = async (sent: Sent, query = '') =>
      (await learning.call('GET', `/api/students${query}`, sent)).body.data;
    const own = await read(callers['lecturer own']);
    const [student] = own.filter(({ id }: { id: string }) => id === 'account_enrolled');
    expect(student).toMatchObject({ name: 'Name of account_enrolled', email: 'a***@example.org' });
    const courses = (each: { enrollments: { course_id: string }[] }) =>
      each.enrollments.map(({ course_id }) => course_id);
    expect(own.flatMap(courses)).not.toContain(courseIds.seats);
    expect(await read(callers['lecturer own'], `?course_id=${courseIds.seats}`)).toEqual([]);
    expect(await read(callers['lecturer other'])).toEqual([]);
    const whole = await read(callers.admin, `?course_id=${courseIds.seats}`);
    expect(whole.map(({ id }: { id: string }) => id).toSorted()).toEqual(['account_enrolled', 'account_other']);
    expect(whole[0].email).toMatch(/^account_\w+@example\.org$/);
  });

  test('lecturers see whole addresses where the school allows it', async () => {
    const members = [{ id: 'account_enrolled', name: 'Ada', email: 'ada@example.org' }];
    const ask = async (service: string, question: Readonly<Record<string, unknown>>) =>
      service === 'school' ? { members, student_email_to_lecturers: true } : { courses: question && [courseIds.paid] };
    const open = await startLearning({ ports: { ask } });
    try {
      await open.enroll('enrolled', 'paid');
      await open.settled();
      const { body } = await open.call('GET', '/api/students', callers['lecturer own']);
      expect(body.data).toEqual([expect.objectContaining({ id: 'account_enrolled', email: 'ada@example.org' })]);
    } finally {
      await open.close();
    }
  });

  test('a member sees no grants of theirs, and no other member’s enrollments', async () => {
    const { body: list } = await learning.call('GET', '/api/account/enrollments', callers['enrolled member']);
    for (const each of list.data) expect(Object.keys(each)).not.toContain('grants');
    expect(list.data.length).toBeGreaterThan(0);
    const { body: admin } = await learning.call('GET', '/api/account/enrollments?ids=' + enrollment, callers.admin);
    expect(admin.data).toEqual([]);
  });
});
