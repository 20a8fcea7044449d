import { describe, expect, test } from '@jest/globals';
import { type BadSignatureLimiter, trustState, verifier } from '@lyceum/oauth';
import { testSchool } from '@lyceum/oauth/testing';
import { FakeClock } from '@lyceum/testkit';
import { rateLimitHeadersOf } from '@lyceum/web';
import type { IncomingMessage } from 'node:http';
import { QuotaTable } from './quota-table.ts';
import { forgeriesAt, isCounted, requestLimits } from './request-limits.ts';

const request = (authorization?: string, url = '/api/courses', method = 'GET') =>
  ({
    method,
    url,
    headers: authorization === undefined ? {} : { authorization },
    rawHeaders: authorization === undefined ? [] : ['Authorization', authorization],
  }) as unknown as IncomingMessage;

async function setUp(factor = 1) {
  const clock = new FakeClock();
  const trust = trustState(clock);
  const school = await testSchool({ clock, trust, id: 'school_1' });
  const known = { trust: true };
  const forgeries = forgeriesAt(clock, factor);
  const checked = { signatures: 0 };
  const begin = (...from: Parameters<BadSignatureLimiter['begin']>) => {
    const settle = forgeries.begin(...from);
    checked.signatures += 1;
    return settle;
  };
  const judge = verifier({ trust, clock, forgeries: { begin } });
  const options = { clock, verifier: judge, isTrustKnown: () => known.trust, factor };
  const limits = requestLimits(options);
  const admit = async (token?: string, address = '192.0.2.1', id = school.id) =>
    limits.admit(request(token === undefined ? undefined : `Bearer ${token}`), id, address);
  const left = async (...asked: Parameters<typeof admit>) => {
    const { policy, ...admission } = await admit(...asked);
    return `${policy.name} ${'left' in admission ? admission.left : admission.outcome}`;
  };
  return { clock, school, limits, known, admit, left, checked };
}

