import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Person, call } from '@lyceum/testkit';
import { setTimeout as delay } from 'node:timers/promises';
import { findOpenByEmail } from '../domain/accounts/account-registry.ts';
import { emailOf, setMemberStatus } from '../testing/test-auth.ts';
import { linkIn } from '../testing/test-mails.ts';
import { type TestExports, filesIn, startExports } from '../testing/test-exports.ts';

const day = 24 * 60 * 60_000;

let on: TestExports;
beforeEach(async () => void (on = await startExports()));
afterEach(() => on.close());

describe('the link of an export', () => {
  test('opens a page, and its button sends all that is known: every service, each file whole, with an index', async () => {
    const at200 = Array.from({ length: 200 }, (_, number) => ({ number }));
    on.answers.set('learning', async ({ from, subject }) => {
      if (from === null) return { file: 'progress', records: at200, next: { file: 'progress', after: '199' } };
      return { file: 'progress', records: [{ number: 200, subject }], next: null };
    });
    on.answers.set('school', async () => ({ file: 'member', records: [{ name: 'Zoë "Z" <b>' }], next: null }));
    const link = await on.linkOf('member');
    const answer = await on.download(link);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="account-2026-01-05.zip"');
    expect(answer.headers.get('cache-control')).toBe('no-store, no-transform');
    const files = await filesIn(answer);
    expect([...files.keys()]).toEqual([
      'README.txt',
      'auth/account.json',
      'auth/connected-apps.json',
      'auth/sessions.json',
      'auth/export-request.json',
      'learning/progress.json',
      'school/member.json',
      'index.json',
    ]);
    const member = await on.idOf('member');
    const listed = (name: string) => JSON.parse(files.get(name)!) as unknown[];
    expect(listed('auth/account.json')).toMatchObject([{ id: member, email: emailOf('member'), name: 'The member' }]);
    expect(listed('auth/connected-apps.json')).toMatchObject([{ client_id: on.client.id }]);
    expect(listed('auth/sessions.json')).toMatchObject([{ address: '192.0.2.1' }]);
    expect(listed('auth/export-request.json')).toMatchObject([{ requested_at: '2026-01-05T08:00:00.000Z' }]);
    expect(listed('learning/progress.json')).toEqual([...at200, { number: 200, subject: member }]);
    expect(listed('school/member.json')).toEqual([{ name: 'Zoë "Z" <b>' }]);
    expect(JSON.parse(files.get('index.json')!)).toEqual({
      object: 'account_export',
      school_id: on.auth.school.id,
      account_id: member,
      exported_at: '2026-01-05T08:00:00.000Z',
      records: {
        'auth/account.json': 1,
        'auth/connected-apps.json': 1,
        'auth/sessions.json': 1,
        'auth/export-request.json': 1,
        'learning/progress.json': 201,
        'school/member.json': 1,
      },
    });
    expect(files.get('README.txt')).toContain('All that Test School keeps about you, as of 2026-01-05 08:00 (UTC).');
    expect([...files.values()].join('\n')).not.toMatch(/argon2|password_hash|email_key/);
    // As often as wanted.
    expect((await filesIn(await on.download(link))).size).toBe(files.size);
  });

  test('works for members who are suspended: they may know what is known of them', async () => {
    const link = await on.linkOf('member');
    await setMemberStatus(on.auth.ports, on.auth.school.id, await on.idOf('member'), {
      role: 'member',
      status: 'suspended',
    });
    expect((await filesIn(await on.download(link))).has('auth/account.json')).toBe(true);
  });

  test('is none when it is altered, cut, of another kind or of another school: 404, without telling what there is', async () => {
    const link = await on.linkOf('member');
    const token = await on.tokenOf('member');
    await call(`${on.auth.school.url}/api/account/email`, {
      method: 'POST',
      token,
      json: { email: emailOf('member') },
    });
    const verify = linkIn((await on.letters.sent()).at(-1)!).replace('/oauth/verify-email', '/oauth/export');
    const hostile = [
      `${link}A`,
      link.slice(0, -4),
      link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      link.replace(/token=.*/, ''),
      link.replace(/token=.*/, `token=${'x'.repeat(3_000)}`),
      link.replace(on.auth.school.url, on.auth.other.url),
      verify,
    ];
    for (const each of hostile) {
      const page = await new Person().visit(each);
      expect([each, page.status, page.text.includes('not_found')]).toEqual([each, 404, true]);
    }
  });

  test('is gone after seven days, and when another one is asked for: 410', async () => {
    const first = await on.linkOf('member');
    on.auth.clock.advance(day);
    const second = await on.linkOf('member');
    expect(second).not.toBe(first);
    expect((await new Person().visit(first)).status).toBe(410);
    expect((await on.download(second)).status).toBe(200);
    const person = new Person();
    const page = await person.visit(second);
    on.auth.clock.advance(7 * day);
    expect((await person.download(page, { decision: 'yes' })).status).toBe(410);
    const gone = await person.visit(second);
    expect([gone.status, gone.text.includes('has expired')]).toEqual([410, true]);
  });

  test('is gone with the erasure of the person, also in the middle of a download', async () => {
    const link = await on.linkOf('member');
    const member = await on.idOf('member');
    const erase = () => on.auth.ports.vault.destroy(on.auth.school.id, member);
    on.answers.set('school', async ({ from }) => {
      if (from !== null) await erase();
      return { file: 'member', records: [{}], next: from === null ? { file: 'member', after: '1' } : null };
    });
    await expect(on.download(link)).rejects.toThrow();
    expect((await new Person().visit(link)).status).toBe(410);
    expect(on.auth.lines.some((line) => line.includes('"route":"/oauth/export"') && line.includes('gone'))).toBe(true);
  });

  test('is gone with a newer link, also in the middle of a download: no service that is still to come tells anything', async () => {
    const link = await on.linkOf('member');
    const asked: unknown[] = [];
    on.answers.set('media', async ({ from }) => {
      if (from !== null) {
        on.auth.clock.advance(day);
        await on.linkOf('member');
      }
      return { file: 'uploads', records: [{}], next: from === null ? { file: 'uploads', after: '1' } : null };
    });
    on.answers.set('school', async ({ from }) => {
      asked.push(from);
      return { file: 'member', records: [{}], next: null };
    });
    await expect(on.download(link)).rejects.toThrow();
    // Whether it answers, and no more.
    expect(asked).toEqual([null]);
    expect((await new Person().visit(link)).status).toBe(410);
  });

  test('is gone when the account has another address: a mailbox that was given up opens nothing', async () => {
    const link = await on.linkOf('member');
    const token = await on.tokenOf('member');
    const email = 'new@example.org';
    await call(`${on.auth.school.url}/api/account/email`, { method: 'POST', token, json: { email } });
    for (const mail of (await on.letters.sent()).slice(-2)) {
      const person = new Person();
      await person.submit(await person.visit(linkIn(mail)), { decision: 'yes' });
    }
    expect((await findOpenByEmail(on.auth.ports, on.auth.school.id, email))?.email).toBe(email);
    expect((await new Person().visit(link)).status).toBe(410);
  });

  test('RFC 6749 §10.12: downloads only by the form of its own page', async () => {
    const link = await on.linkOf('member');
    const person = new Person();
    const page = await person.visit(link);
    expect((await person.download(page, { csrf: 'x' })).status).toBe(403);
    expect((await new Person().download(page, {})).status).toBe(403);
  });

  test('is never logged, and neither is who the person is', async () => {
    const link = await on.linkOf('member');
    await on.download(link);
    const token = new URL(link).searchParams.get('token')!;
    const logged = on.auth.lines.join('\n');
    expect([logged.includes('/oauth/export'), logged.includes(token)]).toEqual([true, false]);
    expect(logged).not.toContain(emailOf('member'));
  });
});

