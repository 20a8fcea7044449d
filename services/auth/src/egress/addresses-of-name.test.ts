import { describe, expect, test } from '@jest/globals';
import { startDns } from '@lyceum/testkit';
import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { addressesOfName } from './addresses-of-name.ts';

describe('the addresses of a name', () => {
  test('S7: name servers that never answer hold no thread that hashing needs, and end', async () => {
    const dns = await startDns();
    const names = Array.from({ length: 20 }, (_, at) => `slow-${at}.example`);
    for (const name of names) dns.records.set(name, 'silent');
    const addresses = addressesOfName([dns.address]);
    let ended = 0;
    const asked = names.map((name) => addresses(name).catch(() => (ended += 1)));
    await promisify(pbkdf2)('a', 'b', 1, 32, 'sha256');
    expect(ended).toBe(0);
    await Promise.all(asked);
    expect(ended).toBe(20);
    dns.close();
  });

  test('localhost is this machine, and a name that nobody knows is refused', async () => {
    const dns = await startDns();
    const addresses = addressesOfName([dns.address]);
    expect(await addresses('localhost')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    await expect(addresses('nobody.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    dns.close();
  });
});
