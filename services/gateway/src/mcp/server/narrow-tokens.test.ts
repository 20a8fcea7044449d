import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestService, auth, catalog, courses, give, school } from '../testing/catalog.ts';
import { type McpTestServer, type Said, openMcpTestServer } from '../testing/mcp-test-server.ts';

const scopesIn = (authorization: string): readonly string[] => {
  const [, payload = ''] = authorization.split('.');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { scope: string }).scope.split(' ');
};

/** A service as the real ones are: anybody may read, but a token has to hold the scope. */
const guarded =
  (scope: string, service: TestService): TestService =>
  (request) => {
    const { authorization } = request.headers;
    if (authorization === undefined || scopesIn(authorization).includes(scope)) return service(request);
    const description = `This operation needs the scope ${scope}`;
    return give(403, { error: 'insufficient_scope', error_description: description });
  };

describe('a token that holds little', () => {
  let edge: McpTestServer;
  beforeEach(async () => {
    const services = { catalog: guarded('courses:read', catalog), school: guarded('school:read', school) };
    edge = await openMcpTestServer({ auth: guarded('account:read', auth), ...services });
  });
  afterEach(() => edge.close());

  const call = (name: string, args: object, token: string) =>
    edge.modern('tools/call', { name, arguments: args }, { token });

  test.each([
    ['get_school', {}],
    ['search_courses', { limit: 3 }],
    ['lookup_courses', { ids: ['course-1'] }],
    ['get_course', { id: 'course-1', include: ['offers'] }],
    ['list_offers', {}],
    ['list_events', {}],
    ['list_posts', {}],
    ['search', { query: 'Course' }],
    ['fetch', { id: 'course-1' }],
  ])('a tool that is open to anybody, %s, gives it what anybody gets', async (name, args) => {
    const open = (await edge.modern('tools/call', { name, arguments: args })).body['result'];
    const { status, body } = await call(name, args, await edge.school.token({ scopes: ['openid'] }));
    const given = ({ structuredContent }: Said) => ({ ...structuredContent, next_cursor: null });
    expect(open.isError).toBeUndefined();
    expect([status, given(body['result'])]).toEqual([200, given(open)]);
  });

  test('what it shows says as whom, and with the scope it is more', async () => {
    const view = async (scopes: string[]) =>
      (await call('get_course', { id: courses[0]!.slug }, await edge.school.token({ scopes }))).body['result']
        .structuredContent.view;
    expect(await view(['openid'])).toEqual({ as: 'anonymous', scopes_used: [] });
    expect(await view(['courses:read'])).toEqual({ as: 'staff', scopes_used: ['courses:read'] });
  });

  test('what belongs to a person is challenged: nobody else’s is shown instead', async () => {
    for (const name of ['get_my_account', 'list_my_courses', 'list_my_subscriptions']) {
      const { status, headers } = await call(name, {}, await edge.school.token({ scopes: ['openid'] }));
      expect(status).toBe(403);
      expect(headers.get('www-authenticate')).toContain('scope="openid account:read"');
    }
  });

  const names = async (claims: object) => {
    const { body } = await edge.legacy('tools/list', {}, await edge.school.token(claims));
    return (body['result'].tools as { name: string }[]).map(({ name }) => name);
  };

  test('whoever is signed in is shown every tool that the role allows, whatever the token holds', async () => {
    const all = await names({ role: 'owner' });
    expect(all).toEqual(expect.arrayContaining(['search_courses', 'upsert_course', 'publish_course']));
    for (const role of ['owner', 'admin']) expect(await names({ role, scopes: ['openid'] })).toEqual(all);
    const ofAdmins = ['enroll_student', 'list_orders', 'list_subscriptions', 'cancel_subscription'];
    expect(all).toEqual(expect.arrayContaining(ofAdmins));
    const ofLecturers = all.filter((name) => !ofAdmins.includes(name));
    expect(await names({ role: 'lecturer', scopes: ['openid'] })).toEqual(ofLecturers);
    expect(await names({ role: 'member', scopes: ['openid'] })).not.toContain('upsert_course');
  });

  test('RFC 6750 §3.1: a call beyond its scopes is 403 and names what is needed beside what it holds', async () => {
    const token = await edge.school.token({ scopes: ['account:read', 'openid', 'courses:read'] });
    const { status, headers } = await call('publish_course', { id: 'course-1' }, token);
    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toContain('scope="openid courses:read courses:write account:read"');
  });

  test('a tool that the role may never use says so, instead of asking to sign in again and again', async () => {
    const token = await edge.school.token({ role: 'member', scopes: ['openid'] });
    const args = { fields: { title: 'New' }, idempotency_key: 'key-00000001' };
    const { status, body } = await call('upsert_course', args, token);
    expect([status, body['result'].isError]).toEqual([200, true]);
    expect(body['result'].content[0].text).toContain('not for the role member');
    expect(edge.seen).toEqual([]);
  });

  test('what writes is never tried again as anybody', async () => {
    const token = await edge.school.token({ scopes: ['courses:write', 'courses:read'] });
    await edge.close();
    const refusing: TestService = (request) =>
      (request.method === 'GET' ? catalog : guarded('nothing', catalog))(request);
    edge = await openMcpTestServer({ catalog: refusing });
    await call('publish_course', { id: 'course-1', idempotency_key: 'key-00000001' }, token);
    const written = edge.seen.filter(({ method }) => method === 'POST');
    expect(written.every(({ headers }) => headers['authorization'] !== undefined)).toBe(true);
  });
});
