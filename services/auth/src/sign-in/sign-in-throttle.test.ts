import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, Person } from '@lyceum/testkit';
import { Problem } from '@lyceum/web';
import { type TestAuth, emailOf, password, startAuth } from '../testing/test-auth.ts';

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

  test('side by side are no more than the free ones and the one that sets the wait', async () => {
    let tried = 0;
    const { passwords } = auth.ports;
    auth.restart({
      passwords: {
        ...passwords,
        verify: async (hash, given) => {
          tried += 1;
          return passwords.verify(hash, given);
        },
      },
    });
    for (const email of [emailOf('owner'), 'nobody@school.test']) {
      tried = 0;
      const person = new Person();
      const page = await person.visit(client.start('openid').url);
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, at) => person.submit(page, { email, password: `guess ${at}` })),
      );
      expect(tried).toBe(6);
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array.from({ length: 5 }, () => 401),
        ...Array.from({ length: 25 }, () => 429),
      ]);
    }
  });

  test('of unknown accounts cost the hash that those of known ones cost', async () => {
    const hashes: (string | undefined)[] = [];
    const { passwords } = auth.ports;
    auth.restart({
      passwords: {
        ...passwords,
        verify: (hash, given) => {
          hashes.push(hash?.slice(0, 9));
          return passwords.verify(hash, given);
        },
      },
    });
    await attempts(emailOf('owner'), ['a']);
    await attempts('nobody@school.test', ['a']);
    await attempts('', ['a']);
    expect(hashes).toEqual(['$argon2id', undefined, undefined]);
  });

  test('are forgotten when nothing could be tried, and successes never count', async () => {
    const { passwords } = auth.ports;
    for (let signIns = 0; signIns < 7; signIns += 1)
      expect(await attempts(emailOf('owner'), [password])).toEqual(['200']);
    const busy = new Problem('temporarily_unavailable', 'Too many people are signing in');
    auth.restart({ passwords: { ...passwords, verify: () => Promise.reject(busy) } });
    for (let tries = 0; tries < 7; tries += 1) expect(await attempts(emailOf('owner'), ['a'])).toEqual(['503']);
    auth.restart({ passwords });
    expect(await attempts(emailOf('owner'), five)).toEqual(['401', '401', '401', '401', '401']);
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
