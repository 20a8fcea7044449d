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

  test.each([
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
