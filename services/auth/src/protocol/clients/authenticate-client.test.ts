import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, Client, post } from '@lyceum/testkit';
import { type TestAuth, registerConfidential, startAuth } from '../../testing/test-auth.ts';
import { type TestOperator, startOperator } from '../../testing/test-operator.ts';

let auth: TestAuth;
let operator: TestOperator;
beforeAll(async () => {
  auth = await startAuth();
  operator = await startOperator(auth);
});
afterAll(async () => {
  await operator.close();
  await auth.close();
});

const fields = { client_name: 'Forum', redirect_uris: ['https://forum.example/cb'] };
const integration = async (more: object) =>
  (await operator.ask('POST', '', { school: auth.school.id, ...fields, ...more })).body;
/** Asks about a token that does not exist: 200 says that the client was recognised. */
const ask = async (form: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> => {
  const url = `${auth.school.url}/api/oauth/introspect`;
  const response = await fetch(url, { method: 'POST', headers, body: new URLSearchParams({ token: 'x', ...form }) });
  return { status: response.status, headers: response.headers, body: await response.json() };
};
const outcome = ({ status, body }: Answer) => [status, body.error];
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});
const failed = [401, 'invalid_client'];
const good = [200, undefined];

describe('a client with a secret', () => {
  test('RFC 6749 §2.3.1: authenticates by the header when it registered that', async () => {
    const { client_id, client_secret } = await integration({ token_endpoint_auth_method: 'client_secret_basic' });
    expect(outcome(await ask({}, basic(client_id, client_secret)))).toEqual(good);
    expect(outcome(await ask({ client_id }, basic(client_id, client_secret)))).toEqual(good);
    expect(outcome(await ask({}, basic(client_id, `${client_secret}x`)))).toEqual(failed);
  });

  test('RFC 6749 §2.3: is refused by any other method than its own', async () => {
    const inHeader = await integration({ token_endpoint_auth_method: 'client_secret_basic' });
    const inBody = await registerConfidential(auth.school);
    const { id: open } = await Client.register(auth.school.url);
    expect(outcome(await ask({ client_id: inHeader.client_id, client_secret: inHeader.client_secret }))).toEqual(
      failed,
    );
    expect(outcome(await ask({}, basic(inBody.client_id, inBody.client_secret)))).toEqual(failed);
    expect(outcome(await ask({ client_id: inBody.client_id }))).toEqual(failed);
    expect(outcome(await ask({ client_id: open, client_secret: 'x' }))).toEqual(failed);
    expect(outcome(await ask({}, basic(open, 'x')))).toEqual(failed);
  });

  test('RFC 6749 §2.3: using two methods at once is invalid_request', async () => {
    const { client_id, client_secret } = await registerConfidential(auth.school);
    const assertion = { client_assertion: 'x', client_assertion_type: type };
    expect(outcome(await ask({ client_id, client_secret }, basic(client_id, client_secret)))).toEqual(twice);
    expect(outcome(await ask({ client_id, client_secret, ...assertion }))).toEqual(twice);
    expect(outcome(await ask({ client_id, ...assertion }, basic(client_id, client_secret)))).toEqual(twice);
    expect(outcome(await ask({ client_id: 'other' }, basic(client_id, client_secret)))).toEqual(twice);
  });

  test.each([
    ['no base64', 'Basic !!!'],
    ['no colon', `Basic ${Buffer.from('client').toString('base64')}`],
    ['no id', `Basic ${Buffer.from(':secret').toString('base64')}`],
    ['a broken escape', `Basic ${Buffer.from('a%zz:b').toString('base64')}`],
    ['nothing', 'Basic'],
    ['an unknown client', basic('client_0198f3a2-7c1b-7000-8000-000000000001', 'x').authorization],
  ])('RFC 6749 §5.2: a header with %s is 401 with a challenge', async (_, authorization) => {
    const answer = await ask({}, { authorization });
    expect(outcome(answer)).toEqual(failed);
    expect(answer.headers.get('www-authenticate')).toBe(`Basic realm="${auth.school.url}"`);
  });

  test('RFC 6749 §5.2: without a header there is no challenge, and every failure reads the same', async () => {
    const { client_id } = await registerConfidential(auth.school);
    const unknown = { client_id: 'client_of_nobody' };
    const answers = [await ask(unknown), await ask({ client_id }), await ask({ client_id, client_secret: 'x' })];
    expect(answers.map(({ headers }) => headers.get('www-authenticate'))).toEqual([null, null, null]);
    expect(new Set(answers.map(({ body }) => body.error_description)).size).toBe(1);
  });

  test('RFC 6749 §5.2: a request that names no client is told which parameter is missing', async () => {
    const { body } = await ask({});
    expect([body.error, body.error_description]).toEqual([
      'invalid_client',
      expect.stringMatching(/^client_id is missing/),
    ]);
  });

  test('RFC 6749 §2.3.1: id and secret in the header are form-encoded', async () => {
    const { client_id, client_secret } = await integration({ token_endpoint_auth_method: 'client_secret_basic' });
    const escaped = [...client_id].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('');
    const authorization = `Basic ${Buffer.from(`${escaped}:${client_secret}`).toString('base64')}`;
    expect(outcome(await ask({}, { authorization }))).toEqual(good);
  });
});

const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const twice = [400, 'invalid_request'];

test('RFC 6749 §3.2.1: nobody is refused as nobody', async () =>
  expect(outcome(await post(`${auth.school.url}/api/oauth/token`, { grant_type: 'refresh_token' }))).toEqual(failed));
