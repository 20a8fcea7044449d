import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Role, Scope } from '@lyceum/contracts';
import { type TestSchool, testSchool } from '@lyceum/oauth/testing';
import { trustState } from '@lyceum/oauth';
import { until } from '@lyceum/testkit';
import { type Engines, type Schools, engines, startSchools } from '../testing/school-service.ts';
import { releaseDomain, takeDomain } from './domain.taking.ts';

const path = '/api/school/domains';
const domain = 'learn.my-school.com';

describe('the domains of a school', () => {
  let on: Engines;
  let schools: Schools;
  let trust: ReturnType<typeof trustState>;
  /** What the DNS says; a function answers by itself. */
  let records: Map<string, readonly string[]>;
  let resolve: (name: string) => Promise<readonly string[]>;
  const keys = new Map<string, TestSchool>();
  let loom: string;
  let kiln: string;

  const start = async () => {
    trust = trustState(on.clock);
    schools = await startSchools(on, trust, { resolveTxt: (name) => resolve(name) });
  };
  const provision = async (slug: string) => {
    const place = { host: `${slug}.lyceum.app`, base_url: `https://${slug}.lyceum.app` };
    const more = { currency: 'EUR', timezone: 'Europe/Lisbon', locale: 'en' };
    const { body } = await schools.operate('POST', { slug, name: slug, ...place, ...more });
    await known(body.id, place.base_url);
    return body.id as string;
  };
  const known = async (id: string, issuer: string) =>
    keys.set(id, await testSchool({ clock: on.clock, id, issuer, trust }));
  const as = async (
    school: string,
    method: string,
    at: string,
    body?: unknown,
    role: Role = 'owner',
    scopes?: readonly Scope[],
  ) => {
    const token = await keys.get(school)!.token({ role, ...(scopes ? { scopes } : {}) });
    return schools.call(method, path + at, { school, token, ...(body === undefined ? {} : { body }) });
  };
  const add = (school: string, name = domain) => as(school, 'POST', '', { domain: name });
  const verify = (school: string, name = domain) => as(school, 'POST', `/${name}/verify`);
  const publish = ({ record }: { record: { name: string; value: string } }) =>
    records.set(record.name, [...(records.get(record.name) ?? []), record.value]);
  const facts = async () =>
    (await schools.heard())
      .filter(({ fact }) => fact.type.startsWith('Domain'))
      .map(({ tenant, fact }) => [tenant, fact.type, fact.data]);

  beforeEach(async () => {
    on = engines();
    records = new Map();
    resolve = async (name) => records.get(name) ?? [];
    await start();
    [loom, kiln] = [await provision('loom'), await provision('kiln')];
  });
  afterEach(() => schools.close());

  test('are added, proven by a TXT record, listed and removed, and others hear where the school answers', async () => {
    const added = await add(loom, 'Learn.My-School.com.');
    expect([added.status, added.headers.get('location')]).toEqual([201, `${path}/${domain}`]);
    expect(added.body).toMatchObject({
      object: 'school_domain',
      domain,
      state: 'pending',
      record: { type: 'TXT', name: `_lyceum-challenge.${domain}`, value: expect.stringMatching(/=[\w-]{16,}$/) },
      verified_at: null,
    });
    const unproven = await verify(loom);
    expect([unproven.status, unproven.body.error]).toEqual([409, 'domain_unproven']);
    expect(unproven.body.error_description).toContain(added.body.record.name);
    expect(await facts()).toEqual([]);
    publish(added.body);
    const done = await verify(loom);
    expect([done.status, done.body.state]).toEqual([200, 'verified']);
    expect((await verify(loom)).status).toBe(200);
    expect((await as(loom, 'GET', '')).body.data).toEqual([{ ...done.body, view: undefined }]);
    expect((await as(loom, 'DELETE', `/${domain}`)).status).toBe(204);
    expect((await as(loom, 'DELETE', `/${domain}`)).status).toBe(404);
    expect((await as(loom, 'GET', '')).body.data).toEqual([]);
    expect(await facts()).toEqual([
      [loom, 'DomainVerified', { domain }],
      [loom, 'DomainRemoved', { domain }],
    ]);
  });

  test('added again keep their record; removed and added again they get another, and the old one proves nothing', async () => {
    const first = await add(loom);
    expect((await add(loom)).body.record).toEqual(first.body.record);
    publish(first.body);
    await as(loom, 'DELETE', `/${domain}`);
    expect((await add(loom)).body.record.value).not.toBe(first.body.record.value);
    expect((await verify(loom)).body.error).toBe('domain_unproven');
  });

  test('one school’s record proves nothing for another', async () => {
    publish((await add(loom)).body);
    await add(kiln);
    expect((await verify(kiln)).body.error).toBe('domain_unproven');
  });

  test('of schools that prove one domain at once exactly one gets it, and the next when it gives it back', async () => {
    for (const school of [loom, kiln]) publish((await add(school)).body);
    const answers = await Promise.all([loom, kiln, loom, kiln].map((school) => verify(school)));
    const winners = new Set([loom, kiln].filter((_, at) => answers[at]!.status === 200));
    expect(winners.size).toBe(1);
    const [winner] = winners;
    const loser = winner === loom ? kiln : loom;
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    expect((await verify(loser)).body.error).toBe('domain_taken');
    expect(await facts()).toEqual([[winner, 'DomainVerified', { domain }]]);
    await as(winner!, 'DELETE', `/${domain}`);
    expect((await verify(loser)).status).toBe(200);
    expect((await add(winner!)).body.error).toBe('domain_taken');
  });

  test('and the hosts of schools are of one name space, in both directions', async () => {
    const place = { host: domain, base_url: `https://${domain}` };
    const profile = {
      slug: 'guild',
      name: 'Guild',
      currency: 'EUR',
      timezone: 'Europe/Lisbon',
      locale: 'en',
      ...place,
    };
    publish((await add(loom)).body);
    await verify(loom);
    expect((await schools.operate('POST', profile)).body.error).toBe('host_taken');
    await as(loom, 'DELETE', `/${domain}`);
    publish((await add(loom)).body);
    expect((await schools.operate('POST', profile)).status).toBe(201);
    expect((await verify(loom)).body.error).toBe('domain_taken');
    expect((await add(kiln)).body.error).toBe('domain_taken');
  });

  test('cannot be what is no domain of the public DNS: 422 names the field', async () => {
    const wrong = ['127.0.0.1', 'school', 'x.lyceum.app', 'a.localhost', 'my-school.com:80', '*.my-school.com', '', 7];
    for (const name of wrong) {
      const { status, body } = await as(loom, 'POST', '', { domain: name });
      expect([name, status, body.error, body.details[0].path]).toEqual([name, 422, 'validation_failed', 'domain']);
    }
    expect((await as(loom, 'GET', '')).body.data).toEqual([]);
  });

  test('are the owner’s to change, the owner’s and admin’s to see, and nobody else’s', async () => {
    await add(loom);
    for (const role of ['admin', 'lecturer', 'member'] as const) {
      expect((await as(loom, 'POST', '', { domain }, role)).status).toBe(403);
      expect((await as(loom, 'POST', `/${domain}/verify`, undefined, role)).status).toBe(403);
      expect((await as(loom, 'DELETE', `/${domain}`, undefined, role)).status).toBe(403);
      expect((await as(loom, 'GET', '', undefined, role)).status).toBe(role === 'admin' ? 200 : 403);
    }
    expect((await as(loom, 'POST', '', { domain }, 'owner', ['school:read'])).body.error).toBe('insufficient_scope');
    const visitor = await schools.call('GET', path, { school: loom });
    expect([visitor.status, visitor.body.data, visitor.body.view]).toEqual([200, [], 'anonymous']);
    expect((await schools.call('POST', path, { school: loom, body: { domain } })).status).toBe(403);
    expect((await as(kiln, 'GET', '')).body.data).toEqual([]);
    expect((await as(kiln, 'DELETE', `/${domain}`)).status).toBe(404);
  });

  test('are listed by name, a page at a time, as of now', async () => {
    for (const name of ['c', 'a', 'b']) await add(loom, `${name}.my-school.com`);
    const first = await as(loom, 'GET', '?limit=2');
    expect([first.body.data.map((each: { domain: string }) => each.domain), first.body.has_more]).toEqual([
      ['a.my-school.com', 'b.my-school.com'],
      true,
    ]);
    const rest = await as(loom, 'GET', `?limit=2&cursor=${first.body.next_cursor}`);
    expect([rest.body.data.map((each: { domain: string }) => each.domain), rest.body.has_more]).toEqual([
      ['c.my-school.com'],
      false,
    ]);
  });

  test('whose records cannot be looked up just now are not proven, and may be tried again', async () => {
    await add(loom);
    resolve = async () => Promise.reject(new Error('queryTxt ETIMEOUT'));
    const { status, headers, body } = await verify(loom);
    expect([status, headers.get('retry-after'), body.error]).toEqual([409, '30', 'domain_unproven']);
    expect(JSON.stringify(body)).not.toContain('ETIMEOUT');
    expect(await facts()).toEqual([]);
  });

  test('removed while they are being verified stay removed, and are free for another school', async () => {
    publish((await add(loom)).body);
    const look = resolve;
    resolve = async (name) => {
      await as(loom, 'DELETE', `/${domain}`);
      return look(name);
    };
    expect((await verify(loom)).status).toBe(404);
    resolve = look;
    publish((await add(kiln)).body);
    expect((await verify(kiln)).status).toBe(200);
    expect(await facts()).toEqual([[kiln, 'DomainVerified', { domain }]]);
  });

  test('whose verification was cut off between platform and school are verified at the next start', async () => {
    const { record } = (await add(loom)).body;
    const holding = { domain, school: loom, proof: record.value.split('=')[1] };
    await schools.close();
    await takeDomain(on, holding, { actor: 'test' });
    await start();
    await known(loom, 'https://loom.lyceum.app');
    await until(async () => (await facts()).length > 0);
    expect(await facts()).toEqual([[loom, 'DomainVerified', { domain }]]);
    expect((await as(loom, 'GET', '')).body.data[0].state).toBe('verified');
  });

  test('that a school removed before the platform kept them for it are given back', async () => {
    const { record } = (await add(loom)).body;
    const holding = { domain, school: loom, proof: record.value.split('=')[1] };
    await as(loom, 'DELETE', `/${domain}`);
    await schools.close();
    await takeDomain(on, holding, { actor: 'test' });
    await start();
    await known(kiln, 'https://kiln.lyceum.app');
    await until(async () => (await add(kiln)).status === 201);
    publish((await add(kiln)).body);
    expect((await verify(kiln)).status).toBe(200);
    await releaseDomain(on, holding);
    expect((await verify(kiln)).status).toBe(200);
  });
});
