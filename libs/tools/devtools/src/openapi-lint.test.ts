import { expect, test } from '@jest/globals';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { openapiProblems } from './openapi-lint.mjs';

const described = {
  openapi: '3.0.3',
  info: {
    title: 'Lanterns',
    version: '1.0.0',
    contact: { name: 'Lantern', url: 'https://lantern.example' },
    license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
  },
  servers: [{ url: 'https://lantern.example' }],
  tags: [{ name: 'lamps', description: 'Lamps of paper' }],
  security: [],
  paths: {
    '/lamps': {
      get: {
        operationId: 'listLamps',
        summary: 'List lamps',
        description: 'All of them',
        tags: ['lamps'],
        responses: { 200: { description: 'The lamps' }, 400: { description: 'Not understood' } },
      },
    },
  },
};

test('the linter is content with a sound document, and is really asked', async () => {
  expect(await openapiProblems(described)).toEqual([]);
  const operation = { ...described.paths['/lamps'].get, description: undefined, responses: {} };
  const broken = { ...described, paths: { '/lamps': { get: operation } } };
  const found = (await openapiProblems(JSON.parse(JSON.stringify(broken)))).join('\n');
  expect(found).toContain('operation-description');
  expect(found).toContain('responses');
});
