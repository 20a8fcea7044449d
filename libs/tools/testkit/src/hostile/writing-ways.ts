import { randomBytes } from 'node:crypto';
import { Person } from '../http/person.ts';
import { type HostileSchool, metadata } from './hostile-school.ts';
import { type Lane, anyAddress } from './lane.ts';
import type { Act, Way } from './ways.ts';

const random = (): string => randomBytes(12).toString('hex');
const bearer = ({ tokens }: HostileSchool, { index }: Lane) => ({
  authorization: `Bearer ${tokens[index % tokens.length]!}`,
});

/** A text that is as long as a description may be. */
const longest = Array.from({ length: 480 }, (_, at) => ({
  type: 'paragraph',
  text: [{ text: `${at} ${'long words of a text '.repeat(3)}`, marks: ['bold'] }],
}));

/** Guesses passwords at one page, from another address now and then. */
function guessing({ client }: HostileSchool): Act {
  let left = 0;
  let person: Person;
  let page: Awaited<ReturnType<Person['visit']>>;
  return async () => {
    if (left === 0 || !/name="password"/.test(page.text)) {
      person = new Person({ 'x-forwarded-for': anyAddress() });
      page = await person.visit(client.start('openid').url);
      left = 40;
      if (!/name="password"/.test(page.text)) return page.status;
    }
    left -= 1;
    const email = left % 4 ? `${random()}@northquay.test` : 'student@northquay.test';
    const landed = await person.submit(page, { email, password: random() });
    return landed.status;
  };
}

/** By what costs something to check or to keep: passwords, registrations, secrets, texts. */
export const writingWays: readonly Way[] = [
  { name: 'guesses of passwords', lanes: 16, works: [401, 422, 200], begin: guessing },
  {
    name: 'registrations',
    lanes: 8,
    works: [201],
    begin: (_, lane) => async () =>
      (await lane.ask({ method: 'POST', path: '/api/oauth/register', body: metadata })).status,
  },
  {
    name: 'made-up codes, refresh tokens and secrets',
    lanes: 16,
    works: [400, 401],
    begin: ({ client: { id, redirectUri } }, lane) => {
      const forms = [
        { grant_type: 'authorization_code', redirect_uri: redirectUri, code_verifier: random().repeat(2) },
        { grant_type: 'refresh_token' },
      ];
      return async () => {
        const secret = { code: random(), refresh_token: random() };
        const body = new URLSearchParams({ ...forms[lane.index % 2]!, ...secret, client_id: id });
        if (lane.index % 2) body.delete('code');
        else body.delete('refresh_token');
        return (await lane.ask({ method: 'POST', path: '/api/oauth/token', body })).status;
      };
    },
  },
  {
    name: 'texts as long as they may be',
    lanes: 8,
    works: [200],
    begin: (school, lane) => async () => {
      const body = { description: longest, summary: random().repeat(20) };
      const headers = bearer(school, lane);
      return (await lane.ask({ method: 'PATCH', path: '/api/courses/first-steps', headers, body })).status;
    },
  },
  {
    name: 'new courses',
    lanes: 8,
    works: [201],
    begin: (school, lane) => async () => {
      const headers = { ...bearer(school, lane), 'idempotency-key': `"${random()}"` };
      const body = { title: `Reading ${random()}`, summary: 'Twelve short lessons', tags: ['theory', 'free'] };
      return (await lane.ask({ method: 'POST', path: '/api/courses', headers, body })).status;
    },
  },
  {
    name: 'clients whose documents nobody can fetch',
    lanes: 8,
    works: [400],
    begin: (_, lane) => async () => {
      const query = new URLSearchParams({ response_type: 'code', client_id: `https://${random()}.invalid/client` });
      return (await lane.ask({ path: `/oauth/authorize?${query.toString()}` })).status;
    },
  },
  {
    name: 'mails that reset passwords',
    lanes: 4,
    works: [200],
    begin:
      ({ baseUrl }) =>
      async () => {
        const person = new Person({ 'x-forwarded-for': anyAddress() });
        const page = await person.visit(new URL('/oauth/reset', baseUrl));
        if (page.status !== 200) return page.status;
        return (await person.submit(page, { email: `${random()}@northquay.test` })).status;
      },
  },
];
