import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '@lyceum/testkit';
import { exportJWK, generateKeyPair } from 'jose';
import { denySet } from './deny-set.ts';
import { trustState } from '../index.ts';

const jwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};
const named = { slug: 's', name: 'S', host: 's.test', currency: 'EUR', locale: 'en', timezone: 'UTC' };
const token = { jti: 'j', grant: 'g', subject: 'acc_1', client: 'client_1', issued: 1767600000 };
const early = '2026-01-05T07:00:00.000Z';
const late = '2026-01-05T07:30:00.000Z';

function setUp() {
  const clock = new FakeClock();
  const trust = trustState(clock);
  const school = (type: string, data: unknown, at = early, tenant = 's1', position?: number) =>
    trust.apply({ source: 'school', tenant, at, position, fact: { type, data } });
  const auth = (type: string, data: unknown, tenant = 's1') =>
    trust.apply({ source: 'auth', tenant, at: early, fact: { type, data } });
  return { clock, trust, school, auth };
}

describe('trust fed by facts', () => {
  test('a school is known once it is provisioned, with its base URL as issuer', () => {
    const { trust, school } = setUp();
    expect(trust.school('s1')).toBeUndefined();
    school('SchoolProvisioned', { ...named, base_url: 'https://s.test' });
    expect(trust.school('s1')).toEqual({ id: 's1', issuer: 'https://s.test' });
  });

  test('a moved school has the new issuer, and a repeated older fact does not move it back', () => {
    const { trust, school } = setUp();
    school('SchoolProvisioned', { ...named, base_url: 'https://old.test' }, early, 's1', 1);
    school('SchoolMoved', { host: 'b.test', base_url: 'https://b.test' }, early, 's1', 2);
    school('SchoolMoved', { host: 'c.test', base_url: 'https://c.test' }, late, 's1', 3);
    school('SchoolMoved', { host: 'b.test', base_url: 'https://b.test' }, early, 's1', 2);
    school('SchoolProvisioned', { ...named, base_url: 'https://old.test' }, early, 's1', 1);
    expect(trust.school('s1')?.issuer).toBe('https://c.test');
  });

  test('E-B1: the lane says which move is the last, also when the clock of its instance was behind', () => {
    const { trust, school } = setUp();
    school('SchoolProvisioned', { ...named, base_url: 'https://old.test' }, late, 's1', 1);
    school('SchoolMoved', { host: 'b.test', base_url: 'https://b.test' }, late, 's1', 2);
    const [kept] = school('SchoolMoved', { host: 'c.test', base_url: 'https://c.test' }, early, 's1', 3);
    expect(trust.school('s1')?.issuer).toBe('https://c.test');
    const after = setUp();
    after.trust.recall(JSON.parse(JSON.stringify(kept)) as NonNullable<typeof kept>);
    after.school('SchoolMoved', { host: 'b.test', base_url: 'https://b.test' }, late, 's1', 2);
    expect(after.trust.school('s1')?.issuer).toBe('https://c.test');
  });

  test('E-B1: what an older release kept, without a position, gives way to every move that the lane tells', () => {
    const { trust, school } = setUp();
    const body = { kind: 'issuer', school: 's1', url: 'https://b.test', since: Date.parse(late) } as const;
    trust.recall({ id: 'x', source: 'school', body });
    school('SchoolProvisioned', { ...named, base_url: 'https://old.test' }, early, 's1', 1);
    expect(trust.school('s1')?.issuer).toBe('https://b.test');
    school('SchoolMoved', { host: 'c.test', base_url: 'https://c.test' }, early, 's1', 3);
    expect(trust.school('s1')?.issuer).toBe('https://c.test');
  });

  test('a school is at its proven domains too, with the scheme and port of its issuer, wherever that moves', () => {
    const { trust, school } = setUp();
    school('DomainVerified', { domain: 'a.example' });
    expect(trust.school('s1')).toBeUndefined();
    school('SchoolProvisioned', { ...named, base_url: 'https://s.test' });
    school('DomainVerified', { domain: 'b.example' });
    expect(trust.school('s1')?.origins).toEqual(['https://a.example', 'https://b.example']);
    school('SchoolMoved', { host: 's.test:8080', base_url: 'http://s.test:8080' });
    school('DomainRemoved', { domain: 'a.example' });
    school('DomainRemoved', { domain: 'never.example' });
    expect(trust.school('s1')?.origins).toEqual(['http://b.example:8080']);
    school('DomainRemoved', { domain: 'b.example' });
    expect(trust.school('s1')).toEqual({ id: 's1', issuer: 'http://s.test:8080' });
    school('SchoolProvisioned', { ...named, base_url: 'https://t.test' }, early, 's2');
    expect(trust.school('s2')?.origins).toBeUndefined();
  });

  test('a key may arrive before its school, and belongs to that school only', () => {
    const { trust, school, auth } = setUp();
    auth('SigningKeyPublished', { kid: 'k1', alg: 'ES256', public_jwk: jwk });
    expect(trust.school('s1')).toBeUndefined();
    school('SchoolProvisioned', { ...named, base_url: 'https://s.test' });
    expect(trust.key('s1', 'k1')?.alg).toBe('ES256');
    expect(trust.key('s2', 'k1')).toBeUndefined();
  });

  test('announcing a key again keeps the same key object, so verified tokens stay verified', () => {
    const { trust, auth } = setUp();
    auth('SigningKeyPublished', { kid: 'k1', alg: 'ES256', public_jwk: jwk });
    const before = trust.key('s1', 'k1');
    auth('SigningKeyPublished', { kid: 'k1', alg: 'ES256', public_jwk: jwk });
    expect(trust.key('s1', 'k1')).toBe(before);
  });

  test('a retired key stays retired, in whatever order and however often the facts come', () => {
    const { trust, auth } = setUp();
    auth('SigningKeyRetired', { kid: 'k1' });
    auth('SigningKeyPublished', { kid: 'k1', alg: 'ES256', public_jwk: jwk });
    expect(trust.key('s1', 'k1')).toBeUndefined();
    auth('SigningKeyPublished', { kid: 'k2', alg: 'ES256', public_jwk: jwk });
    auth('SigningKeyRetired', { kid: 'k2' });
    auth('SigningKeyPublished', { kid: 'k2', alg: 'ES256', public_jwk: jwk });
    expect(trust.key('s1', 'k2')).toBeUndefined();
  });

  test.each([
    ['HS256', { kty: 'oct', k: 'c2VjcmV0' }],
    ['RS256', jwk],
    ['none', jwk],
    ['PS256', jwk],
    ['ES256', { ...jwk, x: 'AAAA' }],
  ])('RFC 8725 §3.1: a key is refused when it cannot serve %s', (alg, public_jwk) => {
    const { trust, auth } = setUp();
    expect(() => auth('SigningKeyPublished', { kid: 'k', alg, public_jwk })).toThrow();
    expect(trust.key('s1', 'k')).toBeUndefined();
  });

  test('RFC 7518 §3.4: ES256 needs the curve P-256', async () => {
    const { trust, auth } = setUp();
    const { publicKey } = await generateKeyPair('ES384', { extractable: true });
    const public_jwk = await exportJWK(publicKey);
    expect(public_jwk.crv).toBe('P-384');
    expect(() => auth('SigningKeyPublished', { kid: 'k', alg: 'ES256', public_jwk })).toThrow();
    expect(trust.key('s1', 'k')).toBeUndefined();
  });

  test('RFC 7518 §3.3: RS256 needs 2048 bits', () => {
    const { trust, auth } = setUp();
    const weak = { kty: 'RSA', e: 'AQAB', n: Buffer.alloc(128, 0xff).toString('base64url') };
    expect(() => auth('SigningKeyPublished', { kid: 'k', alg: 'RS256', public_jwk: weak })).toThrow();
    expect(trust.key('s1', 'k')).toBeUndefined();
  });

  test('only the owner of a fact is believed', () => {
    const { trust } = setUp();
    const provisioned = { type: 'SchoolProvisioned', data: { ...named, base_url: 'https://evil.test' } };
    const key = { type: 'SigningKeyPublished', data: { kid: 'k', alg: 'ES256', public_jwk: jwk } };
    trust.apply({ source: 'catalog', tenant: 's1', at: early, fact: provisioned });
    trust.apply({ source: 'auth', tenant: 's1', at: early, fact: provisioned });
    trust.apply({ source: 'school', tenant: 's1', at: early, fact: key });
    expect(trust.school('s1')).toBeUndefined();
    expect(trust.key('s1', 'k')).toBeUndefined();
  });

  test('a malformed fact throws and changes nothing; one of no concern is ignored', () => {
    const { trust, school, auth } = setUp();
    expect(() => school('SchoolProvisioned', { base_url: 1 })).toThrow();
    expect(() => auth('GrantRevoked', { grant: 'g', until: 'soon' })).toThrow();
    school('SomethingNew', { anything: true });
    expect(trust.school('s1')).toBeUndefined();
    expect(trust.denied('s1', { ...token, jti: 'j', grant: 'g' })).toBe(false);
  });
});

