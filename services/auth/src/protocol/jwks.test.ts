import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestAuth, startAuth } from '../testing/test-auth.ts';

let auth: TestAuth;
beforeAll(async () => void (auth = await startAuth()));
afterAll(() => auth.close());

const keys = (headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${auth.school.url}/api/oauth/jwks`, { method, headers });

test('RFC 9110 §8.8.3: the published keys have a strong entity tag, which changes with them and with nothing else', async () => {
  const first = await keys();
  const tag = first.headers.get('etag')!;
  expect(tag).toMatch(/^"[\w-]{43}"$/);
  expect(first.headers.get('cache-control')).toBe('public, max-age=300');
  expect(first.headers.get('pragma')).toBeNull();
  expect(first.headers.get('access-control-expose-headers')).toContain('ETag');
  auth.clock.advance(60_000);
  expect((await keys()).headers.get('etag')).toBe(tag);
  expect((await keys({}, 'HEAD')).headers.get('etag')).toBe(tag);
  const other = await fetch(`${auth.other.url}/api/oauth/jwks`);
  expect(other.headers.get('etag')).not.toBe(tag);
  await auth.ports.keys.stage(auth.school.id);
  expect((await keys()).headers.get('etag')).not.toBe(tag);
});

test('OIDC Core §10.1.1: the key of a first RS256 token is published before the token, and until then nobody keeps the keys without asking', async () => {
  const id = auth.ports.ids.next('school');
  const issuer = 'http://new.test';
  const school = { id, name: 'New', issuer, domains: [], locale: 'en', timezone: 'UTC', signUp: 'invited' } as const;
  const schools = { get: async (asked: string) => (asked === id ? school : auth.ports.schools.get(asked)) };
  auth.restart({ schools });
  const read = () => keys({ 'x-school-id': id });
  const first = await read();
  expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-cache']);
  expect(((await first.json()) as { keys: unknown[] }).keys).toHaveLength(1);
  await auth.ports.keys.signer(id, 'RS256');
  const second = await read();
  expect(second.headers.get('cache-control')).toBe('public, max-age=300');
  expect(((await second.json()) as { keys: unknown[] }).keys).toHaveLength(2);
});

test('RFC 9110 §13.1.2: whoever has the keys already is answered 304 without a body', async () => {
  const { headers } = await keys();
  const tag = headers.get('etag')!;
  for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const answer = await keys({ 'if-none-match': sent });
    expect([answer.status, answer.headers.get('etag'), answer.headers.get('content-length')]).toEqual([304, tag, null]);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(await answer.text()).toBe('');
  }
  for (const sent of ['"other"', 'nonsense', '']) expect((await keys({ 'if-none-match': sent })).status).toBe(200);
});
