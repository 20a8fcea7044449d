import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, Person, approve, codeOf, post } from '@lyceum/testkit';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { guardedEgress } from '../../egress/guarded-egress.ts';
import { type TestAuth, emailOf, password, startAuth } from '../../testing/test-auth.ts';
import { type HttpsServer, startHttpsServer } from '../../testing/test-egress.ts';
import { type TestMails, startMails } from '../../testing/test-mails.ts';
import { type TestOperator, startOperator } from '../../testing/test-operator.ts';

const callback = 'https://forum.example/callback';
const event = 'http://schemas.openid.net/event/backchannel-logout';

describe('telling clients of a sign-out', () => {
  let forum: HttpsServer;
  let auth: TestAuth;
  let operator: TestOperator;
  let deliveries: TestMails;
  const got: string[] = [];
  const types: (string | undefined)[] = [];
  let status = 200;
  beforeAll(async () => {
    forum = await startHttpsServer();
    forum.serve = (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        types.push(request.headers['content-type']);
        got.push(new URLSearchParams(body).get('logout_token')!);
        response.writeHead(status).end();
      });
    };
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const egress = guardedEgress({ allow: [forum.host], authority: forum.authority, resolve });
    auth = await startAuth({ egress });
    operator = await startOperator(auth);
    deliveries = await startMails(auth);
  });
  afterAll(async () => {
    await deliveries.close();
    await operator.close();
    await auth.close();
    await forum.close();
  });
  beforeEach(() => {
    got.length = 0;
    types.length = 0;
    status = 200;
  });

  const integration = async (more: object = {}) => {
    const { body } = await operator.ask('POST', '', {
      school: auth.school.id,
      client_name: 'Forum',
      redirect_uris: [callback],
      backchannel_logout_uri: `${forum.origin}/logout`,
      ...more,
    });
    return body as { client_id: string; client_secret: string };
  };
  const signIn = async (
    { client_id, client_secret }: Awaited<ReturnType<typeof integration>>,
    person = new Person(),
  ) => {
    const client = Client.known(auth.school.url, client_id, callback);
    const { url, verifier } = client.start('openid');
    const code = codeOf(await approve(person, url, emailOf('owner'), password));
    const { body } = await post(`${auth.school.url}/api/oauth/token`, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      client_id,
      client_secret,
      code_verifier: verifier,
    });
    return { person, hint: body['id_token'] as string };
  };
  const logout = async (person: Person, hint: string) => {
    await person.visit(`${auth.school.url}/oauth/logout?id_token_hint=${hint}`);
    await deliveries.sent();
  };
  const keys = () => createRemoteJWKSet(new URL(`${auth.school.url}/api/oauth/jwks`));
  const read = (token: string, audience?: string) =>
    jwtVerify(token, keys(), {
      issuer: auth.school.url,
      currentDate: new Date(auth.clock.now()),
      ...(audience === undefined ? {} : { audience }),
    });

  test('OIDC Back-Channel Logout §2.4: the logout token says who, which session and what, and never has a nonce', async () => {
    const client = await integration();
    const { person, hint } = await signIn(client);
    const { payload: id } = await read(hint, client.client_id);
    await logout(person, hint);
    expect(got).toHaveLength(1);
    const { payload, protectedHeader } = await read(got[0]!, client.client_id);
    expect(protectedHeader).toMatchObject({ typ: 'logout+jwt', alg: decodeProtectedHeader(hint).alg });
    expect(payload).toEqual({
      iss: auth.school.url,
      aud: client.client_id,
      sub: id.sub,
      sid: id['sid'],
      iat: expect.any(Number),
      exp: payload.iat! + 120,
      jti: expect.stringMatching(/^[\w-]{20,}$/),
      events: { [event]: {} },
    });
  });

  test('OIDC Back-Channel Logout §2.5: it is posted as a form, once for each client of the session', async () => {
    const [one, two] = [await integration(), await integration()];
    const person = new Person();
    const { hint } = await signIn(one, person);
    await signIn(two, person);
    await signIn(two, person);
    await signIn(await integration({ backchannel_logout_uri: null }), person);
    await signIn(one);
    await logout(person, hint);
    expect(types).toEqual(Array.from({ length: 2 }, () => 'application/x-www-form-urlencoded'));
    const told = await Promise.all([read(got[0]!, one.client_id), read(got[1]!, two.client_id)]);
    expect(new Set(told.map(({ payload }) => payload['sid'])).size).toBe(1);
  });

  test('OIDC Back-Channel Logout §2.5: a client that cannot be reached is told again, with a token that is fresh, and an end', async () => {
    const client = await integration();
    const { person, hint } = await signIn(client);
    status = 503;
    await logout(person, hint);
    await deliveries.later(6_000);
    status = 204;
    await deliveries.later(16_000);
    await deliveries.later(60 * 60_000);
    expect(got).toHaveLength(3);
    expect(new Set(got).size).toBe(3);
    await read(got[2]!, client.client_id).catch(() => undefined);

    status = 503;
    const again = await signIn(client);
    await logout(again.person, again.hint);
    for (let tries = 0; tries < 12; tries += 1) await deliveries.later(15 * 60_000);
    expect(got.length).toBeGreaterThan(4);
    expect(got.length).toBeLessThan(12);
  });

  test('OIDC Back-Channel Logout §2.8: 400 is the last word of a client', async () => {
    const { person, hint } = await signIn(await integration());
    status = 400;
    await logout(person, hint);
    await deliveries.later(60_000);
    expect(got).toHaveLength(1);
  });

  test('ends with the sign-in wherever it ends: everywhere, too, and for no session but those', async () => {
    const client = await integration();
    const [first, second] = [await signIn(client), await signIn(client)];
    auth.clock.advance(1_000);
    const own = `${auth.school.url}/oauth/account/sessions`;
    const page = await first.person.visit(own);
    const form = /<form[^>]*action="\/oauth\/account\/everywhere"[\s\S]*?<\/form>/.exec(page.text)![0];
    const everywhere = await first.person.submit({ ...page, text: form }, {});
    expect(everywhere.status).toBe(200);
    await deliveries.sent();
    const sids = await Promise.all(
      [...got, first.hint, second.hint].map(async (token) => (await read(token)).payload['sid']),
    );
    // Sign-ins of the tests before end too: it is the same person.
    expect(sids.slice(0, -2)).toEqual(expect.arrayContaining(sids.slice(-2)));
  });

  test('never reaches an address that is not public', async () => {
    auth.clock.advance(1_000);
    const inside = await integration({ backchannel_logout_uri: 'https://127.0.0.1:1/logout' });
    const asked = forum.asked.length;
    const { person, hint } = await signIn(inside);
    await logout(person, hint);
    expect([got.length, forum.asked.length - asked]).toEqual([0, 0]);
  });
});
