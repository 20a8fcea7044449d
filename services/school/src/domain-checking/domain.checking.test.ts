import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { liveDocuments } from '@lyceum/documents';
import { trustState } from '@lyceum/oauth';
import { type TestSchool, testSchool } from '@lyceum/oauth/testing';
import { type Engines, type Schools, engines, startSchools } from '../testing/school-service.ts';
import { checkDomains } from './domain.checking.ts';
import { type CheckPorts, dueAfter } from './domain.checking-round.ts';

const path = '/api/school/domains';
const domain = 'learn.my-school.com';
const hour = 3_600_000;
const day = 24 * hour;

describe('the proofs of domains are looked for again', () => {
  let on: Engines;
  let schools: Schools;
  let ports: CheckPorts;
  let school: string;
  let tokens: TestSchool;
  /** What the DNS says, and how often it was asked. */
  let records: Map<string, readonly string[]>;
  let isAway: boolean;
  let asked: string[];
  const logged: (readonly [level: string, message: string])[] = [];

  beforeEach(async () => {
    on = engines();
    [records, isAway, asked] = [new Map(), false, []];
    const resolveTxt = async (name: string) => {
      asked.push(name);
      if (isAway) throw new Error('queryTxt ETIMEOUT');
      return records.get(name) ?? [];
    };
    const trust = trustState(on.clock);
    schools = await startSchools(on, trust, { resolveTxt });
    const place = { host: 'loom.lyceum.app', base_url: 'https://loom.lyceum.app' };
    const more = { currency: 'EUR', timezone: 'Europe/Lisbon', locale: 'en' };
    school = (await schools.operate('POST', { slug: 'loom', name: 'Loom', ...place, ...more })).body.id;
    tokens = await testSchool({ clock: on.clock, id: school, issuer: place.base_url, trust });
    logged.length = 0;
    const log = (level: string) => (_: object, message: string) => void logged.push([level, message]);
    const logger = { warn: log('warn'), error: log('error') } as unknown as CheckPorts['logger'];
    ports = { ...on, documents: await liveDocuments(on.documents), logger, resolveTxt };
  });
  afterEach(() => schools.close());

  const as = async (method: string, at: string, body?: unknown) => {
    const token = await tokens.token({ role: 'owner' });
    return schools.call(method, path + at, { school, token, ...(body === undefined ? {} : { body }) });
  };
  const publish = ({ record }: { record: { name: string; value: string } }) => records.set(record.name, [record.value]);
  const prove = async (name = domain) => {
    publish((await as('POST', '', { domain: name })).body);
    expect((await as('POST', `/${name}/verify`)).status).toBe(200);
    await schools.started.ready?.();
    asked.length = 0;
  };
  const shown = async (name = domain) =>
    (await as('GET', '')).body.data.find((each: { domain: string }) => each.domain === name);
  const facts = async () =>
    (await schools.heard()).flatMap(({ fact }) => (fact.type.startsWith('Domain') ? fact.type : []));
  const now = () => new Date(on.clock.now()).toISOString();
  /** Lets as many days and a few hours go by, with a round each hour of the last one. */
  const later = async (days = 1) => {
    on.clock.advance(days * day + 3 * hour);
    await checkDomains(ports);
  };

  test('about once a day, not all at the same hour, and staff see when', async () => {
    await prove();
    const verified = await shown();
    expect(verified).toMatchObject({ state: 'verified', last_checked_at: null, failing_since: null });
    on.clock.advance(21 * hour);
    await checkDomains(ports);
    expect(asked).toEqual([]);
    on.clock.advance(6 * hour);
    await checkDomains(ports);
    expect(asked).toEqual([`_lyceum-challenge.${domain}`]);
    expect(await shown()).toEqual({ ...verified, last_checked_at: now() });
    await checkDomains(ports);
    expect(asked).toHaveLength(1);
    const at = '2026-01-05T08:00:00.000Z';
    const due = ['a', 'b', 'c', 'd'].map((name) => (dueAfter(name, at) - Date.parse(at)) / hour);
    expect(new Set(due).size).toBe(4);
    expect(due.filter((hours) => hours < 21.6 || hours > 26.4)).toEqual([]);
  });

  test('all of them, a few at a time', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `d${index}.my-school.com`);
    for (const name of names) await prove(name);
    let [open, most] = [0, 0];
    const resolveTxt = async (name: string) => {
      most = Math.max(most, (open += 1));
      await new Promise((done) => setImmediate(done));
      open -= 1;
      return records.get(name) ?? [];
    };
    on.clock.advance(2 * day);
    await checkDomains({ ...ports, resolveTxt });
    expect([most > 1, most <= 8]).toEqual([true, true]);
    for (const name of names) expect((await shown(name)).last_checked_at).toBe(now());
  });

  test('one that is gone for three days takes the domain away, and staff and operators see since when', async () => {
    await prove();
    const before = await shown();
    records.clear();
    await later();
    const since = now();
    expect(await shown()).toMatchObject({ state: 'verified', failing_since: since, last_checked_at: since });
    for (const _ of ['two', 'three']) await later();
    expect(await facts()).toEqual(['DomainVerified']);
    await later();
    await schools.started.ready?.();
    const lapsed = await shown();
    expect(lapsed).toMatchObject({ state: 'lapsed', failing_since: since, verified_at: null });
    expect(lapsed.record.value).not.toBe(before.record.value);
    expect(await facts()).toEqual(['DomainVerified', 'DomainRemoved']);
    expect(logged).toEqual([
      ...Array.from({ length: 3 }, () => ['warn', 'the proof of a domain is not there']),
      ['error', 'a domain has lapsed: its proof was gone'],
    ]);
    // The old record is worth nothing any more; with the new one the school answers there again.
    publish(before);
    expect((await as('POST', `/${domain}/verify`)).body.error).toBe('domain_unproven');
    publish(lapsed);
    expect((await as('POST', `/${domain}/verify`)).body).toMatchObject({ state: 'verified', failing_since: null });
    expect(await facts()).toEqual(['DomainVerified', 'DomainRemoved', 'DomainVerified']);
  });

  test('one that comes back, or is shown to be back, ends the count', async () => {
    await prove();
    const [record] = [...records];
    for (let round = 0; round < 3; round += 1) {
      records.clear();
      for (const _ of ['one', 'two']) await later();
      expect((await shown()).failing_since).not.toBeNull();
      records.set(...record!);
      if (round === 0) await later();
      else expect((await as('POST', `/${domain}/verify`)).body.failing_since).toBeNull();
      expect(await shown()).toMatchObject({ state: 'verified', failing_since: null });
    }
    expect(await facts()).toEqual(['DomainVerified']);
  });

  test('verifying at once what is missing says so, and counts for nothing', async () => {
    await prove();
    records.clear();
    await later();
    for (let tries = 0; tries < 5; tries += 1)
      expect((await as('POST', `/${domain}/verify`)).body.error).toBe('domain_unproven');
    expect((await shown()).state).toBe('verified');
  });

  describe('name servers that say of most domains that they are not there', () => {
    const names = Array.from({ length: 8 }, (_, index) => `d${index}.my-school.com`);
    const alarms = new Map<string, number>();
    const states = async () => new Set((await as('GET', '')).body.data.map(({ state }: { state: string }) => state));
    const hourly = async (hours: number) => {
      for (let gone = 0; gone < hours; gone += 1) {
        on.clock.advance(hour);
        await checkDomains(ports);
      }
    };
    beforeEach(async () => {
      alarms.clear();
      const watch = {
        alarm: (service: string, name: string, value: number) => alarms.set(`${service} ${name}`, value),
      };
      ports = { ...ports, watch: watch as unknown as NonNullable<CheckPorts['watch']> };
      for (const name of names) await prove(name);
    });

    test('are not believed, and operators hear of it; when they know better again, everything is as before', async () => {
      const published = [...records];
      await hourly(30);
      records.clear();
      await hourly(6 * 24);
      expect(await states()).toEqual(new Set(['verified']));
      expect(logged).toContainEqual([
        'error',
        'most domains lack their proof: the name servers asked are not believed',
      ]);
      expect(alarms.get('school domain_proofs_doubted')).toBe(8);
      expect(await facts()).toEqual(names.map(() => 'DomainVerified'));

      for (const record of published) records.set(...record);
      await hourly(30);
      expect(alarms.get('school domain_proofs_doubted')).toBe(0);
      expect((await as('GET', '')).body.data.filter((each: { failing_since: string }) => each.failing_since)).toEqual(
        [],
      );
    });

    test('half of them being gone is no fault of the name servers', async () => {
      for (const name of [...records.keys()].slice(0, 4)) records.delete(name);
      for (const _ of ['one', 'two', 'three', 'four']) await later();
      const { data } = (await as('GET', '')).body;
      expect(data.map(({ state }: { state: string }) => state)).toEqual([
        ...Array(4).fill('lapsed'),
        ...Array(4).fill('verified'),
      ]);
      expect(alarms.get('school domain_proofs_doubted')).toBe(0);
    });

    test('and those that do not answer for most domains take nothing away for ever', async () => {
      isAway = true;
      for (let days = 0; days < 70; days += 1) await later();
      isAway = false;
      await later();
      expect(await states()).toEqual(new Set(['verified']));
    });
  });

  test('name servers that have not answered for sixty days take the domain away, unless they did in between', async () => {
    await prove();
    for (const answering of [true, false]) {
      isAway = true;
      for (let days = 0; days < 40; days += 1) await later();
      isAway = !answering;
      await later();
    }
    expect(await shown()).toMatchObject({ state: 'verified', failing_since: null });
    for (let days = 0; days < 20; days += 1) await later();
    await schools.started.ready?.();
    expect(await shown()).toMatchObject({ state: 'lapsed', verified_at: null });
    expect(await facts()).toEqual(['DomainVerified', 'DomainRemoved']);
    expect(logged).toContainEqual(['error', 'a domain has lapsed: its name servers were silent too long']);
  });

  test('name servers that do not answer take nothing away for a month', async () => {
    await prove();
    isAway = true;
    for (let days = 0; days < 30; days += 1) await later();
    expect(await shown()).toMatchObject({ state: 'verified', failing_since: null, last_checked_at: null });
    expect(new Set(logged.map(([, message]) => message))).toEqual(
      new Set(['no name server tells the proof of a domain']),
    );
    isAway = false;
    await checkDomains(ports);
    expect((await shown()).last_checked_at).toBe(now());
  });

  test('two processes that look at the same time count once', async () => {
    await prove();
    records.clear();
    on.clock.advance(2 * day);
    await Promise.all([checkDomains(ports), checkDomains(ports), checkDomains(ports)]);
    for (let days = 0; days < 2; days += 1) {
      on.clock.advance(27 * hour);
      await Promise.all([checkDomains(ports), checkDomains(ports)]);
    }
    expect((await shown()).state).toBe('verified');
  });

  test('a domain that was removed, or lapsed, is not looked at any more', async () => {
    await prove();
    await as('DELETE', `/${domain}`);
    await schools.started.ready?.();
    await later(2);
    expect(asked).toEqual([]);
  });
});
