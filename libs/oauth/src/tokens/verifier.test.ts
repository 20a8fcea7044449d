import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '@lyceum/testkit';
import { type TestSchool, type TokenClaims, testSchool } from '../testing.ts';
import fc from 'fast-check';
import { SignJWT, UnsecuredJWT } from 'jose';
import { createSecretKey } from 'node:crypto';
import { BadSignatureLimiter, InvalidToken, TooManyForgeries, trustState, verifier } from '../index.ts';

async function setUp(alg: 'ES256' | 'RS256' | 'EdDSA' = 'ES256') {
  const clock = new FakeClock();
  const school = await testSchool({ clock, alg });
  const { verify } = verifier({ trust: school.trust, clock });
  const check = (token: string, path = '/api/courses') => verify(token, { school: school.id, path });
  return { clock, school, verify, check };
}

const refused = async (work: Promise<unknown>, description?: string): Promise<void> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InvalidToken);
  expect((error as InvalidToken).description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  if (description) expect((error as InvalidToken).description).toContain(description);
};

const replacePart = (token: string, index: number, part: unknown): string =>
  token
    .split('.')
    .map((each, at) => (at === index ? Buffer.from(JSON.stringify(part)).toString('base64url') : each))
    .join('.');

const part = (token: string, index: number): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[index]!, 'base64url').toString()) as Record<string, unknown>;

describe('a good token', () => {
  test.each(['ES256', 'RS256', 'EdDSA'] as const)(
    'RFC 9068 §4: one signed with %s gives its principal',
    async (alg) => {
      const { school, check } = await setUp(alg);
      const token = await school.token({
        scopes: ['courses:read'],
        role: 'lecturer',
        jti: 'j',
        grant: 'g',
        subject: 'acc',
      });
      expect(await check(token)).toEqual({
        school: 'school_1',
        subject: 'acc',
        client: 'client_1',
        scopes: new Set(['courses:read']),
        role: 'lecturer',
        grant: 'g',
        jti: 'j',
        issued: 1767600000,
        expires: 1767600600,
        audience: [school.issuer],
      });
    },
  );

  test('RFC 9068 §4: the type may be written as a media type', async () => {
    const { school, check } = await setUp();
    const token = await school.token({ header: { typ: 'application/at+jwt' } });
    expect((await check(token)).subject).toBe('acc_1');
  });

  test('scopes that the table does not know are dropped', async () => {
    const { school, check } = await setUp();
    const token = await school.token({ scopes: ['courses:read', 'rockets:launch', '__proto__', 'constructor'] });
    expect([...(await check(token)).scopes]).toEqual(['courses:read']);
  });

  test('it is verified once: later uses give the very same principal', async () => {
    const { school, check } = await setUp();
    const token = await school.token();
    expect(await check(token)).toBe(await check(token));
  });
});

