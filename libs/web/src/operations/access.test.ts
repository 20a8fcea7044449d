import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Scope } from '@lyceum/contracts';
import { UnsecuredJWT } from 'jose';
import { z } from 'zod';
import { operation, requireScope } from '../index.ts';
import { type Serving, serving } from '../testing/serving.ts';

let handled = 0;
const base = { area: 'courses', summary: 'A test operation', status: 200 } as const;
const handle = async (call: { view: string }) => {
  handled += 1;
  return { body: { saw: call.view } };
};

const open = operation({
  ...base,
  id: 'readThing',
  method: 'GET',
  path: '/api/things/{thing}',
  scope: 'courses:read',
  anonymous: true,
  params: z.object({ thing: z.string().regex(/^[a-z]+$/) }),
  handle,
});
const closed = operation({
  ...base,
  id: 'writeThing',
  method: 'POST',
  path: '/api/things',
  scope: 'courses:write',
  anonymous: false,
  roles: ['owner', 'admin'],
  body: z.object({ title: z.string() }),
  handle,
});
const narrow = operation({
  ...base,
  id: 'readReport',
  method: 'GET',
  path: '/api/reports',
  scope: 'analytics:read',
  anonymous: true,
  staff: ['owner'],
  handle,
});
const either = operation({
  ...base,
  id: 'judgeThing',
  method: 'POST',
  path: '/api/things/{thing}/judgement',
  anyScope: ['courses:write', 'posts:write'],
  anonymous: false,
  params: z.object({ thing: z.string() }),
  async handle(call) {
    requireScope(call, call.params.thing === 'post' ? 'posts:write' : 'courses:write');
    return { body: { saw: call.view } };
  },
});
const unscoped = operation({ ...base, id: 'readNews', method: 'GET', path: '/api/news', anonymous: true, handle });

let service: Serving;
beforeAll(async () => {
  service = await serving([open, closed, narrow, either, unscoped]);
});
afterAll(() => service.close());

