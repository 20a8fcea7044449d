import { expect, test } from '@jest/globals';
import { safePath } from './safe-path.ts';

test.each([
  ['/api/coursez?token=planted', '/api/coursez'],
  ['/.well-known/openid-configuration', '/.well-known/openid-configuration'],
  ['/wp-admin/setup.php', '/*/*'],
  ['/api/members/jo@school.example/x', '/api/members/*/x'],
  ['/oauth/reset/V2hvIHJlYWRzIHRoaXM', '/oauth/reset/*'],
  ['/%0a{"level":"fatal"}', '/*'],
  [`/api/${'a/'.repeat(5_000)}`, '/api/a/a/a/a/a/a/a/…'],
  [`/api/${'a'.repeat(5_000)}`, '/api/*'],
])('the log shows of the unknown path %j only %j', (url, path) => expect(safePath(url)).toBe(path));