describe('a token that is not ours', () => {
  test('RFC 8725 §3.1: HS256 with the public key as secret is refused', async () => {
    const { school, check } = await setUp('RS256');
    const key = school.trust.key(school.id, school.kid)!.key;
    const claims = part(await school.token(), 1);
    for (const secret of [key.export({ type: 'spki', format: 'pem' }), key.export({ type: 'spki', format: 'der' })]) {
      const forged = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: school.kid, typ: 'at+jwt' })
        .sign(createSecretKey(Buffer.from(secret)));
      await refused(check(forged));
    }
  });

  test('RFC 8725 §3.2: an unsigned token is refused', async () => {
    const { school, check } = await setUp();
    const token = await school.token();
    await refused(check(new UnsecuredJWT(part(token, 1)).encode()));
    await refused(check(replacePart(token, 0, { alg: 'none', kid: school.kid, typ: 'at+jwt' })));
    await refused(check(`${token.split('.').slice(0, 2).join('.')}.`));
  });

  test('RFC 8725 §3.11: an ID token, or any other type, is refused', async () => {
    const { school, check } = await setUp();
    for (const typ of ['JWT', undefined, 'id+jwt', 'logout+jwt'])
      await refused(check(await school.token({ header: { typ } })), 'not an access token');
  });

  test('RFC 7515 §4.1.4: an unknown or missing kid is refused', async () => {
    const { school, check } = await setUp();
    await refused(check(await school.token({ header: { kid: 'other' } })), 'unknown key');
    await refused(check(await school.token({ header: { kid: undefined } })), 'unknown key');
  });

  test('RFC 7515 §4.1.11: an unknown critical header is refused', async () => {
    const { school, check } = await setUp();
    const token = await school.token();
    await refused(check(replacePart(token, 0, { ...part(token, 0), crit: ['x'], x: 1 })));
  });

  test('RFC 8725 §3.1: a key serves its own algorithm only', async () => {
    const { school, check } = await setUp('RS256');
    const token = await school.token();
    await refused(check(replacePart(token, 0, { ...part(token, 0), alg: 'PS256' })));
    await refused(check(replacePart(token, 0, { ...part(token, 0), alg: 'ES256' })));
  });

  test('a token of another school is refused, whatever it claims', async () => {
    const clock = new FakeClock();
    const trust = trustState(clock);
    const one = await testSchool({ clock, trust, id: 'school_1' });
    const two = await testSchool({ clock, trust, id: 'school_2' });
    const { verify } = verifier({ trust, clock });
    const use = { school: 'school_1', path: '/api/courses' };
    await refused(verify(await two.token(), use), 'unknown key');
    await refused(verify(await two.token({ header: { kid: one.kid } }), use));
    const posing = { iss: one.issuer, aud: one.issuer, school: 'school_1' };
    await refused(verify(await two.token({ claims: posing }), use), 'unknown key');
    const token = await one.token();
    expect((await verify(token, use)).school).toBe('school_1');
    await refused(verify(token, { school: 'school_2', path: '/api/courses' }), 'unknown key');
    await refused(verify(token, { school: 'school_3', path: '/api/courses' }), 'another school');
  });

  test('RFC 7515 §5.2: changing any character but the last, which holds spare bits, makes it invalid', async () => {
    const { school, check } = await setUp();
    const token = await school.token();
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 2), fc.constantFrom('A', 'x', '.', '!', '='), async (at, by) => {
        const changed = token.slice(0, at) + by + token.slice(at + 1);
        if (changed !== token) await refused(check(changed));
      }),
      { numRuns: 60 },
    );
  });

  test('random strings are refused with nothing but InvalidToken', async () => {
    const { check } = await setUp();
    const dotted = fc.array(fc.base64String(), { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.'));
    const jsonish = fc.tuple(fc.json(), fc.json(), fc.base64String()).map(([header, claims, signature]) =>
      [header, claims]
        .map((text) => Buffer.from(text).toString('base64url'))
        .concat(signature)
        .join('.'),
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), dotted, jsonish), async (text) => refused(check(text))),
      { numRuns: 200 },
    );
  });

  test('a token above 8 KiB is not looked at', async () => {
    const { school, check } = await setUp();
    await refused(check(await school.token({ claims: { padding: 'x'.repeat(9000) } })), 'too long');
  });
});

describe('the claims', () => {
  const bad: readonly (readonly [string, TokenClaims])[] = [
    ['iss of another issuer', { claims: { iss: 'https://evil.test' } }],
    ['iss with a trailing slash', { claims: { iss: 'http://school-1.test/' } }],
    ['no iss', { claims: { iss: undefined } }],
    ['no exp', { claims: { exp: undefined } }],
    ['no iat', { claims: { iat: undefined } }],
    ['iat as text', { claims: { iat: 'now' } }],
    ['exp as text', { claims: { exp: '9999999999' } }],
    ['school of another', { claims: { school: 'school_2' } }],
    ['no school', { claims: { school: undefined } }],
    ['no sub', { claims: { sub: undefined } }],
    ['empty sub', { claims: { sub: '' } }],
    ['no client_id', { claims: { client_id: undefined } }],
    ['no jti', { claims: { jti: undefined } }],
    ['no gid', { claims: { gid: undefined } }],
    ['no scope', { claims: { scope: undefined } }],
    ['scope as a list', { claims: { scope: ['courses:read'] } }],
    ['no role', { claims: { role: undefined } }],
    ['an unknown role', { claims: { role: 'root' } }],
    ['no aud', { claims: { aud: undefined } }],
    ['empty aud', { claims: { aud: [] } }],
    ['aud with a number', { claims: { aud: [1] } }],
    ['nbf in the future', { claims: { nbf: 99999999999 } }],
  ];

  test.each(bad)('RFC 9068 §2.2: %s is refused', async (_, said) => {
    const { school, check } = await setUp();
    await refused(check(await school.token(said)));
  });

  test('RFC 9068 §4: expiry allows 5 seconds of clock difference, also for a remembered token', async () => {
    const { clock, school, check } = await setUp();
    const token = await school.token({ expiresIn: 60 });
    clock.advance(64_000);
    expect((await check(token)).subject).toBe('acc_1');
    clock.advance(1_000);
    await refused(check(token), 'expired');
    await refused(check(await school.token({ expiresIn: -5 })), 'expired');
    expect((await check(await school.token({ expiresIn: -4 }))).subject).toBe('acc_1');
  });
});

