import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Person, type Place, call, describeTopologiesIfLong, loopbackFetch, patience } from '@lyceum/testkit';
import { hasStatus, inForce } from '../../testing/in-force.ts';

const password = 'seven kites above the harbour';

/** A school of its own, suspended, resumed and closed while every service answers for it. */
await describeTopologiesIfLong('a school that is not open', ({ open, lag }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let school: string;
  let base: string;
  let owner: string;
  const operate = (path: string, json?: object) =>
    call(`${system.operatorUrl}${path}`, {
      ...(json === undefined ? {} : { json }),
      method: 'POST',
      token: system.operatorToken,
    });
  const within = lag === 0 ? 1_000 : patience;

  beforeAll(async () => {
    ({ system, close } = await open());
    const slug = `kiln-${system.port}`;
    base = `http://${slug}.localhost:${system.port}`;
    const place = { slug, name: 'Kiln', host: new URL(base).host, base_url: base };
    const made = await operate('/internal/schools', {
      ...place,
      currency: 'EUR',
      timezone: 'Europe/Lisbon',
      locale: 'en',
    });
    school = made.body.id;
    const invited = await operate('/internal/members', { school, email: 'olga@kiln.test', role: 'owner' });
    await inForce(within, () => call(`${base}/api/school`), hasStatus(200));
    const person = new Person();
    const page = await person.visit(invited.body.invitation_url);
    expect((await person.submit(page, { name: 'Olga', password })).status).toBe(200);
    const client = await Client.register(base);
    const scope = 'openid school:read school:write courses:read account:read account:write';
    owner = (await client.tokens('olga@kiln.test', password, scope)).access_token;
  }, 400_000);
  afterAll(() => close());

  const visit = (path: string) => call(`${base}${path}`, { headers: { accept: 'application/json' } });
  const asOwner = (path: string, options: Parameters<typeof call>[1] = {}) =>
    call(`${base}${path}`, { token: owner, ...options });

  test('suspended: no service answers visitors within a second, the staff reads, people reach their accounts', async () => {
    expect((await operate(`/internal/schools/${school}/suspend`, { reason: 'Unpaid' })).status).toBe(200);
    for (const path of ['/api/school', '/api/courses', '/llms.txt', '/', '/courses/any-course']) {
      const refused = await inForce(within, () => visit(path), hasStatus(503));
      expect([path, refused.status, refused.body.error]).toEqual([path, 503, 'school_suspended']);
    }
    expect((await asOwner('/api/courses')).status).toBe(200);
    expect((await asOwner('/api/school')).body).toMatchObject({ status: 'suspended', suspended_for: 'Unpaid' });
    const write = await asOwner('/api/school', { method: 'PATCH', json: { tagline: 'X' } });
    expect(write.body.error).toBe('school_suspended');
    const renamed = await asOwner('/api/account', { method: 'PATCH', json: { name: 'Olga K' } });
    expect([renamed.status, renamed.body.name]).toEqual([200, 'Olga K']);
    expect((await visit('/.well-known/openid-configuration')).status).toBe(200);
  });

  test('resumed: everything is as before, under another name and in another language', async () => {
    expect((await operate(`/internal/schools/${school}/resume`)).status).toBe(200);
    for (const path of ['/api/school', '/api/courses', '/llms.txt'])
      expect((await inForce(within, () => visit(path), hasStatus(200))).status).toBe(200);
    const changed = { name: 'Kiln and Clay', locale: 'de', currency: 'CHF' };
    const patched = await inForce(
      within,
      () => asOwner('/api/school', { method: 'PATCH', json: changed }),
      hasStatus(200),
    );
    expect(patched.body).toMatchObject(changed);
    const page = async () => {
      const reply = await new Person().visit(`${base}/oauth/account`);
      return reply.text.includes('Kiln and Clay') && reply.text.includes('lang="de"');
    };
    expect(await inForce(within, page, (isKnown) => isKnown)).toBe(true);
    const index = async () => (await loopbackFetch(`${base}/llms.txt`)).text();
    expect(await inForce(within, index, (text) => text.includes('Kiln and Clay'))).toContain('Kiln and Clay');
  });

  test('closed by its owner: for ever, and its staff can still read', async () => {
    const slug = new URL(base).hostname.split('.')[0];
    expect((await asOwner('/api/school/close', { method: 'POST', json: { slug } })).status).toBe(200);
    for (const path of ['/api/school', '/api/courses', '/']) {
      const refused = await inForce(within, () => visit(path), hasStatus(410));
      expect([path, refused.status, refused.body.error]).toEqual([path, 410, 'school_closed']);
    }
    expect((await asOwner('/api/school')).body).toMatchObject({ status: 'closed' });
    expect((await operate(`/internal/schools/${school}/resume`)).body.error).toBe('invalid_state');
  });
});
