import { describe, expect, test } from '@jest/globals';
import { addedRoutes, routeEntries, routesFault, servicesOfPeopleWith } from './added-routes.ts';
import { routes, servicesOfPeople } from './routes.ts';

describe('ROUTES', () => {
  test.each([
    '/api/badges=library',
    '/api/badges=library,/api/study_badges=study-library',
    '/api/badges=library, /api/shelves=library',
    '/api/diplomas=learning',
  ])('%s is taken', (text) => expect(routesFault(text)).toBeUndefined());

  test('takes each path that comes with Lyceum, with its own service: a later release brings what was added before', () => {
    const own = Object.entries(routes).filter(([path, service]) => path.startsWith('/api/') && service !== 'gateway');
    expect(own.length).toBeGreaterThan(20);
    for (const [path, service] of own) expect(routesFault(`${path}=${service}`)).toBeUndefined();
  });

  test.each([
    ['a path twice', '/api/badges=library,/api/badges=other', '/api/badges once'],
    ['an entry twice', '/api/badges=library,/api/badges=library', '/api/badges once'],
    ['a path of another service', '/api/courses=library', '/api/courses, which leads to catalog'],
    ['a path of the gateway', '/api/changes=library', '/api/changes, which leads to gateway'],
    ['a path below that of another service', '/api/courses/badges=library', '/api/courses, above it, leads to catalog'],
    ['a path below an account', '/api/account/badges=library', '/api/account, above it, leads to auth'],
    ['a path below another entry', '/api/badges=a,/api/badges/gold=b', '/api/badges, above it, leads to a'],
    ['a path of two segments', '/api/library/badges=library', 'one segment below /api in place of /api/library/badges'],
    ['documents of the gateway', '/.well-known/badges=library', 'a path below /api/ in place of /.well-known/badges'],
    ['the MCP server', '/mcp=library', 'a path below /api/ in place of /mcp'],
    ['the description of the API', '/openapi.json=library', 'a path below /api/ in place of /openapi.json'],
    ['a page', '/courses=library', 'a path below /api/ in place of /courses'],
    ['everything', '/=library', 'a path below /api/ in place of /'],
    ['all of the API', '/api=library', 'a path below /api/ in place of /api'],
    ['all of the API, with a slash', '/api/=library', 'lower-case letters, digits and _ in place of /api/'],
    ['another spelling of a path', '/api/%63ourses=library', 'in place of /api/%63ourses'],
    ['a way out', '/api/../oauth=library', 'in place of /api/../oauth'],
    ['upper case', '/api/Courses=library', 'in place of /api/Courses'],
    ['a query', '/api/badges?x=library', 'in place of /api/badges?x'],
    ['a pattern', '/api/*=library', 'in place of /api/*'],
    ['no path', '=library', 'in place of none'],
    ['an empty entry', '/api/badges=library,', 'in place of none'],
    ['no service', '/api/badges', 'a service of lower-case letters'],
    ['a URL for a service', '/api/badges=http://10.0.0.7', 'in place of "http://10.0.0.7"'],
    ['a name that is none', '/api/badges=Library', 'in place of "Library"'],
    ['a long name', `/api/badges=${'x'.repeat(41)}`, '40 at most'],
    ['the prototype', '/api/badges=__proto__', 'in place of "__proto__"'],
    ['a line break', '/api/badges=library\n,/api/x=y', 'printable ASCII'],
    ['a tab', '/api/badges=lib\trary', 'printable ASCII'],
    ['DEL', '/api/badges=library\u007f', 'printable ASCII'],
    ['a letter that looks like another', '/api/b\u0430dges=library', 'printable ASCII'],
  ])('%s is refused', (_, text, words) => {
    const fault = routesFault(text);
    expect(fault).toContain('/api/<name>=<service>');
    expect(fault).toContain(words);
  });

  test.each(['gateway', 'mcp', 'checkout', 'forms'])('the gateway itself, as %s, is refused', (service) =>
    expect(routesFault(`/api/badges=${service}`)).toContain('is the gateway itself'),
  );

  test('adds its services to those that may keep something about people, each once', () => {
    const entries = routeEntries('/api/badges=library, /api/shelves=library,/api/diplomas=learning');
    expect([...addedRoutes(entries)]).toEqual([
      ['/api/badges', 'library'],
      ['/api/shelves', 'library'],
      ['/api/diplomas', 'learning'],
    ]);
    expect(servicesOfPeopleWith(entries)).toEqual([...servicesOfPeople, 'library']);
    expect(servicesOfPeopleWith(undefined)).toEqual(servicesOfPeople);
  });
});
