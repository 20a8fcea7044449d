import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Person } from '@lyceum/testkit';
import { integrationEventOf } from '../integration-events.ts';
import { type TestAuth, startAuth, tellOfSchool } from '../testing/test-auth.ts';
import { type TestMails, linkIn, startMails } from '../testing/test-mails.ts';

const email = 'grace@example.org';
let auth: TestAuth;
let post: TestMails;
beforeEach(async () => {
  auth = await startAuth();
  await tellOfSchool(auth.ports, auth.school.id, { type: 'SchoolSignUpSet', data: { sign_up: 'open' } });
});
afterEach(async () => {
  await post.close();
  await auth.close();
});

const asks = async () => {
  const person = new Person();
  const page = await person.visit(`${auth.school.url}/oauth/sign-up`);
  expect((await person.submit(page, { email })).status).toBe(200);
};
const events = async () => {
  const { log } = auth.ports;
  const commits = await log.readLane(log.laneOf(auth.school.id), 0, 1_000);
  return commits.flatMap((commit) => commit.events);
};
const asked = async () => (await events()).filter(({ type }) => type === 'SignUpAsked').map(({ data }) => data);
const forgotten = [{ email: null, language: 'en' }];

test('a sign-up that was asked for before a crash gets its letter after it, and then nothing of the person is left', async () => {
  post = await startMails(auth);
  await post.close();
  await asks();
  expect(await asked()).toEqual([{ email, language: 'en' }]);
  post = await startMails(auth);
  const [letter, ...more] = await post.sent();
  expect([letter?.to, more]).toEqual([email, []]);
  expect((await new Person().visit(linkIn(letter!))).status).toBe(200);
  expect(await asked()).toEqual(forgotten);
  expect(JSON.stringify(await events())).not.toContain('grace');
  expect((await events()).filter(({ type }) => type === 'SubjectErased').map(integrationEventOf)).toEqual([undefined]);
});

test('its letter is tried again while the mail is away or the school cannot be asked, always for the same member', async () => {
  let failures = 2;
  const ask = async () => {
    failures -= 1;
    if (failures >= 0) throw new Error('no answer');
  };
  post = await startMails(auth, { ask });
  await asks();
  expect(await post.sent()).toEqual([]);
  await post.later(6_000);
  expect(await asked()).toEqual([{ email, language: 'en' }]);
  await post.later(16_000);
  expect((await post.sent()).map(({ to }) => to)).toEqual([email]);
  expect(await asked()).toEqual(forgotten);
});

test('an address whose letter never went out is forgotten when the link would have expired', async () => {
  post = await startMails(auth, { ask: () => Promise.reject(new Error('no answer')) });
  await asks();
  for (let hours = 0; hours < 23; hours += 1) await post.later(3_600_000);
  expect(await asked()).toEqual([{ email, language: 'en' }]);
  await post.later(3_700_000);
  expect(await asked()).toEqual(forgotten);
  expect(await post.sent()).toEqual([]);
});