describe('a download', () => {
  test.each([
    ['is away', async () => Promise.reject(new Error('planned failure'))],
    ['is of a release that does not know the question', async () => undefined],
    ['names a file outside of its folder', async () => ({ file: '../../etc/passwd', records: [], next: null })],
    [
      'says more than a page',
      async () => ({ file: 'f', records: Array.from({ length: 201 }, () => ({})), next: null }),
    ],
  ])('begins only when every service answers: 503 while one %s', async (_, answer) => {
    const link = await on.linkOf('member');
    on.answers.set('learning', answer);
    const refused = await on.download(link);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    expect(refused.headers.get('content-type')).toMatch(/^text\/html/);
    on.answers.delete('learning');
    expect((await filesIn(await on.download(link))).has('index.json')).toBe(true);
  });

  test('waits for a service that goes away in the middle of it, and is whole', async () => {
    const link = await on.linkOf('member');
    let failures = 2;
    on.answers.set('media', async ({ from }) => {
      if (from === null) return { file: 'uploads', records: [{ at: 1 }], next: { file: 'uploads', after: '1' } };
      failures -= 1;
      if (failures >= 0) throw new Error('planned failure');
      return { file: 'uploads', records: [{ at: 2 }], next: null };
    });
    const files = await filesIn(await on.download(link));
    expect(JSON.parse(files.get('media/uploads.json')!)).toEqual([{ at: 1 }, { at: 2 }]);
  });

  test('is one of a person at a time: the next one is told to wait, and others go on', async () => {
    const [link, another] = [await on.linkOf('member'), await on.linkOf('owner')];
    const member = await on.idOf('member');
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    const waiting: string[] = [];
    on.answers.set('media', async ({ from, subject }) => {
      if (from === null) return { file: 'uploads', records: [{}], next: { file: 'uploads', after: '1' } };
      if (subject === member) {
        waiting.push(subject);
        await held;
      }
      return { file: 'uploads', records: [{}], next: null };
    });
    const first = on.download(link);
    for (let left = 500; left > 0 && waiting.length < 1; left -= 1) await delay(10);
    const second = await on.download(link);
    expect([waiting.length, second.status, second.headers.get('retry-after')]).toEqual([1, 503, '10']);
    expect((await filesIn(await on.download(another))).has('index.json')).toBe(true);
    go();
    expect((await filesIn(await first)).has('index.json')).toBe(true);
    expect((await on.download(link)).status).toBe(200);
  });
});
