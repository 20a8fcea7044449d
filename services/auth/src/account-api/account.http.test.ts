import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, call } from '@lyceum/testkit';
import { type TestAuth, emailOf, password, startAuth } from '../testing/test-auth.ts';

let auth: TestAuth;
let client: Client;
beforeAll(async () => {
  auth = await startAuth();
  client = await Client.register(auth.school.url);
});
afterAll(() => auth.close());

const url = () => `${auth.school.url}/api/account`;
const tokenFor = async (scope: string) => {
  const { access_token } = await client.tokens(emailOf('lecturer'), password, scope);
  await auth.settled();
  return access_token;
};

describe('the account of a token', () => {
  test('is nobody’s without a token', async () => {
    const { status, body } = await call(url());
    expect([status, body]).toEqual([200, { object: 'account', authenticated: false, view: 'anonymous' }]);
  });

  test('says who the token stands for', async () => {
    const { status, body, headers } = await call(url(), { token: await tokenFor('account:read') });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      authenticated: true,
      sub: expect.stringMatching(/^account_/),
      email: emailOf('lecturer'),
      email_verified: false,
      name: 'The lecturer',
      locale: null,
      role: 'lecturer',
    });
    expect(headers.get('etag')).toBe(`"${body.version}"`);
    expect(JSON.stringify(body)).not.toMatch(/password|argon2|email_key/i);
  });

  test('needs account:read, and account:write to be changed', async () => {
    const refused = await call(url(), { token: await tokenFor('courses:read') });
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
    const json = { name: 'Eve' };
    const read = await call(url(), { method: 'PATCH', json, token: await tokenFor('account:read') });
    expect([read.status, read.body.error]).toEqual([403, 'insufficient_scope']);
    expect((await call(url(), { method: 'PATCH', json })).body.error).toBe('access_denied');
  });

  test('takes another name and language, at the version that was seen', async () => {
    const token = await tokenFor('account:read account:write');
    const before = await call(url(), { token });
    const headers = { 'if-match': before.headers.get('etag')! };
    const json = { name: 'Marta W.', locale: 'pt-PT' };
    const changed = await call(url(), { method: 'PATCH', token, headers, json });
    expect([changed.status, changed.body.name, changed.body.locale]).toEqual([200, 'Marta W.', 'pt-PT']);
    expect((await call(url(), { method: 'PATCH', token, headers, json: { name: 'Late' } })).status).toBe(412);
    const cleared = await call(url(), { method: 'PATCH', token, json: { locale: null } });
    expect(cleared.body).toMatchObject({ name: 'Marta W.', locale: null });
  });

  test('takes a time zone by its IANA name, and forgets it', async () => {
    const token = await tokenFor('account:read account:write');
    const change = async (json: object) => (await call(url(), { method: 'PATCH', token, json })).body;
    expect((await call(url(), { token })).body.timezone).toBeNull();
    const changed = await change({ timezone: 'Asia/Seoul' });
    expect(changed.timezone).toBe('Asia/Seoul');
    expect((await change({ timezone: 'Asia/Seoul' })).version).toBe(changed.version);
    expect((await call(url(), { token })).body).toMatchObject({ timezone: 'Asia/Seoul', version: changed.version });
    expect((await change({ timezone: null })).timezone).toBeNull();
  });

  test('shows the avatar that the school service tells, and is told without it while nobody can', async () => {
    const token = await tokenFor('account:read account:write');
    const file = 'upload_00000000-0000-7000-8000-000000000001';
    const asked: unknown[] = [];
    const read = async (answer: () => Promise<unknown>) => {
      const ask = async (service: string, question: object) => (asked.push([service, question]), answer());
      auth.restart({ joining: { ...auth.ports.joining, ask } });
      return (await call(url(), { token })).body;
    };
    const body = await read(async () => ({ avatar: file }));
    expect(body.avatar).toMatch(new RegExp(`^http.*/media/public/${file}$`));
    expect(asked).toEqual([['school', { kind: 'avatar-of-member', school: auth.school.id, member: body.sub }]]);
    const changed = await call(url(), { method: 'PATCH', token, json: { locale: 'pt-PT' } });
    expect([changed.status, changed.body.avatar]).toEqual([200, body.avatar]);
    expect((await read(async () => ({ avatar: null }))).avatar).toBeNull();
    expect((await read(async () => ({ avatar: 'https://example.org/a.png' }))).avatar).toBe(
      'https://example.org/a.png',
    );
    for (const answer of [async () => undefined, async () => ({}), async () => Promise.reject(new Error('away'))]) {
      const told = await read(answer);
      expect([told.sub, 'avatar' in told]).toEqual([body.sub, false]);
    }
    auth.restart({});
  });

  test.each([
    { timezone: 'Mars/Olympus' },
    { timezone: '' },
    { name: '' },
    { name: 'a\nb' },
    { locale: 'no such tag' },
    { role: 'owner' },
    { password: 'x' },
    { email: 'a@b.org' },
  ])('%j is refused: no token changes that', async (json) => {
    const { status } = await call(url(), { method: 'PATCH', json, token: await tokenFor('account:write') });
    expect(status).toBe(422);
  });
});