describe('the audience', () => {
  const accepted = [
    'http://school-1.test',
    'http://school-1.test/',
    'http://school-1.test/api',
    'http://school-1.test/api/courses',
    'http://school-1.test/api/courses/',
  ];
  const foreign = [
    'http://school-1.test/api/course',
    'http://school-1.test/api/courses/c1/x',
    'http://school-1.test.evil.test',
    'http://school-1.test:81/api',
    'http://school-1.test@evil.test/',
    'https://school-1.test',
    'http://school-1.test/mcp',
    'client_1',
  ];

  test.each(accepted)('RFC 8707 §2: %s covers /api/courses/c1', async (audience) => {
    const { school, check } = await setUp();
    expect((await check(await school.token({ audience }), '/api/courses/c1')).audience).toEqual([audience]);
  });

  test.each(foreign)('RFC 8707 §2: %s does not cover /api/courses/c1', async (audience) => {
    const { school, check } = await setUp();
    await refused(check(await school.token({ audience }), '/api/courses/c1'), 'another resource');
  });

  test('RFC 8707 §2: an address at a domain of the school covers its path too, until the domain is taken away', async () => {
    const { school, clock, verify } = await setUp();
    const other = await testSchool({ clock, id: 'school_2', trust: school.trust });
    const tell = (type: 'DomainVerified' | 'DomainRemoved') =>
      school.trust.apply({
        source: 'school',
        tenant: school.id,
        at: '',
        fact: { type, data: { domain: 'a.example' } },
      });
    const at = (path: string, audience = 'http://a.example/mcp', { token, id } = school) =>
      token({ audience }).then((text) => verify(text, { school: id, path }));
    await refused(at('/mcp'), 'another resource');
    tell('DomainVerified');
    expect((await at('/mcp')).audience).toEqual(['http://a.example/mcp']);
    expect((await at('/mcp', 'http://a.example')).audience).toEqual(['http://a.example']);
    for (const audience of ['https://a.example/mcp', 'http://a.example.evil.test/mcp', 'http://b.example/mcp'])
      await refused(at('/mcp', audience), 'another resource');
    await refused(at('/api/courses'), 'another resource');
    await refused(at('/mcp', 'http://a.example/mcp', other), 'another resource');
    tell('DomainRemoved');
    await refused(at('/mcp'), 'another resource');
  });

  test('one audience of several is enough, and each use is checked anew', async () => {
    const { school, check } = await setUp();
    const token = await school.token({ audience: ['https://other.test', `${school.issuer}/api/courses`] });
    expect((await check(token, '/api/courses')).subject).toBe('acc_1');
    await refused(check(token, '/api/account'), 'another resource');
  });

  test('a caller may name further audiences, or accept any of this school', async () => {
    const { school, verify } = await setUp();
    const token = await school.token({ audience: 'https://resource.test/x' });
    await refused(verify(token, { school: school.id }));
    await refused(verify(token, { school: school.id, audiences: ['https://resource.test'] }));
    expect((await verify(token, { school: school.id, audiences: ['https://resource.test/x'] })).jti).toBe('jti_1');
    expect((await verify(token, { school: school.id, audiences: 'any' })).jti).toBe('jti_1');
  });
});