describe('revocations', () => {
  const until = '2026-01-05T08:10:00.000Z';

  test('RFC 7009 §2: a revoked grant denies all its tokens, a revoked token only itself, in its school only', () => {
    const { trust, auth } = setUp();
    auth('GrantRevoked', { grant: 'g1', until });
    auth('TokenRevoked', { jti: 'j1', until });
    expect(trust.denied('s1', { ...token, jti: 'j9', grant: 'g1' })).toBe(true);
    expect(trust.denied('s1', { ...token, jti: 'j1', grant: 'g9' })).toBe(true);
    expect(trust.denied('s1', { ...token, jti: 'g1', grant: 'j1' })).toBe(false);
    expect(trust.denied('s2', { ...token, jti: 'j1', grant: 'g1' })).toBe(false);
  });

  test('they are kept until the tokens have expired at every verifier, then given back', () => {
    const clock = new FakeClock();
    const denied = denySet(clock);
    for (let index = 0; index < 100; index += 1) denied.add('s1', 'jti', `j${index}`, until);
    clock.advance(10 * 60_000 + 30_000);
    expect(denied.has('s1', 'jti', 'j7')).toBe(true);
    clock.advance(60_000);
    expect(denied.has('s1', 'jti', 'j7')).toBe(false);
    denied.add('s1', 'jti', 'new', '2026-01-05T09:00:00.000Z');
    expect(denied.size()).toBe(1);
  });

  test('a revocation that comes again with an earlier end is not shortened', () => {
    const clock = new FakeClock();
    const denied = denySet(clock);
    denied.add('s1', 'grant', 'g', '2026-01-05T09:00:00.000Z');
    denied.add('s1', 'grant', 'g', '2026-01-05T08:01:00.000Z');
    clock.advance(30 * 60_000);
    expect(denied.has('s1', 'grant', 'g')).toBe(true);
  });
});

