import { describe, expect, test } from '@jest/globals';
import { clientAddressHeader } from '@lyceum/contracts';
import { memoryEphemeral } from '@lyceum/ephemeral';
import { FakeClock } from '@lyceum/testkit';
import { createSecretKey } from 'node:crypto';
import type { Exchange } from '../http/exchange/exchange.ts';
import { sealerOf } from '../sealing/sealer.ts';
import { rememberDevice } from './device-cookie.ts';
import { beginAttempt } from './sign-in-throttle.ts';

const issuer = 'https://school.test';

function portsOf(clock: FakeClock) {
  const vault = { derive: async (school: string) => createSecretKey(Buffer.from(school.padEnd(32))) };
  return { clock, ephemeral: memoryEphemeral(clock), limitFactor: 1, vault, sealer: sealerOf(Buffer.alloc(32)) };
}

function guessing() {
  const ports = portsOf(new FakeClock());
  /** How many of so many wrong passwords may be tried, each for another account. */
  return async (school: string, addressOf: (at: number) => string, times: number): Promise<number> => {
    let tried = 0;
    for (let at = 0; at < times; at += 1) {
      const request = { headers: { [clientAddressHeader]: addressOf(at) } };
      const exchange = { ports, school: { id: school, issuer }, request } as unknown as Exchange;
      if ('succeeded' in (await beginAttempt(exchange, `${at}@school.test`))) tried += 1;
    }
    return tried;
  };
}

describe('guesses for one account from everywhere', () => {
  const victim = 'person@school.test';
  const stranger = '203.0.113.7';

  /** Signs in with a password at an address, in a browser that has these cookies. */
  function signingIn() {
    const clock = new FakeClock();
    const ports = portsOf(clock);
    const exchangeOf = (address: string, cookie = '') => {
      const request = { headers: { [clientAddressHeader]: address, cookie } };
      return { ports, school: { id: 'school_1', issuer }, request, cookies: [] as string[] } as unknown as Exchange;
    };
    const attempt = (address: string, cookie?: string, email = victim) =>
      beginAttempt(exchangeOf(address, cookie), email);
    const deviceOf = async (email: string) => {
      const exchange = exchangeOf(stranger);
      await rememberDevice(exchange, email);
      return exchange.cookies[0]!;
    };
    return { clock, attempt, deviceOf };
  }
  const botnet = (at: number) => `198.51.${Math.floor(at / 200)}.${at % 200}`;

  test('S11: fifty an hour are free over all addresses; then one a minute, however many ask', async () => {
    const { clock, attempt } = signingIn();
    let tried = 0;
    for (let at = 0; at < 200; at += 1) if ('succeeded' in (await attempt(botnet(at)))) tried += 1;
    expect(tried).toBe(51);
    for (let second = 0; second < 600; second += 1) {
      clock.advance(1_000);
      if ('succeeded' in (await attempt(botnet(200 + second)))) tried += 1;
    }
    // The first waits are 1, 2, 4 … seconds.
    expect(tried).toBeLessThan(51 + 6 + 10 + 1);
    const { wait } = await attempt(stranger);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect('succeeded' in (await attempt(stranger, '', 'another@school.test'))).toBe(true);
  });

  test('S11: a browser in which the person has signed in before waits for nobody else, and has its own count', async () => {
    const { attempt, deviceOf } = signingIn();
    const line = await deviceOf(victim);
    expect(line).toMatch(/^__Host-lyceum_device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=31536000$/);
    const [known = ''] = line.split(';');
    const [another = ''] = (await deviceOf('another@school.test')).split(';');
    for (let at = 0; at < 60; at += 1) await attempt(botnet(at));
    expect('succeeded' in (await attempt(stranger, another))).toBe(false);
    expect('succeeded' in (await attempt(stranger, `__Host-lyceum_device=${'A'.repeat(43)}`))).toBe(false);
    const answers = [];
    for (let tries = 0; tries < 7; tries += 1) answers.push('succeeded' in (await attempt(stranger, known)));
    expect(answers).toEqual([true, true, true, true, true, true, false]);
  });
});

describe('guesses from one place at many schools', () => {
  test('S11: an address has three hundred wrong passwords an hour over all schools, not a hundred at each', async () => {
    const guess = guessing();
    const tried = [];
    for (let school = 0; school < 5; school += 1) tried.push(await guess(`school_${school}`, () => '192.0.2.1', 90));
    // The first beyond the free ones is tried too: it imposes the wait.
    expect(tried).toEqual([90, 90, 90, 31, 0]);
    expect(await guess('school_0', () => '192.0.2.2', 1)).toBe(1);
  });

  test('S11: the addresses of an IPv6 network have a thousand together', async () => {
    const guess = guessing();
    expect(await guess('school_1', (at) => `2001:db8:1:${(at % 50).toString(16)}::1`, 1_100)).toBe(1_001);
    expect(await guess('school_1', () => '2001:db8:2::1', 1)).toBe(1);
  });
});