const metadata = 'resource_metadata="http://school-1.test/.well-known/oauth-protected-resource"';
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe('no token', () => {
  test('is served as the anonymous view, without a challenge', async () => {
    const { status, json, headers } = await service.send('/api/things/a');
    expect([status, json]).toEqual([200, { saw: 'anonymous', view: 'anonymous' }]);
    expect(headers['www-authenticate']).toBeUndefined();
  });

  test.each(['Basic YTpi', 'Token abc', 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln'])(
    'is not what %p is: it is 401 and says how a token is sent',
    async (authorization) => {
      const { status, json, headers } = await service.send('/api/things/a', { headers: { authorization } });
      expect([status, json['error']]).toEqual([401, 'invalid_token']);
      expect(json['error_description']).toContain('Bearer, a space, and the access token');
      expect(headers['www-authenticate']).toContain(metadata);
    },
  );

  test('is 403 access_denied without a challenge where a person is needed', async () => {
    const { status, json, headers } = await service.send('/api/things', { method: 'POST', body: { title: 'x' } });
    expect([status, json['error']]).toEqual([403, 'access_denied']);
    expect(json['error_description']).toMatch(
      /with the scope \S+\. How to get one: http:\/\/school-1\.test\/auth\.md$/,
    );
    expect(headers['www-authenticate']).toBeUndefined();
  });
});

describe('a token for an operation that needs one of several scopes', () => {
  test('has the one that what is named needs; 403 insufficient_scope with a challenge otherwise', async () => {
    const judge = async (thing: string, scopes: readonly Scope[]) => {
      const { status, json, headers } = await service.send(`/api/things/${thing}/judgement`, {
        method: 'POST',
        as: { scopes },
      });
      return [status, json['error'], headers['www-authenticate']];
    };
    expect(await judge('post', ['posts:write'])).toEqual([200, undefined, undefined]);
    expect(await judge('course', ['courses:write'])).toEqual([200, undefined, undefined]);
    for (const [thing, scopes, needed] of [
      ['post', ['courses:write'], 'posts:write'],
      ['course', ['posts:write'], 'courses:write'],
      ['post', ['pages:write'], 'courses:write'],
    ] as const)
      expect(await judge(thing, scopes)).toEqual([
        403,
        'insufficient_scope',
        expect.stringMatching(new RegExp(`insufficient_scope.*scope="${needed}".*resource_metadata`)),
      ]);
  });
});

describe('a bad token', () => {
  test('RFC 6750 §3.1: is 401 invalid_token with a challenge, RFC 9728 §5.1: that names the metadata', async () => {
    const { status, json, headers } = await service.send('/api/things/a', { as: { expiresIn: -60 } });
    expect(status).toBe(401);
    expect(json).toEqual({
      error: 'invalid_token',
      error_description: 'The access token has expired',
      request_id: headers['x-request-id'],
    });
    expect(headers['www-authenticate']).toBe(
      `Bearer error="invalid_token", error_description="The access token has expired", ${metadata}`,
    );
    expect(headers['cache-control']).toBe('no-store');
  });

  test('RFC 9728 §3.3: at a domain of the school the challenge names the metadata of that address, at no other', async () => {
    const { id, trust } = service.school;
    const fact = { type: 'DomainVerified', data: { domain: 'a.example' } };
    trust.apply({ source: 'school', tenant: id, at: '2026-01-05T08:00:00.000Z', fact });
    const challenge = async (origin: string, as: object) => {
      const { headers } = await service.send('/api/things/a', { as, headers: { 'x-school-origin': origin } });
      return headers['www-authenticate'];
    };
    const there = 'resource_metadata="http://a.example/.well-known/oauth-protected-resource"';
    expect(await challenge('http://a.example', { expiresIn: -60 })).toContain(there);
    expect(await challenge('http://a.example', { scopes: ['openid'] })).toContain(there);
    for (const origin of ['http://b.example', 'https://a.example'])
      expect(await challenge(origin, { expiresIn: -60 })).toContain(metadata);
  });

  test.each(['Bearer', 'Bearer x', 'Bearer a.b.c', `Bearer ${new UnsecuredJWT({}).encode()}`])(
    'is never downgraded to anonymous: %s',
    async (authorization) => {
      const { status, headers } = await service.send('/api/things/a', { headers: { authorization } });
      expect(status).toBe(401);
      expect(headers['www-authenticate']).toContain('error="invalid_token"');
    },
  );

  test('RFC 9110 §5.3: two Authorization headers are a bad token', async () => {
    const token = await service.school.token();
    const { status } = await service.send('/api/things/a', {
      headers: { authorization: [`Bearer ${token}`, `Bearer ${token}`] },
    });
    expect(status).toBe(401);
  });

  test('is 401 before everything else about the operation: input, body, role, preconditions', async () => {
    const before = handled;
    const bad = { authorization: 'Bearer nonsense' };
    expect((await service.send('/api/things/NOT-A-THING?x=1&x=2', { headers: bad })).status).toBe(401);
    expect((await service.send('/api/things', { method: 'POST', raw: 'no json', headers: bad })).status).toBe(401);
    expect((await service.send('/api/news', { headers: bad })).status).toBe(401);
    expect(handled).toBe(before);
  });

  test('RFC 7009 §2: a token is refused from the moment it is revoked', async () => {
    const token = await service.school.token({ grant: 'doomed' });
    expect((await service.send('/api/things/a', bearer(token))).status).toBe(200);
    service.school.revoke({ grant: 'doomed' });
    expect((await service.send('/api/things/a', bearer(token))).status).toBe(401);
  });

  test('RFC 8707 §2: a token for another part of the API is refused here', async () => {
    const audience = `${service.school.issuer}/api/things`;
    expect((await service.send('/api/things/a', { as: { audience } })).status).toBe(200);
    expect((await service.send('/api/news', { as: { audience } })).status).toBe(401);
  });

  test('RFC 9700 §4.3.2: a token in the query string is 400 invalid_request and is not echoed', async () => {
    const token = await service.school.token();
    const { status, json, text } = await service.send(`/api/things/a?access_token=${token}`);
    expect([status, json['error']]).toEqual([400, 'invalid_request']);
    expect(text).not.toContain(token);
  });
});

describe('a good token', () => {
  test('RFC 6750 §3.1: without the scope is 403 insufficient_scope that names it, even where anonymous gets 200', async () => {
    const { status, json, headers } = await service.send('/api/things/a', { as: { scopes: ['courses:write'] } });
    expect([status, json['error']]).toEqual([403, 'insufficient_scope']);
    expect(headers['www-authenticate']).toBe(
      `Bearer error="insufficient_scope", error_description="This operation needs the scope courses:read", scope="courses:read", ${metadata}`,
    );
  });

  test('needs the role too: 403 access_denied, after the scope', async () => {
    const post = (role: 'lecturer', scopes?: ['courses:read']) =>
      service.send('/api/things', {
        method: 'POST',
        body: { title: 'x' },
        as: { role, ...(scopes ? { scopes } : {}) },
      });
    const denied = await post('lecturer');
    expect([denied.status, denied.json['error'], denied.headers['www-authenticate']]).toEqual([
      403,
      'access_denied',
      undefined,
    ]);
    expect((await post('lecturer', ['courses:read'])).json['error']).toBe('insufficient_scope');
  });

  test.each([
    ['/api/things/a', 'owner', 'staff'],
    ['/api/things/a', 'admin', 'staff'],
    ['/api/things/a', 'lecturer', 'staff'],
    ['/api/things/a', 'member', 'member'],
    ['/api/reports', 'owner', 'staff'],
    ['/api/reports', 'admin', 'member'],
    ['/api/news', 'owner', 'member'],
  ] as const)('%s for role %s is the %s view', async (path, role, view) => {
    expect((await service.send(path, { as: { role } })).json['saw']).toBe(view);
  });
});

describe('the school', () => {
  test.each([{}, { 'x-school-id': 'school_9' }, { 'x-school-id': '' }])(
    'is told by the gateway; %p is 404',
    async (given) => {
      const { status, json } = await service.send('/api/things/a', {
        headers: { 'x-school-id': [], ...given } as never,
      });
      expect([status, json['error']]).toEqual([404, 'not_found']);
    },
  );
});