describe('the limits of the edge', () => {
  test('without a token, count by school and address: 120 a minute, then refused until one is refilled', async () => {
    const { clock, admit, left } = await setUp();
    for (let asked = 0; asked < 119; asked += 1) await admit();
    expect(rateLimitHeadersOf(await admit())).toEqual({
      'RateLimit-Policy': '"anonymous";q=120;w=60',
      RateLimit: '"anonymous";r=0;t=1',
    });
    expect((await admit()).outcome).toBe('refused');
    expect(await left(undefined, '192.0.2.2')).toBe('anonymous 119');
    expect(await left(undefined, '192.0.2.1', 'school_2')).toBe('anonymous 119');
    clock.advance(500);
    expect((await admit()).outcome).toBe('admitted');
    expect((await admit()).outcome).toBe('refused');
  });

  test('webhooks of payment providers, of all schools from a few addresses, have their own: 3000 a minute', async () => {
    const { limits, school, left } = await setUp();
    const send = async (url: string) => {
      const told = await limits.admit(request(undefined, url, 'POST'), school.id, '192.0.2.1');
      return `${told.policy.name} ${'left' in told ? told.left : told.outcome}`;
    };
    expect(await send('/api/payments/webhooks/stripe')).toBe('webhooks 2999');
    expect(await send('/api/payments/webhooks/stripe')).toBe('webhooks 2998');
    expect(await send('/api/payments/webhooksome')).toBe('anonymous 119');
    expect(await left()).toBe('anonymous 118');
  });

  test('S10: a list whose rows are expanded costs as much more as there is to read', async () => {
    const { limits, school } = await setUp();
    const left = async (url: string) => {
      const told = await limits.admit(request(undefined, url), school.id, '192.0.2.1');
      return 'left' in told ? told.left : told.outcome;
    };
    expect(await left('/api/lecturers?limit=100')).toBe(119);
    expect(await left('/api/lecturers/ada?expand=courses')).toBe(118);
    expect(await left('/api/lecturers?limit=100&expand=courses.lecturers')).toBe(109);
    expect(await left('/api/courses?limit=100&expand=lecturers,lecturers.courses')).toBe(96);
  });

  test('S10: a page of changes costs by the number of changes that it may have', async () => {
    const { limits, school } = await setUp();
    const left = async (url: string) => {
      const told = await limits.admit(request(undefined, url), school.id, '192.0.2.1');
      return 'left' in told ? told.left : told.outcome;
    };
    expect(await left('/api/changes')).toBe(119);
    expect(await left('/api/changes?after=now&limit=50')).toBe(118);
    expect(await left('/api/changes?limit=100')).toBe(116);
    expect(await left('/api/changes?limit=1000000')).toBe(114);
    expect(await left('/api/changes?limit=-5')).toBe(113);
  });

  test('S7, S11: an address asks the authorization server so often over all clients and schools, and so does a network', async () => {
    const { limits } = await setUp();
    const ask = async (address: string, times: number) => {
      let refused = 0;
      for (let asked = 0; asked < times; asked += 1)
        if ((await limits.admitToAuth(address)).outcome === 'refused') refused += 1;
      return refused;
    };
    expect(await ask('192.0.2.1', 1_210)).toBe(10);
    expect(await ask('192.0.2.2', 10)).toBe(0);
    expect(await ask('2001:db8:1:1::1', 1_210)).toBe(10);
    expect(await ask('2001:db8:1:1:ffff::', 1)).toBe(1);
    for (let part = 2; part <= 10; part += 1) await ask(`2001:db8:1:${part}::1`, 1_199);
    expect(await limits.admitToAuth('2001:db8:1:ff::1')).toMatchObject({
      outcome: 'refused',
      policy: { name: 'network' },
    });
    expect(await ask('2001:db8:2::1', 1)).toBe(0);
  });

  test('with a good token, count by client and person, whichever token and address: 600 a minute', async () => {
    const { school, left } = await setUp();
    const [one, next, other, client] = [
      await school.token({ jti: 'a', subject: 'person_1' }),
      await school.token({ jti: 'b', subject: 'person_1' }),
      await school.token({ jti: 'c', subject: 'person_2' }),
      await school.token({ jti: 'd', subject: 'person_1', claims: { client_id: 'client_2' } }),
    ];
    expect(await left(one)).toBe('api 599');
    expect(await left(next, '192.0.2.99')).toBe('api 598');
    expect(await left(other)).toBe('api 599');
    expect(await left(client)).toBe('api 599');
    expect(await left()).toBe('anonymous 119');
  });

  test('made-up tokens have no quota of their own, and take nothing of the person whose name they bear', async () => {
    const { school, left } = await setUp();
    const good = await school.token({ subject: 'person_1' });
    const [head, claims, signature] = good.split('.') as [string, string, string];
    const forged = [`${head}.${claims}.${'A'.repeat(signature.length)}`, `${head}.${claims}.`, 'made-up', 'a.b.c'];
    const counts = [];
    for (const token of forged) counts.push(await left(token));
    expect(counts).toEqual(['anonymous 119', 'anonymous 118', 'anonymous 117', 'anonymous 116']);
    expect(await left(good)).toBe('api 599');
  });

  test('a flood of made-up tokens with the right claims costs no more signature checks than a quota', async () => {
    const { clock, school, left, admit, checked } = await setUp();
    const good = await school.token({ subject: 'person_1' });
    expect(await left(good)).toBe('api 599');
    const body = good.split('.').slice(0, 2).join('.');
    const forged = (by: number) => `${body}.${Buffer.from(`${by}`.padStart(64)).toString('base64url')}`;
    await Promise.all(Array.from({ length: 130 }, (_, by) => admit(forged(by))));
    clock.advance(30_000);
    for (let by = 1_000; by < 3_000; by += 1) await admit(forged(by));
    expect(checked.signatures).toBeLessThanOrEqual(1 + 130 + 60);
    const refused = await admit(forged(5_000));
    expect(refused).toMatchObject({ outcome: 'refused', policy: { name: 'anonymous' }, left: 0, wait: 1 });
    expect(await left(good)).toBe('api 599');
    expect(await left(await school.token({ subject: 'person_2' }), '192.0.2.2')).toBe('api 599');
  });

  test('a token of another school, an expired one, another scheme and a token in the query count by address', async () => {
    const { school, clock, limits, left } = await setUp();
    const token = await school.token({ expiresIn: 60 });
    expect(await left(token, '192.0.2.1', 'school_2')).toBe('anonymous 119');
    clock.advance(120_000);
    expect(await left(token)).toBe('anonymous 119');
    for (const odd of [request('Basic abc'), request('Bearer'), request(undefined, '/api/courses?access_token=x')])
      expect((await limits.admit(odd, school.id, '192.0.2.1')).policy.name).toBe('anonymous');
  });

  test('while tokens cannot be judged they pass uncounted; nobody is taken for a stranger', async () => {
    const { school, known, left } = await setUp();
    known.trust = false;
    expect(await left(await school.token())).toBe('api unknown');
    expect(await left()).toBe('anonymous 119');
  });

  test('the addresses of one IPv6 network count together, and every quota follows the factor', async () => {
    const { left } = await setUp(20);
    expect(await left(undefined, '2001:db8::1')).toBe('anonymous 2399');
    expect(await left(undefined, '2001:db8::2')).toBe('anonymous 2398');
  });

  test.each([
    ['catalog', 'GET', {}, true],
    ['catalog', 'OPTIONS', {}, true],
    ['catalog', 'OPTIONS', { 'access-control-request-method': 'PUT' }, false],
    ['auth', 'POST', {}, false],
    ['mcp', 'POST', {}, false],
  ])('a request to %s with %s and %j is counted: %p', (service, method, headers, counted) => {
    expect(isCounted(service, '/', { method, headers } as IncomingMessage)).toBe(counted);
  });

  test('of the authorization server the account API is counted, its endpoints are not', () => {
    const counted = (path: string) => isCounted('auth', path, request());
    expect(['/api/account', '/api/account/clients'].map(counted)).toEqual([true, true]);
    expect(['/api/oauth/token', '/oauth/account', '/api/oauth/userinfo'].map(counted)).toEqual([false, false, false]);
  });
});

