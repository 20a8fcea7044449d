import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, Person } from '@lyceum/testkit';
import { decodeJwt } from 'jose';
import { accountPaths } from '../local-paths.ts';
import {
  type TestAuth,
  type TestSchool,
  emailOf,
  introspect,
  password,
  setMemberStatus,
  startAuth,
  userinfo,
} from '../testing/test-auth.ts';
import { answerCheckoutAccess, checkoutClient } from './checkout-access.query.ts';

let auth: TestAuth;
beforeEach(async () => {
  auth = await startAuth();
});
afterEach(() => auth.close());

const signInAt = (to: string, { url }: TestSchool = auth.school) =>
  `${url}${accountPaths.signIn}?${new URLSearchParams({ to })}`;

/** Somebody who is signed in, and the value of their session cookie. */
async function signedIn() {
  const person = new Person();
  await person.submit(await person.visit(`${auth.school.url}${accountPaths.apps}`), {
    email: emailOf('member'),
    password,
  });
  return { person, session: /lyceum_session=([\w-]{43})/.exec(person.cookie)![1]! };
}

const access = (session: string, school: string = auth.school.id, ports = auth.ports) =>
  answerCheckoutAccess({ kind: 'checkout_access', school, session }, ports);

describe('the checkout page', () => {
  test('learns who is signed in, with a token that is good at the checkout for a minute', async () => {
    const { session } = await signedIn();
    const found = await access(session);
    if (!found.signed_in) throw new Error('nobody is signed in');
    const claims = decodeJwt(found.access_token);
    expect(claims).toMatchObject({
      iss: auth.school.url,
      aud: `${auth.school.url}/api/checkout`,
      sub: found.subject,
      client_id: checkoutClient,
      scope: 'account:read account:write',
      role: 'member',
    });
    expect([claims.exp! - claims.iat!, found.name]).toEqual([60, 'The member']);
  });

  test('gets a token that no endpoint of the authorization server takes', async () => {
    const { session } = await signedIn();
    const found = await access(session);
    if (!found.signed_in) throw new Error('nobody is signed in');
    expect((await userinfo(auth.school, found.access_token)).status).toBe(401);
    const { id } = await Client.register(auth.school.url);
    expect((await introspect(auth.school, id, found.access_token)).body).toEqual({ active: false });
  });

  test('learns of nobody by a secret that is none, of another school, or of a sign-in that is over', async () => {
    const { person, session } = await signedIn();
    const nobody = { signed_in: false };
    expect(await access('x'.repeat(43))).toEqual(nobody);
    expect(await access(session, auth.other.id)).toEqual(nobody);
    await person.submit(await person.visit(`${auth.school.url}/oauth/logout`), { decision: 'yes' });
    expect(await access(session)).toEqual(nobody);
  });

  test('learns of nobody who is suspended, or whose sign-in has ended by time', async () => {
    const { session } = await signedIn();
    const found = await access(session);
    if (!found.signed_in) throw new Error('nobody is signed in');
    await setMemberStatus(auth.ports, auth.school.id, found.subject, { role: 'member', status: 'suspended' });
    expect(await access(session)).toEqual({ signed_in: false });
    await setMemberStatus(auth.ports, auth.school.id, found.subject, { role: 'member', status: 'active' });
    expect(await access(session)).toMatchObject({ signed_in: true });
    auth.clock.advance(14 * 86_400_000);
    expect(await access(session)).toEqual({ signed_in: false });
  });

  test('learns nothing while revocations may be missing, of an unknown school, and by a malformed question', async () => {
    const { session } = await signedIn();
    const withheld = { ...auth.ports, isWithheld: () => true };
    await expect(access(session, auth.school.id, withheld)).rejects.toThrow('cannot be judged');
    await expect(access(session, 'school_of_nobody')).rejects.toThrow('cannot be judged');
    await expect(access(`${session}x`)).rejects.toThrow();
  });

  test('is no client that anybody can be', async () => {
    const client = await Client.register(auth.school.url);
    expect(client.id).toMatch(/^client_/);
    const { url } = client.start('openid');
    url.searchParams.set('client_id', checkoutClient);
    expect((await new Person().visit(url)).status).toBe(400);
  });
});

describe('the sign-in for another page', () => {
  const checkout = '/checkout?item=course%3Alamps&coupon=TEN%2A';
  const order = '/checkout/order_0195a3c2-7d10-7abc-8def-0123456789ab';

  test.each([checkout, order, '/checkout', accountPaths.sessions])(
    'leads to %s, at once when signed in',
    async (to) => {
      const person = new Person();
      const page = await person.visit(signInAt(to));
      expect(page.status).toBe(200);
      const wrong = await person.submit(page, { email: emailOf('owner'), password: 'wrong' });
      const landed = await person.submit(wrong, { email: emailOf('owner'), password });
      const { pathname, search } = new URL(landed.url);
      expect(pathname + search).toBe(to);
      expect((await person.visit(signInAt(to))).url).toBe(landed.url);
    },
  );

  test.each([
    'https://evil.test/checkout',
    '//evil.test/checkout',
    '/checkout//evil.test',
    '/checkout/../oauth/authorize',
    '/checkout?item=x#y',
    '/checkout\\evil.test',
    '/checkout?to=//evil.test',
    '/checkoutx',
    `/checkout?${'x'.repeat(3_000)}`,
    '/checkout\r\nSet-Cookie: a=b',
    '',
  ])('RFC 9700 §4.11: does not lead to %j', async (to) => {
    const person = new Person();
    const landed = await person.submit(await person.visit(signInAt(to)), { email: emailOf('owner'), password });
    expect([landed.left, new URL(landed.url).pathname]).toEqual([undefined, accountPaths.apps]);
    const forged = new Person();
    const page = await forged.visit(signInAt('/checkout'));
    const posted = await forged.submit(page, { email: emailOf('owner'), password, to });
    expect([posted.left, new URL(posted.url).pathname]).toEqual([undefined, accountPaths.apps]);
  });
});
