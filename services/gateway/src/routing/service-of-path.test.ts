import { describe, expect, test } from '@jest/globals';
import { serviceFinder, serviceOf } from './service-of-path.ts';

describe('routes', () => {
  test.each([
    ['/oauth/authorize', 'auth'],
    ['/oauth', 'auth'],
    ['/api/oauth/token', 'auth'],
    ['/api/courses', 'catalog'],
    ['/api/courses/course_1/publish', 'catalog'],
    ['/api/courses/', 'catalog'],
    ['/api/school', 'school'],
    ['/checkout', 'checkout'],
    ['/register/evening', 'forms'],
    ['/checkout/order_1', 'checkout'],
    ['/api/checkout', 'commerce'],
    [`/api/courses${'/x'.repeat(4000)}`, 'catalog'],
  ])('%.40s belongs to %s', (path, service) => {
    expect(serviceOf(path)).toBe(service);
  });

  test.each([
    '/',
    '',
    '/api',
    '/api/',
    '/api/coursesX',
    '/api/course',
    '/API/courses',
    '/api//courses',
    '//api/courses',
  ])('%j belongs to nobody', (path) => {
    expect(serviceOf(path)).toBeUndefined();
  });

  test('a prefix is compared undecoded, so no second spelling of a path leads to a service', () => {
    expect(serviceOf('/api/%63ourses')).toBeUndefined();
    expect(serviceOf('/api%2fcourses')).toBeUndefined();
  });

  test('a path that ROUTES adds leads to its service, with all below it, and changes no other', () => {
    const find = serviceFinder(new Map([['/api/badges', 'library']]));
    expect(['/api/badges', '/api/badges/badge_1/publish', '/api/badge', '/api/badges_x'].map(find)).toEqual([
      'library',
      'library',
      undefined,
      undefined,
    ]);
    for (const path of ['/oauth', '/api/courses/course_1', '/mcp', '/checkout', '/api/account/avatar', '/'])
      expect(find(path)).toBe(serviceOf(path));
  });

  test('the path of a service that comes with Lyceum is never given away', () =>
    expect(serviceFinder(new Map([['/api/courses', 'library']]))('/api/courses')).toBe('catalog'));
});