describe('a table of quotas', () => {
  const window = 60_000;

  test('forgets who has asked for nothing for a window, and nobody earlier', () => {
    const clock = new FakeClock();
    const table = new QuotaTable(clock, window);
    clock.advance(window - 1);
    table.take('late', 2);
    table.take('late', 2);
    clock.advance(1_000);
    expect(table.take('late', 2)).toMatchObject({ taken: false, left: 0 });
    clock.advance(window);
    expect(table.take('late', 2)).toMatchObject({ taken: true, left: 1 });
  });

  test('refused ones pay nothing, and one unit comes back after its share of the window', () => {
    const clock = new FakeClock();
    const table = new QuotaTable(clock, window);
    expect([0, 1, 2, 3].map(() => table.take('k', 2)!.taken)).toEqual([true, true, false, false]);
    clock.advance(30_000);
    expect([0, 1].map(() => table.take('k', 2)!.taken)).toEqual([true, false]);
  });

  test('without room counts nobody new, still counts those it knows, and has room again after a window', () => {
    const clock = new FakeClock();
    const table = new QuotaTable(clock, window, 2);
    for (const key of ['a', 'b']) table.take(key, 1);
    expect(table.take('c', 1)).toBeUndefined();
    expect(table.take('a', 1)).toMatchObject({ taken: false });
    clock.advance(window);
    expect(table.take('c', 1)).toMatchObject({ taken: true });
  });

  test('a clock that is set back holds nobody up for longer than a window', () => {
    const clock = new FakeClock();
    const table = new QuotaTable(clock, window);
    table.take('k', 1);
    clock.advance(-3_600_000);
    expect(table.take('k', 1)).toMatchObject({ taken: true });
  });
});
