import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Client,
  type Form,
  Person,
  type System,
  call,
  codeOf,
  formsOf,
  found,
  loopbackFetch,
  post,
  startSystem,
} from '@lyceum/testkit';
import { randomBytes } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const owner = 'owner@lantern.test';
const strong = 'nine lanterns over planted water';

/** Everything that must stay secret is used in every way there is; then the log is searched for all of it. */
describe('the log of a whole system', () => {
  let system: System;
  let school: string;
  const secrets = new Map<string, string>();
  beforeAll(async () => {
    system = await startSystem({ env: { LOG_LEVEL: 'debug', RATE_LIMIT_FACTOR: '1000' } });
    keep('demo password', system.password);
    keep('operator token', system.operatorToken);
    const { body } = await operate('/internal/schools');
    school = body.data.find(({ slug }: { slug: string }) => slug === 'lantern-craft').id;
  }, 400_000);
  afterAll(() => system.stop());

  const operate = (path: string, json?: object) =>
    call(`${system.operatorUrl}${path}`, {
      ...(json === undefined ? {} : { json }),
      headers: { authorization: `Bearer ${system.operatorToken}` },
    });
  function keep<T extends string | undefined>(what: string, secret: T): T {
    if (secret === undefined || secret.length < 6) throw new Error(`there is no ${what}`);
    secrets.set(secret, what);
    return secret;
  }
  const keepForm = ({ fields }: Form): void =>
    fields.forEach(([name, value]) => {
      if (/^(csrf|interaction|token|invitation)$/.test(name)) keep(name, value);
    });
  const planted = (what: string): string => keep(what, `planted-${randomBytes(12).toString('hex')}`);

  /** The link to this path in a letter to an address. A letter that is being written has another ending. */
  async function letterTo(address: string, path: string): Promise<URL> {
    const folder = join(system.dataDir, 'outbox');
    return found(async () => {
      const letters = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.eml'));
      for (const file of letters.sort().reverse()) {
        const text = (await readFile(join(folder, file), 'utf8')).replaceAll('=\r\n', '').replaceAll('=3D', '=');
        const links = text.match(/http:\/\/[^\s"<>]+=[^\s"<>&]+/g)?.map((link) => new URL(link));
        const link = links?.find(({ pathname }) => pathname === path);
        if (text.includes(address) && link) return link;
      }
      return undefined;
    }, `a letter to ${address}`);
  }

  test('is written while people sign in, agree, fail, and clients use and lose their tokens', async () => {
    const client = await Client.register(system.baseUrl);
    const state = planted('state');
    const { url, verifier } = client.start('openid profile email courses:read account:write', {
      state,
      nonce: planted('nonce'),
      login_hint: keep('login hint', 'planted.hint@secret.test'),
    });
    keep('verifier', verifier);
    const person = new Person();
    const page = await person.visit(url);
    formsOf(page.text, page.url).forEach(keepForm);
    const nobody = { email: keep('address', 'planted.nobody@secret.test'), password: planted('wrong password') };
    await person.submit(page, nobody);
    const consent = await person.submit(page, { email: owner, password: system.password });
    formsOf(consent.text, consent.url).forEach(keepForm);
    const code = keep('code', codeOf(await person.submit(consent, { decision: 'approve' })));
    const { body: tokens } = await client.redeem(code, verifier);
    const { body: next } = await client.refresh(keep('refresh token', tokens.refresh_token));
    for (const kind of ['access_token', 'refresh_token', 'id_token'] as const) {
      keep(kind, tokens[kind]);
      keep(kind, next[kind]);
    }
    expect((await call(`${system.baseUrl}/api/oauth/userinfo`, { token: next.access_token })).status).toBe(200);
    await post(`${system.baseUrl}/api/oauth/introspect`, { token: next.access_token, client_id: client.id });
    await call(`${system.baseUrl}/api/courses`, { token: next.access_token });
    const json = { email: keep('new address', 'planted.new@secret.test'), password: system.password };
    await call(`${system.baseUrl}/api/account/email`, { token: next.access_token, json });
    await client.refresh(tokens.refresh_token);
    await client.redeem(code, verifier);
    await client.revoke(next.refresh_token);
    await call(`${system.baseUrl}/api/courses`, { token: next.access_token });
  });

  test('is written while secrets arrive where they do not belong', async () => {
    const { baseUrl } = system;
    const asked = [
      `/api/courses?access_token=${planted('token in a query')}`,
      `/api/courses/${planted('path')}`,
      `/${planted('unknown path')}?password=${planted('password in a query')}`,
      `/oauth/authorize?client_id=${planted('unknown client')}&state=${planted('state')}`,
      `/oauth/reset/password?token=${planted('reset token')}`,
      `/oauth/sign-up?invitation=${planted('invitation')}`,
      `/oauth/logout?id_token_hint=${planted('hint')}&post_logout_redirect_uri=https://${planted('host')}.example`,
      `/internal/${planted('operator path')}`,
    ];
    for (const path of asked) await loopbackFetch(`${baseUrl}${path}`);
    const header = { authorization: `Bearer ${planted('bearer')}`, cookie: `lyceum_session=${planted('cookie')}` };
    await call(`${baseUrl}/api/courses`, { headers: header });
    await call(`${baseUrl}/api/oauth/token`, { headers: { authorization: `Basic ${planted('basic')}` }, json: {} });
    for (const path of ['token', 'revoke', 'introspect'])
      await post(`${baseUrl}/api/oauth/${path}`, {
        grant_type: planted('grant type'),
        token: planted('token'),
        client_id: planted('client id'),
        client_secret: planted('client secret'),
        refresh_token: planted('refresh token'),
      });
    for (const path of ['/api/oauth/register', '/api/courses', '/api/members'])
      await loopbackFetch(`${baseUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"redirect_uris":["https://${planted('redirect')}.example/"],"email":"${planted('body')}`,
      });
    await call(`${system.operatorUrl}/internal/schools`, { token: planted('wrong operator token') });
  });

  test('is written while people are invited, forget their passwords and get new ones', async () => {
    const email = keep('invited address', 'planted.guest@secret.test');
    const name = keep('name', 'Plantina Secretsdottir');
    const { body } = await operate('/internal/members', { school, email, role: 'lecturer', name });
    const invitation = new URL(body.invitation_url);
    keep('invitation', invitation.searchParams.get('invitation') ?? undefined);
    const guest = new Person();
    const page = await guest.visit(invitation);
    formsOf(page.text, page.url).forEach(keepForm);
    await guest.submit(page, { name, password: keep('weak password', 'plantedpw') });
    const joined = await guest.submit(page, { name, password: keep('chosen password', strong) });
    expect(joined.text).toContain('Your account is ready');

    const forgetful = new Person();
    await forgetful.submit(await forgetful.visit(`${system.baseUrl}/oauth/reset`), { email });
    const link = await letterTo(email, '/oauth/reset/password');
    keep('reset link', link.searchParams.get('token') ?? undefined);
    const form = await forgetful.visit(link);
    formsOf(form.text, form.url).forEach(keepForm);
    const done = await forgetful.submit(form, { password: keep('reset password', `${strong} again`) });
    expect(done.status).toBe(200);
  });

  test('is written while operators arrange integrations', async () => {
    const { body } = await operate('/internal/integrations', {
      school,
      client_name: 'Harbour Forum',
      redirect_uris: ['https://forum.example/callback'],
      token_endpoint_auth_method: 'client_secret_basic',
    });
    const secret = keep('integration secret', body.client_secret as string);
    const path = `/internal/integrations/${body.client_id}`;
    const rotated = await operate(`${path}/rotate-secret?school=${school}`, {});
    keep('rotated secret', rotated.body.client_secret as string);
    const basic = keep('basic credentials', Buffer.from(`${body.client_id}:${secret}`).toString('base64'));
    await loopbackFetch(`${system.baseUrl}/api/oauth/introspect`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ token: planted('foreign token') }),
    });
    const registered = await call(`${system.baseUrl}/api/oauth/register`, {
      json: { redirect_uris: ['http://127.0.0.1/cb'], token_endpoint_auth_method: 'client_secret_post' },
    });
    keep('client secret', registered.body.client_secret);
    const token = keep('registration token', registered.body.registration_access_token as string);
    expect((await call(registered.body.registration_client_uri, { token })).status).toBe(200);
  });

  test('holds none of them, no address of anybody, and no token of any kind', () => {
    const lines = system
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    expect(lines.length).toBeGreaterThan(40);
    expect(secrets.size).toBeGreaterThan(60);
    const log = lines.join('\n');
    const spelled = (secret: string) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')];
    const told = [...secrets].flatMap(([secret, what]) =>
      spelled(secret).some((each) => log.includes(each)) ? [what] : [],
    );
    expect(told).toEqual([]);
    expect(log.match(/[\w.+-]+@[\w-]+\.test/g)).toBeNull();
    expect(log.match(/eyJ[\w-]{10,}\.[\w-]{10,}/g)).toBeNull();
  });
});
