import { Client, Person } from '@lyceum/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestAuth, emailOf, password, startAuth } from '../testing.ts';

let auth: TestAuth;
let client: Client;
beforeEach(async () => {
  auth = await startAuth({ limitFactor: 1 });
  client = await Client.register(auth.school.url);
});
afterEach(() => auth.close());

async function attempts(email: string, passwords: readonly string[]) {
  const person = new Person();
  const page = await person.visit(client.start('openid').url);
  const answers: string[] = [];
  for (const each of passwords) {
    const { status, headers } = await person.submit(page, { email, password: each });
    answers.push(headers.has('retry-after') ? `${status} ${headers.get('retry-after')}` : String(status));
  }
  return answers;
}
const five = ['a', 'b', 'c', 'd', 'e'];

describe('failed sign-ins', () => {
  test.each([emailOf('owner'), 'nobody@school.test'])(
    'of %s are free five times, then wait, longer each time',
    async (email) => {
      expect(await attempts(email, five)).toEqual(['401', '401', '401', '401', '401']);
      expect(await attempts(email, ['f'])).toEqual(['429 1']);
      expect(await attempts(email, [password])).toEqual(['429 1']);
      auth.clock.advance(1_000);
      expect(await attempts(email, ['g'])).toEqual(['429 2']);
      auth.clock.advance(2_000);
      expect(await attempts(email, ['h'])).toEqual(['429 4']);
    },
  );

  test('are forgotten for the right password once the wait is over, and altogether after 15 minutes', async () => {
    await attempts(emailOf('owner'), [...five, 'f']);
    auth.clock.advance(1_000);
    expect(await attempts(emailOf('owner'), [password])).toEqual(['200']);
    auth.clock.advance(15 * 60_000);
    expect(await attempts(emailOf('owner'), five)).toEqual(['401', '401', '401', '401', '401']);
  });

  test('hold back neither another account nor another address', async () => {
    await attempts(emailOf('owner'), [...five, 'f']);
    expect(await attempts(emailOf('member'), [password])).toEqual(['200']);
    auth.caller.address = '203.0.113.9';
    expect(await attempts(emailOf('owner'), [password])).toEqual(['200']);
  });

  test('of one address are free a hundred times an hour, over all accounts', async () => {
    for (let at = 0; at < 100; at += 5) await attempts(`somebody${at}@school.test`, five);
    expect(await attempts('another@school.test', ['a'])).toEqual(['429 1']);
  });

  test('say on the page how long to wait', async () => {
    await attempts(emailOf('owner'), [...five, 'f']);
    const person = new Person();
    const page = await person.submit(await person.visit(client.start('openid').url), {
      email: emailOf('owner'),
      password,
    });
    expect(page.text).toContain('Try again in 1 second.');
  });
});
