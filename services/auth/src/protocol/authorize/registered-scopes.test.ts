import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Person } from '@lyceum/testkit';
import { type TestAuth, emailOf, password, startAuth } from '../../testing/test-auth.ts';
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

/** The page on which the owner is asked for what a client asks for. */
async function consentFor(client: Client, scope: string): Promise<string> {
  const person = new Person();
  const page = await person.visit(client.start(scope).url);
  return (await person.submit(page, { email: emailOf('owner'), password })).text;
}

describe('a client with registered scopes', () => {
  test('RFC 6749 §3.3: that registered itself may ask for more, as a challenge says, and a person decides', async () => {
    const client = await Client.register(auth.school.url, { scope: 'openid' });
    const text = await consentFor(client, 'openid account:write');
    for (const scope of ['openid', 'account:write']) expect(text).toContain(`value="${scope}"`);
  });

  test('RFC 6749 §3.3: that the operator arranged may never ask for more', async () => {
    const callback = 'https://forum.example/callback';
    const fields = { school: auth.school.id, client_name: 'Forum', redirect_uris: [callback], scope: 'openid' };
    const { client_id } = (await operator.ask('POST', '', fields)).body;
    const client = Client.known(auth.school.url, client_id, callback);
    const { left } = await new Person().visit(client.start('courses:read').url);
    expect(left!.searchParams.get('error')).toBe('invalid_scope');
    const text = await consentFor(client, 'openid courses:read');
    expect(text).toContain('value="openid"');
    expect(text).not.toContain('value="courses:read"');
  });
});
