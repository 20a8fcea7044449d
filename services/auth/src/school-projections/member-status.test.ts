import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, Person, formsOf } from '@lyceum/testkit';
import { decodeJwt } from 'jose';
import { findOpenByEmail } from '../domain/accounts/account-registry.ts';
import {
  type TestAuth,
  emailOf,
  introspect,
  password,
  setMemberStatus,
  startAuth,
  userinfo,
} from '../testing/test-auth.ts';
import type { MemberStatus } from './member.projection.ts';

let auth: TestAuth;
let client: Client;
let person: string;
const right = { email: emailOf('lecturer'), password };

beforeAll(async () => {
  auth = await startAuth();
  client = await Client.register(auth.school.url);
  person = (await findOpenByEmail(auth.ports, auth.school.id, right.email))!.id;
});
afterAll(() => auth.close());
beforeEach(() => stand({ role: 'lecturer', status: 'active' }));

const stand = (standing: MemberStatus) => setMemberStatus(auth.ports, auth.school.id, person, standing);
const problemOf = (text: string) => /<p class="problem"[^>]*>([^<]*)</.exec(text)?.[1];
const tokens = (scope: string) => client.tokens(right.email, password, scope);

describe('a member’s standing at the school', () => {
  test('the role of the token is the member’s, as of now', async () => {
    expect(decodeJwt((await tokens('openid courses:write')).access_token)['role']).toBe('lecturer');
    await stand({ role: 'owner', status: 'active' });
    const raised = await tokens('openid members:write');
    expect([decodeJwt(raised.access_token)['role'], raised.scope]).toEqual(['owner', 'openid members:write']);
  });

  test('RFC 6749 §6: a refresh gives what the present role may hold, and never more than was granted', async () => {
    const { refresh_token } = await tokens('openid courses:write');
    await stand({ role: 'member', status: 'active' });
    const less = await client.refresh(refresh_token);
    expect([less.body.scope, decodeJwt(less.body.access_token)['role']]).toEqual(['openid', 'member']);
    await stand({ role: 'owner', status: 'active' });
    const again = await client.refresh(less.body.refresh_token);
    expect(again.body.scope).toBe('openid courses:write');
  });

  test.each(['suspended', 'erased'] as const)(
    'who is %s gets no new tokens, and those from before count nowhere',
    async (status) => {
      const { access_token, refresh_token } = await tokens('openid email');
      await stand({ role: 'lecturer', status });
      expect((await client.refresh(refresh_token)).body.error).toBe('invalid_grant');
      for (const token of [access_token, refresh_token])
        expect((await introspect(auth.school, client.id, token)).body).toEqual({ active: false });
      expect((await userinfo(auth.school, access_token)).status).toBe(401);
    },
  );

  test('a suspended member is refused at sign-in with the words of a wrong password', async () => {
    await stand({ role: 'lecturer', status: 'suspended' });
    const browser = new Person();
    const page = await browser.visit(client.start('openid').url);
    const refused = await browser.submit(page, right);
    const wrong = await browser.submit(page, { ...right, password: 'not it' });
    expect([refused.status, wrong.status]).toEqual([401, 401]);
    expect(problemOf(refused.text)).toBe(problemOf(wrong.text));
  });

  test('a session does not outlive a suspension: the person is asked to sign in', async () => {
    const browser = new Person();
    await browser.submit(await browser.visit(client.start('openid').url), right);
    await stand({ role: 'lecturer', status: 'suspended' });
    const page = await browser.visit(client.start('openid').url);
    expect(Object.fromEntries(formsOf(page.text, page.url)[0]!.fields)).toHaveProperty('password');
  });
});
