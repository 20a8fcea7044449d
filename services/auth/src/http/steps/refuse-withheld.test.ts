import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, post } from '@lyceum/testkit';
import { type TestAuth, emailOf, password, startAuth, userinfo } from '../../testing/test-auth.ts';

let auth: TestAuth;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.close());

test('while what a school revokes cannot be told, nobody of it is signed in or gets tokens; tokens end, and other schools do not notice', async () => {
  const [client, other] = [await Client.register(auth.school.url), await Client.register(auth.other.url)];
  const { access_token, refresh_token } = await client.tokens(emailOf('owner'), password, 'openid');
  const before = await client.tokens(emailOf('owner'), password, 'openid');
  auth.restart({ isWithheld: (school) => school === auth.school.id });

  const refused = await client.refresh(refresh_token);
  expect([refused.status, refused.body.error]).toEqual([503, 'temporarily_unavailable']);
  expect(refused.body.error_description).toContain('Nobody is signed in here for the moment');
  const page = await fetch(`${auth.school.url}/oauth/authorize?client_id=${client.id}`, { redirect: 'manual' });
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '60']);
  await post(`${auth.school.url}/api/oauth/revoke`, { token: access_token, client_id: client.id });
  expect((await userinfo(auth.school, access_token)).status).toBe(401);
  expect((await userinfo(auth.school, before.access_token)).status).toBe(200);

  const elsewhere = await fetch(`${auth.other.url}/oauth/authorize?client_id=${other.id}`, { redirect: 'manual' });
  expect(elsewhere.status).toBe(400);
  auth.restart({});
  expect((await client.refresh(before.refresh_token)).status).toBe(200);
});
