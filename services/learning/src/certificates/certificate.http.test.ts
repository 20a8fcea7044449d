import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeErasure } from '@lyceum/service';
import { found, until } from '@lyceum/testkit';
import type { Sent } from '@lyceum/testkit-service';
import { disagreements } from '@lyceum/web';
import { FakeSchool, type Learning, courseIds, memberToken, startLearning } from '../testing.ts';
import { certificateRejections } from './certificate.staff.ts';

let learning: Learning;
beforeAll(async () => void (learning = await startLearning()));
afterAll(() => learning.close());

const meta = { actor: 'system' };

/** A member who passes the exam of a course, and what comes of it. */
async function graduate(name: string, on = learning, course: keyof typeof courseIds = 'quizzed') {
  on.school.join(`account_${name}`);
  await on.publish('school', { type: 'MemberJoined', data: { member_id: `account_${name}`, role: 'member' } });
  await on.settled();
  const enrollment: string = (await on.enroll(name, course)).body.id;
  const as = memberToken(name);
  const body = { answers: { q1: ['b'], q2: ['a', 'c'], q3: ['a'] } };
  const own = `/api/account/enrollments/${enrollment}`;
  const passed = await on.call('POST', `${own}/lessons/lesson_exam/attempts`, { as, body });
  const read = async () => (await on.call('GET', own, { as })).body;
  return {
    enrollment,
    passed,
    read,
    certified: () => found(async () => ((await read()).certificate_id as string | null) ?? undefined, 'a certificate'),
    async list(sent: Sent = { as }) {
      await on.settled();
      return (await on.call('GET', '/api/account/certificates', sent)).body.data;
    },
  };
}

const verify = (code: string, sent: Sent = { as: 'anonymous' }, on = learning) =>
  on.call('GET', `/certificates/${code}`, sent);

describe('a certificate', () => {
  test('rejects with the statuses of the error table', () => expect(disagreements(certificateRejections)).toEqual([]));

  test('is issued when the course is completed, listed to its holder, and verified by anybody', async () => {
    const { enrollment, certified, list, read } = await graduate('ana');
    const id = await certified();
    const [certificate, ...more] = await list();
    expect(more).toEqual([]);
    expect(certificate).toMatchObject({
      id,
      object: 'certificate',
      enrollment_id: enrollment,
      course_id: courseIds.quizzed,
      name: 'Name of account_ana',
      course_title: 'Paper lanterns',
      completed_on: '2026-01-05',
      valid: true,
      url: `/certificates/${certificate.code}`,
      view: 'member',
    });
    expect(certificate).not.toHaveProperty('member_id');
    expect(certificate.code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/);
    const { status, body, headers } = await verify(certificate.code);
    expect([status, body]).toEqual([
      200,
      {
        object: 'verified_certificate',
        code: certificate.code,
        name: 'Name of account_ana',
        course_title: 'Paper lanterns',
        completed_on: '2026-01-05',
        issued_at: certificate.issued_at,
        valid: true,
        revoked_at: null,
      },
    ]);
    expect(headers.get('cache-control')).toContain('no-store');
    for (const typed of [certificate.code.replaceAll('-', ''), certificate.code.toLowerCase()])
      expect((await verify(typed)).body).toEqual(body);
    expect((await verify(certificate.code, { as: memberToken('other') })).body).toEqual(body);
    await learning.settled();
    const listed = await learning.call('GET', '/api/account/enrollments', { as: memberToken('ana') });
    expect(listed.body.data[0].certificate_id).toBe(id);
    expect((await read()).certificate_id).toBe(id);
  });

  test('nobody has: unknown codes, what is no code, and codes of another school', async () => {
    const { certified, list } = await graduate('ben');
    await certified();
    const [{ code }] = await list();
    const others = ['0'.repeat(20), 'x', `${code}0`, code.slice(1), '%00', "'--", 'certificate_1'];
    for (const other of others) expect((await verify(other)).body.error).toBe('not_found');
    expect((await verify(code, { as: 'anonymous', school: 'school_2' })).body.error).toBe('not_found');
    expect((await verify(code, { token: 'no token at all' })).body.error).toBe('invalid_token');
    expect(await list({ as: memberToken('nobody') })).toEqual([]);
    expect(await list({ as: { role: 'owner', subject: 'account_owner' } })).toEqual([]);
  });

  test('is issued once, also when the course is completed again after a reset', async () => {
    const { enrollment, certified, list } = await graduate('cleo');
    const id = await certified();
    const at = `/api/students/account_cleo/enrollments/${enrollment}`;
    await learning.call('POST', `${at}/progress-reset`);
    const body = { answers: { q1: ['b'], q2: ['a', 'c'], q3: ['a'] } };
    const path = `/api/account/enrollments/${enrollment}/lessons/lesson_exam/attempts`;
    expect((await learning.call('POST', path, { as: memberToken('cleo'), body })).body.passed).toBe(true);
    // By the time that another one is there, this one would have been, too.
    await (await graduate('dora')).certified();
    expect((await list()).map((each: { id: string }) => each.id)).toEqual([id]);
    const { commits } = await learning.log.load('school_1', [enrollment]);
    const types = commits.flatMap(({ events }) => events.map(({ type }) => type));
    expect(types.filter((type) => type === 'EnrollmentCompleted')).toHaveLength(2);
    expect(types.filter((type) => type === 'EnrollmentCertified')).toHaveLength(1);
  });

  test('is not issued where the course has none', async () => {
    const school = new FakeSchool();
    const none: FakeSchool['answer'] = (service, question) =>
      question['kind'] === 'certificate-of-course'
        ? Promise.resolve({ certificate: question['school'] === 'nowhere', title: 'Plain' })
        : school.answer(service, question);
    const asked: string[] = [];
    const ask: FakeSchool['answer'] = (service, question) => {
      asked.push(String(question['kind']));
      return none(service, question);
    };
    const own = await startLearning({ school, ports: { ask } });
    try {
      const { read, list } = await graduate('ana', own);
      await until(() => asked.includes('certificate-of-course'));
      expect(await list()).toEqual([]);
      expect((await read()).certificate_id).toBeNull();
      expect(asked).not.toContain('members-by-id');
    } finally {
      await own.close();
    }
  });

  test('waits for the neighbours that it needs: the day is the one of the completion, in the school’s calendar', async () => {
    const school = new FakeSchool();
    let left = 2;
    const ask: FakeSchool['answer'] = (service, question) =>
      question['kind'] === 'certificate-of-course' && left-- > 0
        ? Promise.reject(new Error('away'))
        : school.answer(service, question);
    const own = await startLearning({ timezone: 'Asia/Seoul', school, ports: { ask } });
    try {
      // In Seoul it is the next day by then.
      own.clock.advance(8 * 3_600_000);
      const { certified, list } = await graduate('ana', own);
      await certified();
      expect((await list())[0]).toMatchObject({ completed_on: '2026-01-06' });
      expect(left).toBeLessThan(0);
    } finally {
      await own.close();
    }
  });
});