describe('a remembered token', () => {
  const remembered = async (change: (school: TestSchool) => void, description: string) => {
    const { clock, school, check } = await setUp();
    const token = await school.token({ jti: 'j1', grant: 'g1' });
    await check(token);
    clock.advance(1000);
    change(school);
    await refused(check(token), description);
  };
  const at = '2026-01-05T08:00:01.000Z';

  test('RFC 7009 §2: is refused as soon as it, or its grant, is revoked', async () => {
    await remembered((school) => school.revoke({ jti: 'j1' }), 'revoked');
    await remembered((school) => school.revoke({ grant: 'g1' }), 'revoked');
  });

  test('is refused as soon as its key is retired', () =>
    remembered(({ trust, id, kid }) => {
      trust.apply({ source: 'auth', tenant: id, at, fact: { type: 'SigningKeyRetired', data: { kid } } });
    }, 'unknown key'));

  test('is refused as soon as the school has another issuer', () =>
    remembered(({ trust, id }) => {
      const data = { host: 'new.test', base_url: 'https://new.test' };
      trust.apply({ source: 'school', tenant: id, at, fact: { type: 'SchoolMoved', data } });
    }, 'another school'));

  test('acts in the role that the person has now, with the scopes that it may hold', async () => {
    const { school, check } = await setUp();
    const token = await school.token({ scopes: ['courses:read', 'members:write'], role: 'admin' });
    expect((await check(token)).role).toBe('admin');
    const data = { member_id: 'acc_1', from: 'admin', to: 'member', by: 'acc_2', tokens_not_before: at };
    school.trust.apply({ source: 'school', tenant: school.id, at, fact: { type: 'MemberRoleChanged', data } });
    const { role, scopes } = await check(token);
    expect([role, [...scopes]]).toEqual(['member', ['courses:read']]);
  });

  test('is refused as soon as its person is suspended, or its client disabled', async () => {
    const tokens_not_before = at;
    await remembered(({ trust, id }) => {
      const data = { member_id: 'acc_1', tokens_not_before };
      trust.apply({ source: 'school', tenant: id, at, fact: { type: 'MemberSuspended', data } });
    }, 'revoked');
    await remembered(({ trust, id }) => {
      const data = { client: 'client_1', tokens_not_before };
      trust.apply({ source: 'auth', tenant: id, at, fact: { type: 'ClientDisabled', data } });
    }, 'revoked');
  });
});

describe('what a made-up token costs', () => {
  /** Counts the signatures that are checked. */
  async function counting(perMinute = 1_000) {
    const { clock, school } = await setUp();
    const forgeries = new BadSignatureLimiter(clock, perMinute);
    const checked: string[] = [];
    const begin = (from: string) => {
      const settle = forgeries.begin(from);
      checked.push(from);
      return settle;
    };
    const { verify } = verifier({ trust: school.trust, clock, forgeries: { begin } });
    const check = (token: string, from = '192.0.2.1') => verify(token, { school: school.id, path: '/api', from });
    return { clock, school, check, checked };
  }
  const signedBadly = (token: string, by: number): string => {
    const [header, claims] = token.split('.');
    return `${header}.${claims}.${Buffer.alloc(64, by).toString('base64url')}`;
  };

  test('no signature is checked of a token that is bad for another reason', async () => {
    const { school, check, checked } = await counting();
    const bad: readonly (string | TokenClaims)[] = [
      'a.b.c',
      { header: { kid: 'other' } },
      { header: { alg: 'none' } },
      { header: { typ: 'JWT' } },
      { claims: { iss: 'https://evil.test' } },
      { claims: { school: 'school_2' } },
      { claims: { role: 'root' } },
      { audience: 'https://other.test' },
      { expiresIn: -60 },
    ];
    const good = await school.token();
    for (const each of bad) {
      if (typeof each === 'string') await refused(check(each));
      else if (each.header?.['alg']) await refused(check(replacePart(good, 0, { ...part(good, 0), ...each.header })));
      else await refused(check(signedBadly(await school.token(each), 1)));
    }
    expect(checked).toEqual([]);
    await check(good);
    expect(checked).toHaveLength(1);
  });

  test('a bad signature is checked once, also when everything else is right', async () => {
    const { school, check, checked } = await counting();
    const token = await school.token();
    for (let shown = 0; shown < 10; shown += 1) await refused(check(signedBadly(token, 1)), 'malformed');
    expect(checked).toHaveLength(1);
    await check(token);
    await refused(check(signedBadly(token, 2)));
    expect(checked).toHaveLength(3);
  });

  test('of one address no more than its quota are checked; what is known stays good there, and others pass', async () => {
    const { clock, school, check, checked } = await counting(5);
    const [known, fresh] = [await school.token(), await school.token()];
    await check(known);
    for (let shown = 0; shown < 100; shown += 1)
      await expect(check(signedBadly(known, shown))).rejects.toThrow(shown < 5 ? InvalidToken : TooManyForgeries);
    expect(checked).toHaveLength(6);
    await check(known);
    await expect(check(fresh)).rejects.toThrow(TooManyForgeries);
    await check(fresh, '192.0.2.2');
    await check(fresh);
    clock.advance(60_000);
    await check(await school.token());
  });
});
