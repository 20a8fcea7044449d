import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { trustState } from '@lyceum/oauth';
import { type TestSchool, testSchool } from '@lyceum/oauth/testing';
import { demoSchoolId } from '@lyceum/contracts';
import { type Schools, engines, startSchools } from '../testing/school-service.ts';

describe('GET /api/school', () => {
  const id = demoSchoolId('lantern-craft');
  let schools: Schools;
  let keys: TestSchool;
  beforeEach(async () => {
    const on = engines();
    const trust = trustState(on.clock);
    schools = await startSchools(on, trust);
    keys = await testSchool({ clock: on.clock, id, issuer: 'http://127.0.0.1:8080', trust });
    await schools.started.seedDemo?.({ password: 'unused here', port: 8080, baseUrl: 'http://127.0.0.1:8080' });
  });
  afterEach(() => schools.close());

  test('shows a visitor what is public, with the version as ETag', async () => {
    const { status, headers, body } = await schools.visit(id);
    expect([status, headers.get('etag')]).toEqual([200, '"2"']);
    expect(body).toEqual({
      id,
      object: 'school',
      view: 'anonymous',
      name: 'Lantern Craft School',
      tagline: null,
      logo: null,
      favicon: null,
      contact_email: null,
      social_links: [],
      legal: { terms: null, privacy: null, imprint: null },
      navigation: [],
      primary_domain: '127.0.0.1:8080',
      base_url: 'http://127.0.0.1:8080',
      locale: 'en',
      timezone: 'Europe/Lisbon',
      currency: 'USD',
      sign_up: 'open',
      created_at: '2026-01-05T08:00:00.000Z',
      updated_at: '2026-01-05T08:00:00.000Z',
      version: 2,
    });
  });

  test('is described, and the operator operations are not', () => {
    const paths = Object.keys(schools.started.openapi?.['paths'] ?? {});
    expect(paths).toContain('/api/school');
    expect(paths.filter((path) => path.startsWith('/internal'))).toEqual([]);
  });

  test('shows staff the slug too, and a member not', async () => {
    const staff = await schools.visit(id, await keys.token({ scopes: ['school:read'], role: 'admin' }));
    expect(staff.body).toMatchObject({ view: 'staff', slug: 'lantern-craft' });
    const member = await schools.visit(id, await keys.token({ scopes: ['school:read'], role: 'member' }));
    expect(member.body.view).toBe('member');
    expect(member.body).not.toHaveProperty('slug');
  });

  test('lets owners and admins say who may open an account, and tells the other services', async () => {
    const set = async (role: 'admin' | 'lecturer', sign_up: string) => {
      const token = await keys.token({ role });
      return schools.call('PUT', '/api/school/sign_up', { school: id, token, body: { sign_up } });
    };
    expect((await set('lecturer', 'invited')).status).toBe(403);
    expect((await set('admin', 'nobody')).status).toBe(422);
    expect((await set('admin', 'invited')).body).toMatchObject({ sign_up: 'invited', version: 3 });
    expect((await set('admin', 'invited')).body.version).toBe(3);
    const facts = (await schools.heard()).filter(
      ({ tenant, fact }) => tenant === id && fact.type === 'SchoolSignUpSet',
    );
    expect(facts.map(({ fact }) => fact.data)).toEqual([{ sign_up: 'open' }, { sign_up: 'invited' }]);
  });

  test('refuses a token without school:read, a token of another school, and a school that does not exist', async () => {
    const token = await keys.token({ scopes: ['courses:read'] });
    const refused = await schools.visit(id, token);
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
    const elsewhere = await schools.visit(demoSchoolId('north-quay'), token);
    expect([elsewhere.status, elsewhere.body.error]).toEqual([401, 'invalid_token']);
    expect((await schools.visit('school_unknown')).status).toBe(404);
  });
});
