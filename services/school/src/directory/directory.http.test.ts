import { afterEach, describe, expect, test } from '@jest/globals';
import { uuidv5 } from '@lyceum/kernel';
import { type Schools, engines, startSchools } from '../testing/school-service.ts';
import { demoSchoolId } from '@lyceum/contracts';
import { enter } from './provisioning.ts';

const wanted = {
  slug: 'harbour-yoga',
  name: 'Harbour Yoga',
  host: 'yoga.example',
  base_url: 'https://yoga.example',
  owner_email: 'owner@yoga.example',
  currency: 'EUR',
  timezone: 'Europe/Lisbon',
  locale: 'pt-PT',
};

describe('provisioning a school', () => {
  let schools: Schools;
  afterEach(() => schools.close());
  const listed = async () => (await schools.operate('GET')).body.data as { id: string; slug: string; host: string }[];

  test('gives it an id, a place in the directory, a tenant of its own, and tells the other services', async () => {
    schools = await startSchools();
    const { status, body } = await schools.operate('POST', wanted);
    const { owner_email, ...shown } = wanted;
    expect([status, body]).toEqual([
      201,
      {
        ...shown,
        object: 'school',
        id: body.id,
        settled: true,
        created_at: body.created_at,
        updated_at: body.updated_at,
      },
    ]);
    expect(await listed()).toEqual([{ ...body, updated_at: expect.any(String) }]);
    expect((await schools.visit(body.id)).body).toMatchObject({ id: body.id, name: 'Harbour Yoga', view: 'anonymous' });
    const facts = await schools.heard();
    expect(facts.map(({ tenant, fact }) => [tenant, fact.type])).toEqual([[body.id, 'SchoolProvisioned']]);
    expect(JSON.stringify(facts)).not.toContain(owner_email);
  });

  test('newcomer 26: shows one school, as of now, and says when there is none', async () => {
    schools = await startSchools();
    const { body } = await schools.operate('POST', wanted);
    const read = (id: string) => schools.call('GET', `/internal/schools/${id}`, { school: id });
    expect([(await read(body.id)).status, (await read(body.id)).body.slug]).toEqual([200, wanted.slug]);
    expect((await read('school_none')).status).toBe(404);
  });

  test.each([
    ['slug', 'slug_taken', { host: 'other.example', base_url: 'https://other.example' }],
    ['host', 'host_taken', { slug: 'another-slug' }],
  ])('with a %s that another school has is 409 %s and changes nothing', async (_, error, other) => {
    schools = await startSchools();
    await schools.operate('POST', wanted);
    const refused = await schools.operate('POST', { ...wanted, ...other });
    expect([refused.status, refused.body.error]).toEqual([409, error]);
    expect(await listed()).toHaveLength(1);
    expect(await schools.heard()).toHaveLength(1);
  });

  test('20 times at once with one slug succeeds once', async () => {
    schools = await startSchools();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        schools.operate('POST', { ...wanted, host: `h${index}.example`, base_url: `https://h${index}.example` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await listed()).toHaveLength(1);
  });

  test('keeps the port with the host, whether it was given or not', async () => {
    schools = await startSchools();
    const base_url = 'http://yoga.localhost:8080';
    const first = await schools.operate('POST', { ...wanted, base_url, host: 'yoga.localhost' });
    expect([first.status, first.body.host]).toEqual([201, 'yoga.localhost:8080']);
    const second = { ...wanted, slug: 'second', base_url: 'http://yoga.localhost:8081', host: 'yoga.localhost:8081' };
    expect((await schools.operate('POST', second)).status).toBe(201);
  });

  test.each([
    ['slug', { slug: 'Has Spaces' }],
    ['slug', { slug: '-edge' }],
    ['name', { name: ' ' }],
    ['host', { host: 'elsewhere.example' }],
    ['host', { host: 'YOGA.example' }],
    ['base_url', { base_url: 'http://yoga.example' }],
    ['base_url', { base_url: 'https://yoga.example/' }],
    ['base_url', { base_url: 'yoga.example' }],
    ['owner_email', { owner_email: 'nobody' }],
    ['currency', { currency: 'EURO' }],
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['locale', { locale: 'pt_PT' }],
    ['surprise', { surprise: true }],
  ])('with a bad %s is 422 that names it, and changes nothing', async (path, change) => {
    schools = await startSchools();
    const { status, body } = await schools.operate('POST', { ...wanted, ...change });
    expect([status, body.error]).toEqual([422, 'validation_failed']);
    expect(body.details.map((detail: { path: string }) => detail.path)).toContain(path);
    expect(await listed()).toEqual([]);
  });

  test('twice with one Idempotency-Key is one school; with another body the key is refused', async () => {
    schools = await startSchools();
    const key = { 'idempotency-key': '"k1"' };
    const first = await schools.operate('POST', wanted, key);
    const second = await schools.operate('POST', wanted, key);
    expect([second.status, second.body.id]).toEqual([201, first.body.id]);
    const other = await schools.operate('POST', { ...wanted, name: 'Other' }, key);
    expect([other.status, other.body.error]).toEqual([422, 'idempotency_key_reused']);
    expect(await listed()).toHaveLength(1);
  });

  test('that was cut off after the directory is finished at the next start', async () => {
    const on = engines();
    schools = await startSchools(on);
    const id = on.ids.next('school');
    const { owner_email: _, ...profile } = wanted;
    const commit = { commitId: uuidv5('cut off') };
    await enter(schools.ports, id, { type: 'AdmitSchool', school: id, profile }, { meta: { actor: 'test' }, commit });
    expect(await schools.heard()).toEqual([]);
    await schools.close();
    schools = await startSchools(on);
    expect((await schools.heard()).map(({ tenant, fact }) => [tenant, fact.type])).toEqual([[id, 'SchoolProvisioned']]);
    expect((await schools.visit(id)).status).toBe(200);
  });
});

describe('the demo schools', () => {
  const demo = (port: number) => ({ password: 'unused here', port, baseUrl: `http://127.0.0.1:${port}` });

  test('have ids that never change, are made once, and move with the port', async () => {
    const on = engines();
    const schools = await startSchools(on);
    await schools.started.seedDemo?.(demo(8080));
    await schools.started.seedDemo?.(demo(8080));
    await schools.started.seedDemo?.(demo(9000));
    const heard = await schools.heard();
    const facts = heard
      .filter(({ fact }) => ['SchoolProvisioned', 'SchoolMoved'].includes(fact.type))
      .map(({ tenant, fact }) => [tenant, fact.type, (fact.data as { host: string }).host]);
    const [lantern, quay] = [demoSchoolId('lantern-craft'), demoSchoolId('north-quay')];
    expect(facts.filter(([tenant]) => tenant === lantern)).toEqual([
      [lantern, 'SchoolProvisioned', '127.0.0.1:8080'],
      [lantern, 'SchoolMoved', '127.0.0.1:9000'],
    ]);
    expect(facts.filter(([tenant]) => tenant === quay)).toEqual([
      [quay, 'SchoolProvisioned', 'northquay.localhost:8080'],
      [quay, 'SchoolMoved', 'northquay.localhost:9000'],
    ]);
    const heir = { ...wanted, base_url: 'http://127.0.0.1:8080', host: '127.0.0.1:8080' };
    expect((await schools.operate('POST', heir)).status).toBe(201);
    await expect(schools.started.seedDemo?.(demo(8080))).rejects.toThrow('cannot be at http://127.0.0.1:8080');
    await schools.close();
  });
});
