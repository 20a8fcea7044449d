import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Person, type Place, approve, call, codeOf, describeTopologies, patience } from '@lyceum/testkit';
import { hasStatus, inForce } from '../../testing/in-force.ts';

/** The people of a school, from the invitation to the end, through the real gateway and the real pages. */
await describeTopologies('members', ({ open, lag }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let client: Client;
  let school: string;
  let owner: string;
  beforeAll(async () => {
    ({ system, close } = await open());
    client = await Client.register(system.baseUrl);
    const { body } = await operate('/internal/schools');
    school = body.data.find(({ slug }: { slug: string }) => slug === 'lantern-craft').id;
    owner = (await client.tokens('owner@lantern.test', system.password, managing)).access_token;
  }, 400_000);
  afterAll(() => close());

  const managing = 'openid members:read members:write courses:write';
  const password = 'seven kites above the harbour';
  const operate = (path: string, json?: object) =>
    call(`${system.operatorUrl}${path}`, {
      ...(json === undefined ? {} : { json }),
      headers: { authorization: `Bearer ${system.operatorToken}` },
    });
  const members = (path = '', options: Parameters<typeof call>[1] = {}) =>
    call(`${system.baseUrl}/api/members${path}`, { token: owner, ...options });
  let count = 0;

  /** Somebody who was invited, opened the account in a browser, and is known everywhere. */
  async function joined(role: string) {
    const email = `guest${(count += 1)}@${system.port}.test`;
    const { body } = await operate('/internal/members', { school, email, role });
    const person = new Person();
    const page = await person.visit(body.invitation_url);
    const done = await person.submit(page, { name: `Guest ${count}`, password });
    expect([done.status, done.text.includes('Your account is ready')]).toEqual([200, true]);
    return { id: body.id as string, email, person };
  }
  const tokensOf = (email: string, scope: string) => client.tokens(email, password, scope);
  const problemOf = ({ text }: { readonly text: string }) => /<p class="problem"[^>]*>([^<]*)</.exec(text)?.[1];
  const within = lag === 0 ? 1_000 : patience;

  test('a person is invited, opens an account, and has the role of the invitation in the first token', async () => {
    const { id, email, person } = await joined('lecturer');
    const { url, verifier } = client.start('openid courses:write');
    const { status, body } = await client.redeem(codeOf(await approve(person, url, email, password)), verifier);
    expect([status, body.scope]).toEqual([200, 'openid courses:write']);
    const read = await members(`/${id}`);
    expect(read.body).toMatchObject({ id, email, role: 'lecturer', status: 'active', name: `Guest ${count}` });
    const account = await call(`${system.baseUrl}/api/account`, {
      token: (await tokensOf(email, 'account:read')).access_token,
    });
    expect(account.body).toMatchObject({ sub: id, email, email_verified: true, role: 'lecturer' });
  });

  test('admin demoted: next call 403 within 1 s, and refreshed into less', async () => {
    const { id, email } = await joined('admin');
    const { access_token: token, refresh_token } = await tokensOf(email, managing);
    expect((await members('', { token })).status).toBe(200);
    const json = { role: 'member' };
    expect((await members(`/${id}/role`, { method: 'PUT', json })).status).toBe(200);
    const refused = await inForce(
      within,
      () => call(`${system.baseUrl}/api/courses`, { token, json: { title: 'No' } }),
      hasStatus(403),
    );
    expect(refused.status).toBe(403);
    expect((await members('', { token })).status).toBe(403);
    const refreshed = await inForce(
      within,
      () => client.refresh(refresh_token),
      ({ body }) => body.scope === 'openid',
    );
    expect(refreshed.body.scope).toBe('openid');
  });

  test('a suspended member is shut out everywhere, and let in again', async () => {
    const { id, email } = await joined('lecturer');
    const { access_token: token, refresh_token } = await tokensOf(email, 'openid courses:write');
    expect((await members(`/${id}/suspend`, { method: 'POST' })).status).toBe(200);
    const courses = () => call(`${system.baseUrl}/api/courses`, { token });
    expect((await inForce(within, courses, hasStatus(401))).status).toBe(401);
    const refresh = await inForce(within, () => client.refresh(refresh_token), hasStatus(400));
    expect(refresh.body.error).toBe('invalid_grant');
    const userinfo = () => call(`${system.baseUrl}/api/oauth/userinfo`, { token });
    expect((await inForce(within, userinfo, hasStatus(401))).status).toBe(401);
    const person = new Person();
    const signIn = await person.submit(await person.visit(client.start('openid').url), { email, password });
    const wrong = await person.submit(signIn, { email, password: 'not it' });
    expect([signIn.status, signIn.text.includes('is not right')]).toEqual([401, true]);
    expect(problemOf(signIn)).toBe(problemOf(wrong));
    expect((await members(`/${id}/reinstate`, { method: 'POST' })).status).toBe(200);
    const again = async () => ({
      status: await tokensOf(email, 'openid').then(
        () => 200,
        () => 0,
      ),
    });
    expect((await inForce(patience, again, ({ status }) => status === 200)).status).toBe(200);
    expect((await courses()).status).toBe(401);
  });

  test('an erased member is gone from every service, and the address is free', async () => {
    const { id, email } = await joined('member');
    const { access_token: token } = await tokensOf(email, 'openid courses:read');
    const erased = await members(`/${id}/erase`, { method: 'POST' });
    expect([erased.status, erased.body.status, erased.body.email]).toEqual([200, 'erased', null]);
    const courses = () => call(`${system.baseUrl}/api/courses`, { token });
    expect((await inForce(within, courses, hasStatus(401))).status).toBe(401);
    const invite = () => operate('/internal/members', { school, email, role: 'member' });
    const { body } = await invite();
    expect(body.status).toBe('invited');
    const person = new Person();
    // The authorization server frees the address when it has heard of the erasure.
    const joining = async () => {
      const page = await person.visit(body.invitation_url);
      return person.submit(page, { name: 'Another person', password });
    };
    expect((await inForce(within, joining, ({ status }) => status === 200)).status).toBe(200);
  });

  test('an invitation of one school opens nothing at another', async () => {
    const email = `guest${(count += 1)}@${system.port}.test`;
    const { body } = await operate('/internal/members', { school, email, role: 'owner' });
    const elsewhere = body.invitation_url.replace(system.baseUrl, system.northQuayUrl);
    expect((await new Person().visit(elsewhere)).status).toBe(400);
  });
});
