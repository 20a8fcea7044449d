import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, Person } from '@lyceum/testkit';
import { decodeJwt } from 'jose';
import { type TestAuth, approved, startAuth, tellOfSchool, userinfo } from '../../testing/test-auth.ts';

const domain = 'learn.my-school.com';

describe('a domain that a school has proven', () => {
  let auth: TestAuth;
  let client: Client;
  let origin: string;
  const tell = (type: 'DomainVerified' | 'DomainRemoved', school = auth.school.id, name = domain) =>
    tellOfSchool(auth.ports, school, { type, data: { domain: name } });
  beforeAll(async () => {
    auth = await startAuth();
    client = await Client.register(auth.school.url);
    origin = `http://${domain}:${new URL(auth.school.url).port}`;
    await tell('DomainVerified', auth.other.id, 'other.my-school.com');
  });
  beforeEach(() => tell('DomainVerified'));
  afterAll(() => auth.close());

  const asked = async (resource: string) => {
    const { left } = await new Person().visit(client.start('openid', { resource }).url);
    return left?.searchParams.get('error') ?? undefined;
  };
  const redeem = async (
    atAuthorize: string | undefined,
    atToken: readonly string[] = [],
    between: () => Promise<void> = async () => undefined,
  ) => {
    const more = atAuthorize === undefined ? {} : { resource: atAuthorize };
    const { code, verifier } = await approved(client, 'openid email', { more });
    await between();
    const form = new URLSearchParams({ grant_type: 'authorization_code', client_id: client.id, code });
    form.append('redirect_uri', client.redirectUri);
    form.append('code_verifier', verifier);
    for (const each of atToken) form.append('resource', each);
    const response = await fetch(`${auth.school.url}/api/oauth/token`, { method: 'POST', body: form });
    const body = (await response.json()) as { access_token: string; refresh_token: string; error?: string };
    return { ...body, says: body.access_token ? decodeJwt(body.access_token) : undefined };
  };

  test('RFC 8707 §2: is a resource of the school, and the issuer stays what it is', async () => {
    for (const resource of [origin, `${origin}/`, `${origin}/mcp`, `${origin}/api/courses`])
      expect([resource, await asked(resource)]).toEqual([resource, undefined]);
    const { says } = await redeem(`${origin}/mcp`, [`${origin}/mcp`]);
    expect(says).toMatchObject({ aud: `${origin}/mcp`, iss: auth.school.url });
    expect((await redeem(undefined, [`${origin}/mcp`, auth.school.url])).says?.aud).toEqual([
      `${origin}/mcp`,
      auth.school.url,
    ]);
  });

  test.each([
    ['another school’s domain', 'http://other.my-school.com:PORT/mcp'],
    ['a domain that nobody has proven', 'http://learn.my-school.org:PORT'],
    ['another port', `http://${domain}:1`],
    ['another scheme', `https://${domain}:PORT`],
    ['what only begins like it', `http://${domain}.evil.test:PORT`],
    ['a fragment', `http://${domain}:PORT/mcp#part`],
    ['dot segments', `http://${domain}:PORT/mcp/../api`],
    ['another spelling', `http://Learn.my-school.com:PORT/mcp`],
  ])('RFC 8707 §2: with %s it is invalid_target, at both endpoints', async (_, text) => {
    const resource = text.replace('PORT', new URL(auth.school.url).port);
    expect(await asked(resource)).toBe('invalid_target');
    expect((await redeem(undefined, [resource])).error).toBe('invalid_target');
  });

  test('RFC 8707 §2: is a resource no more once it is taken away: not for codes, and not for refresh tokens', async () => {
    const { refresh_token } = await redeem(`${origin}/mcp`);
    await tell('DomainRemoved');
    expect(await asked(`${origin}/mcp`)).toBe('invalid_target');
    expect((await client.refresh(refresh_token)).body.error).toBe('invalid_target');
    await tell('DomainVerified');
    expect((await redeem(`${origin}/mcp`, [], () => tell('DomainRemoved'))).error).toBe('invalid_target');
    // The refusal has cost nothing: when the domain is back, the same refresh token is good.
    await tell('DomainVerified');
    expect(decodeJwt((await client.refresh(refresh_token)).body.access_token).aud).toBe(`${origin}/mcp`);
  });

  test('OIDC Core §5.3: a token for it opens UserInfo, while it is the school’s', async () => {
    const { access_token } = await redeem(`${origin}/mcp`);
    expect((await userinfo(auth.school, access_token)).status).toBe(200);
    await tell('DomainRemoved');
    expect((await userinfo(auth.school, access_token)).status).toBe(401);
  });

  test('RFC 9728 §3.3: a challenge names the metadata of the address that was asked, if that is the school’s', async () => {
    const challenge = async (at: string) => {
      const headers = { 'x-school-origin': at };
      const { headers: answered } = await fetch(`${auth.school.url}/api/oauth/userinfo`, { headers });
      return answered.get('www-authenticate');
    };
    const named = (at: string) => `Bearer resource_metadata="${at}/.well-known/oauth-protected-resource"`;
    expect(await challenge(origin)).toBe(named(origin));
    expect(await challenge('https://evil.test')).toBe(named(auth.school.url));
  });
});
