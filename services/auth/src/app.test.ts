import { expect, test } from '@jest/globals';
import type { Endpoint } from './http/exchange/endpoint.ts';
import { routerOf } from './app.ts';

const endpoint = (path: string): Endpoint => ({
  path,
  reader: 'program',
  operations: {},
});
const router = routerOf(['/token', '/register', '/register/:client'].map(endpoint), async () => {});

test.each([
  ['/token', '/token'],
  ['/register', '/register'],
  ['/register/client_1', '/register/:client'],
  ['/register/:client', '/register/:client'],
  ['/register/', undefined],
  ['/register/a/b', undefined],
  ['/token/', undefined],
  ['/Token', undefined],
  ['//token', undefined],
  ['', undefined],
])('the path %s belongs to %s: spelled exactly, with one segment for a parameter', (url, path) => {
  expect(router.match(url, 'GET').pathAndMethod[0]?.path).toBe(path);
});
