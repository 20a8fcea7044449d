import { expect, test } from '@jest/globals';
import { openSchool } from './open-school.ts';

test('several names are sent in one parameter, as the API takes them', async () => {
  const asked: string[] = [];
  const fetch = (request: Request) => {
    asked.push(request.url);
    return Promise.resolve(Response.json({ object: 'list', data: [], has_more: false, next_cursor: null, view: 'x' }));
  };
  const school = openSchool('http://school.test', { fetch: fetch as never });
  await school.GET('/api/courses', { params: { query: { fields: ['title', 'slug'], expand: ['lecturers'] } } });
  expect(asked).toEqual(['http://school.test/api/courses?fields=title,slug&expand=lecturers']);
});
