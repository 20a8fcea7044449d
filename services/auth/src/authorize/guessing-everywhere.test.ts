import { clientAddressHeader } from '@lyceum/contracts';
import { memoryEphemeral } from '@lyceum/ephemeral';
import { FakeClock } from '@lyceum/testkit';
import { describe, expect, test } from '@jest/globals';
import type { Exchange } from '../endpoint/exchange.ts';
import { beginAttempt } from './sign-in-throttle.ts';

function guessing() {
  const clock = new FakeClock();
  const ports = {
    clock,
    ephemeral: memoryEphemeral(clock),
    limitFactor: 1,
    vault: { derive: async (school: string) => Buffer.from(school.padEnd(32)) },
  };
  /** How many of so many wrong passwords may be tried, each for another account. */
  return async (school: string, addressOf: (at: number) => string, times: number): Promise<number> => {
    let tried = 0;
    for (let at = 0; at < times; at += 1) {
      const request = { headers: { [clientAddressHeader]: addressOf(at) } };
      const exchange = { ports, school: { id: school }, request } as unknown as Exchange;
      if ('succeeded' in (await beginAttempt(exchange, `${at}@school.test`))) tried += 1;
    }
    return tried;
  };
}

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