describe('revoking', () => {
  test('is told to whoever verifies, and lasts', async () => {
    const { certified, list } = await graduate('eve');
    const at = `/api/students/account_eve/certificates/${await certified()}`;
    const read = await learning.call('GET', at);
    expect(read.body).toMatchObject({ member_id: 'account_eve', valid: true, version: 1, view: 'staff' });
    const revoked = await learning.call('POST', `${at}/revoke`);
    expect([revoked.status, revoked.body.valid, revoked.headers.get('etag')]).toEqual([200, false, '"2"']);
    expect((await learning.call('POST', `${at}/revoke`)).body).toEqual(revoked.body);
    const [{ code, valid, revoked_at }] = await list();
    expect([valid, revoked_at]).toEqual([false, revoked.body.revoked_at]);
    expect((await verify(code)).body).toMatchObject({ valid: false, revoked_at });
  });

  test('needs the student that it is of', async () => {
    const { certified } = await graduate('finn');
    const id = await certified();
    for (const path of [`/api/students/account_eve/certificates/${id}`, '/api/students/account_finn/certificates/x'])
      expect((await learning.call('POST', `${path}/revoke`)).body.error).toBe('not_found');
    const sent = { as: { role: 'owner', subject: 'account_owner' }, school: 'school_2' } as const;
    expect((await learning.call('GET', `/api/students/account_finn/certificates/${id}`, sent)).status).toBe(404);
  });
});

describe('a holder who is erased', () => {
  test('leaves no certificate: not by its code, not to the staff, and no name in the log', async () => {
    const { certified, list } = await graduate('gil');
    const id = await certified();
    const [{ code, issued_at: at }] = await list();
    const subject = 'account_gil';
    await learning.vault.destroy('school_1', subject);
    await writeErasure(learning.log, { school: 'school_1', subject, meta, at });
    await learning.settled();
    expect((await verify(code)).body.error).toBe('not_found');
    expect((await learning.call('GET', `/api/students/${subject}/certificates/${id}`)).body.error).toBe('not_found');
    expect(await list()).toEqual([]);
    const { commits } = await learning.log.load('school_1', [id]);
    const [issued] = commits.flatMap(({ events }) => events.filter(({ type }) => type === 'CertificateIssued'));
    expect(issued?.data).toMatchObject({ name: null, title: 'Paper lanterns' });
  });

  test('gets none any more for what was completed just before', async () => {
    const school = new FakeSchool();
    let isErased = false;
    const ask: FakeSchool['answer'] = async (service, question) => {
      if (question['kind'] === 'members-by-id' && !isErased) {
        isErased = true;
        await own.vault.destroy('school_1', 'account_ana');
      }
      return school.answer(service, question);
    };
    const own = await startLearning({ school, ports: { ask } });
    try {
      const { list, read } = await graduate('ana', own);
      await until(() => isErased);
      await (await graduate('ben', own)).certified();
      expect(await list()).toEqual([]);
      expect((await read()).certificate_id).toBeNull();
    } finally {
      await own.close();
    }
  });
});
