import { expect, test } from '@jest/globals';
import { readDocumentHosts } from './document-hosts.ts';

const one = 'school_0198f3a2-7c1b-7000-8000-000000000001';
const two = 'school_0198f3a2-7c1b-7000-8000-000000000002';

test.each<[string, string, string, boolean]>([
  ['*', one, 'https://any.example/c', true],
  ['none', one, 'https://any.example/c', false],
  ['app.example, agent.example:8443', one, 'https://app.example/c', true],
  ['app.example,agent.example:8443', one, 'https://agent.example:8443/c', true],
  ['app.example', one, 'https://evil.app.example/c', false],
  [`${one}=none`, one, 'https://app.example/c', false],
  [`${one}=none`, two, 'https://app.example/c', true],
  [`none,${one}=app.example`, one, 'https://app.example/c', true],
  [`none,${one}=app.example`, two, 'https://app.example/c', false],
])('of CLIENT_DOCUMENT_HOSTS=%s school %s meets %s: %s', (text, school, id, meets) => {
  expect(readDocumentHosts(text)!(school, id)).toBe(meets);
});

test.each(['', 'https://app.example', 'app.example/c', 'school_1=app.example', 'APP.example', 'a b'])(
  '%j cannot be read',
  (text) => expect(readDocumentHosts(text)).toBeUndefined(),
);
