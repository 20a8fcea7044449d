import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Person, type Place, approve, call, codeOf, describeTopologies } from '@lyceum/testkit';
import { hasStatus, inForce } from '../../testing/in-force.ts';
import { joinByInvitation } from '../../testing/joining.ts';
import { latencies } from '../../testing/latencies.ts';

/** Who may see and do what, through the real gateway, with tokens that the real pages gave. */
await describeTopologies('access', ({ open, lag }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let client: Client;
  const lantern = 'owner@lantern.test';
  beforeAll(async () => {
    ({ system, close } = await open());
    client = await Client.register(system.baseUrl);
  }, 400_000);
  afterAll(() => close());

  const courses = () => `${system.baseUrl}/api/courses`;
  const metadata = () => `resource_metadata="${system.baseUrl}/.well-known/oauth-protected-resource"`;
  const tokens = (email: string, scope: string) => client.tokens(email, system.password, scope);

  test('no token: the anonymous view, and no challenge', async () => {
    const { status, headers, body } = await call(courses());
    expect(status).toBe(200);
    expect(headers.has('www-authenticate')).toBe(false);
    expect(body).toMatchObject({ object: 'list', view: 'anonymous' });
    expect(body.data.length).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toContain('internal_note');
  });

  test.each(['garbage', 'a.b.c', '', 'eyJhbGciOiJub25lIn0.e30.'])(
    'RFC 6750 §3.1: the malformed token "%s" is 401 invalid_token with the protected-resource metadata, never anonymous',
    async (token) => {
      const { status, headers, body } = await call(courses(), { token });
      expect([status, body.error]).toEqual([401, 'invalid_token']);
      expect(headers.get('www-authenticate')).toContain('Bearer error="invalid_token"');
      expect(headers.get('www-authenticate')).toContain(metadata());
    },
  );

  test('RFC 6750 §3.1: a token without the scope is 403 insufficient_scope that names all scopes needed', async () => {
    const { access_token } = await tokens(lantern, 'openid courses:read');
    const refused = await call(courses(), { token: access_token, json: { title: 'No' } });
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
    expect(refused.headers.get('www-authenticate')).toContain('scope="courses:write"');
    expect(refused.headers.get('www-authenticate')).toContain(metadata());
  });

  test('an anonymous write is 403 access_denied without a challenge', async () => {
    const { status, headers, body } = await call(courses(), { json: { title: 'No' } });
    expect([status, body.error, headers.has('www-authenticate')]).toEqual([403, 'access_denied', false]);
  });

  test('a developer creates and publishes a course, visitors read it', async () => {
    const scopes = 'courses:read courses:write curriculum:write lecturers:read';
    const { access_token: token } = await tokens(lantern, scopes);
    const { body: lecturers } = await call(new URL('/api/lecturers', courses()).href, { token });
    const lecturer_ids = [lecturers.data[0].id];
    const json = { title: 'Bookbinding by hand', summary: 'Fold, sew, press.', access: 'free', lecturer_ids };
    const created = await call(courses(), { token, json });
    expect(created.status).toBe(201);
    const url = `${courses()}/${created.body.id}`;
    expect((await call(url)).status).toBe(404);
    const section = await call(`${url}/sections`, { token, json: { title: 'Sheets' } });
    const lesson = await call(`${url}/lessons`, { token, json: { section_id: section.body.id, title: 'Fold' } });
    expect((await call(`${url}/lessons/${lesson.body.id}/publish`, { method: 'POST', token })).status).toBe(200);
    const published = await call(`${url}/publish`, { method: 'POST', token });
    expect([published.status, published.body.status]).toEqual([200, 'published']);
    expect((await call(`${courses()}/bookbinding-by-hand`)).body).toMatchObject({
      view: 'anonymous',
      title: json.title,
    });
  });

  test('member token asks for orders:read at consent: narrowed; forged into a refresh: still narrowed', async () => {
    const asked = 'openid courses:read courses:write orders:read';
    const { access_token: token, refresh_token, scope } = await tokens('student@lantern.test', asked);
    expect(scope).toBe('openid courses:read');
    expect((await call(courses(), { token, json: { title: 'No' } })).status).toBe(403);
    expect((await call(courses(), { token })).body.view).toBe('member');
    const forged = await client.refresh(refresh_token, { scope: asked });
    expect([forged.status, forged.body.error]).toEqual([400, 'invalid_scope']);
    const refreshed = await client.refresh(refresh_token);
    expect([refreshed.status, refreshed.body.scope]).toEqual([200, scope]);
  });

  test(`RFC 7009 §2: a revoked token is refused at GET /api/courses ${lag === 0 ? 'at once' : `within ${lag / 2} ms mostly, and ${lag} ms always`}`, async () => {
    const taken: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const { access_token, refresh_token } = await tokens(lantern, 'courses:read');
      expect((await call(courses(), { token: access_token })).status).toBe(200);
      expect((await client.revoke(refresh_token)).status).toBe(200);
      const began = performance.now();
      const refused = await inForce(lag, () => call(courses(), { token: access_token }), hasStatus(401));
      taken.push(performance.now() - began);
      expect([refused.status, refused.body.error]).toEqual([401, 'invalid_token']);
      expect((await client.refresh(refresh_token)).body.error).toBe('invalid_grant');
    }
    if (lag > 0) latencies('revoked until refused', taken);
    const median = taken.toSorted((a, b) => a - b)[2]!;
    if (lag > 0) expect(median).toBeLessThan(lag / 2);
  });

  test('RFC 6749 §4.1.2: 50 parallel redemptions of one code: one wins, and the replay revokes its tokens', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { url, verifier } = client.start('courses:read');
      const code = codeOf(await approve(new Person(), url, lantern, system.password));
      const answers = await Promise.all(Array.from({ length: 50 }, () => client.redeem(code, verifier)));
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(49);
      const spent = await inForce(lag, () => call(courses(), { token: won[0]!.body.access_token }), hasStatus(401));
      expect(spent.status).toBe(401);
      expect((await client.refresh(won[0]!.body.refresh_token)).body.error).toBe('invalid_grant');
    }
  });

  test('a fixed HTTPS redirect URI is refused at registration', async () => {
    const json = { client_name: 'Web', redirect_uris: ['https://app.example.com/callback'] };
    const { status, body } = await call(`${system.baseUrl}/api/oauth/register`, { json });
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri']);
    expect(body.error_description.length).toBeGreaterThan(20);
  });

  test('same slug and email in two schools; token of A on host B: 401', async () => {
    const northquay = `http://northquay.localhost:${new URL(system.baseUrl).port}`;
    const [here, there] = [await call(courses()), await call(`${northquay}/api/courses`)];
    const slugs = (list: { data: { slug: string }[] }) => list.data.map(({ slug }) => slug);
    const shared = slugs(here.body).filter((slug) => slugs(there.body).includes(slug));
    expect(shared.length).toBeGreaterThan(0);
    const [ours, theirs] = await Promise.all(
      [system.baseUrl, northquay].map(async (base) => (await call(`${base}/api/courses/${shared[0]}`)).body),
    );
    expect(ours.id).not.toBe(theirs.id);

    const { access_token: token } = await tokens(lantern, 'courses:read');
    const refused = await call(`${northquay}/api/courses`, { token });
    expect([refused.status, refused.body.error]).toEqual([401, 'invalid_token']);
    expect(refused.headers.get('www-authenticate')).toContain(`resource_metadata="${northquay}/`);
    const other = await Client.register(northquay);
    const own = await other.tokens('owner@northquay.test', system.password, 'courses:read');
    expect((await call(`${northquay}/api/courses`, { token: own.access_token })).body.view).toBe('staff');
    expect((await call(courses(), { token: own.access_token })).status).toBe(401);

    const email = `both${Date.now()}@schools.test`;
    const elsewhere = { slug: 'north-quay', baseUrl: northquay, password: 'other words for the other school' };
    const [one, two] = [await joinByInvitation(system, email), await joinByInvitation(system, email, elsewhere)];
    expect(one.id).not.toBe(two.id);
    for (const [base, { token }] of [[northquay, one] as const, [system.baseUrl, two] as const])
      expect((await call(`${base}/api/account`, { token })).status).toBe(401);
    expect([await one.signsIn(), await two.signsIn()]).toEqual([true, true]);
    await expect(client.tokens(email, elsewhere.password, 'openid')).rejects.toThrow();
  });

  test('every document of discovery agrees with the issuer, and nothing in them is a dead end', async () => {
    const { body } = await call(`${system.baseUrl}/.well-known/oauth-authorization-server`);
    expect(body.issuer).toBe(system.baseUrl);
    for (const [name, url] of Object.entries<string>(body))
      if (/_endpoint$|_uri$/.test(name)) {
        const { status } = await call(url);
        expect([name, status === 404 || status >= 500]).toEqual([name, false]);
      }
  });
});