describe('what is kept over a restart', () => {
  const until = '2026-01-05T08:10:00.000Z';
  const everything = ({ school, auth }: Pick<ReturnType<typeof setUp>, 'school' | 'auth'>) => [
    ...school('SchoolProvisioned', { ...named, base_url: 'https://s.test' }),
    ...school('DomainVerified', { domain: 'a.example' }),
    ...auth('SigningKeyPublished', { kid: 'k1', alg: 'ES256', public_jwk: jwk }),
    ...auth('SigningKeyPublished', { kid: 'k2', alg: 'ES256', public_jwk: jwk }),
    ...auth('SigningKeyRetired', { kid: 'k2' }),
    ...auth('GrantRevoked', { grant: 'g1', until }),
    ...school('MemberSuspended', { member_id: 'acc_2', tokens_not_before: early }),
    ...school('MemberRoleChanged', {
      member_id: 'acc_3',
      from: 'admin',
      to: 'member',
      by: 'a',
      tokens_not_before: early,
    }),
  ];
  const place = { id: 's1', issuer: 'https://s.test', origins: ['https://a.example'] };
  const known = ({ trust }: Pick<ReturnType<typeof setUp>, 'trust'>) => [
    trust.school('s1'),
    trust.key('s1', 'k1')?.alg,
    trust.key('s1', 'k2')?.alg,
    trust.denied('s1', { ...token, grant: 'g1' }),
    trust.denied('s1', { ...token, subject: 'acc_2' }),
    trust.role('s1', 'acc_3'),
    trust.denied('s1', token),
  ];

  test('is everything that matters, as JSON, and the last word on each thing has its name', () => {
    const before = setUp();
    const kept = everything(before);
    const byName = new Map(kept.map((memory) => [memory.id, JSON.parse(JSON.stringify(memory)) as typeof memory]));
    expect(byName.size).toBe(kept.length - 1);
    const after = setUp();
    for (const memory of byName.values()) after.trust.recall(memory);
    expect(known(after)).toEqual(known(before));
    expect(known(after)).toEqual([place, 'ES256', undefined, true, true, 'member', false]);
    expect(after.trust.key('s1', 'k1')).toBe(after.trust.key('s1', 'k1'));
  });

  test('names its end where it has one, and nothing is kept of what is over', () => {
    const { auth, clock } = setUp();
    const [denied] = auth('GrantRevoked', { grant: 'g1', until });
    expect(denied?.until).toBe(Date.parse(until) + 60_000);
    clock.advance(12 * 60_000);
    expect(auth('GrantRevoked', { grant: 'g1', until })).toEqual([]);
    clock.advance(26 * 3_600_000);
    expect(auth('SessionsEnded', { account_id: 'acc_1', tokens_not_before: early })).toEqual([]);
  });

  test('a source is discarded alone', () => {
    const one = setUp();
    everything(one);
    one.trust.forget('auth');
    expect(known(one)).toEqual([place, undefined, undefined, false, true, 'member', false]);
    one.trust.forget('school');
    expect(known(one).slice(0, 1)).toEqual([undefined]);
    expect(known(one).slice(4)).toEqual([false, undefined, false]);
  });
});
