import { expect, test } from '@jest/globals';
import type { Endpoint } from './endpoint.ts';
import { pathTable } from './path-table.ts';

const endpoint = (path: string): Endpoint => ({
  path,
  methods: ['GET'],
  reader: 'program',
  steps: [],
});
const at = pathTable(['/token', '/register', '/register/:client'].map(endpoint));

test.each([
  ['/token', '/token'],
  ['/token?x=/register', '/token'],
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
  expect(at(url)?.path).toBe(path);
});
