import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addressPartition } from './address-partition.ts';

describe('whom an address counts for', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s counts for %s', (address, partition) => expect(addressPartition(address)).toBe(partition));

  test('the addresses of one /64 count together, those of another do not', () => {
    const word = fc.integer({ min: 1, max: 0xffff }).map((number) => number.toString(16));
    const half = fc.array(word, { minLength: 4, maxLength: 4 }).map((words) => words.join(':'));
    fc.assert(
      fc.property(half, half, half, half, (network, other, one, two) => {
        expect(addressPartition(`${network}:${one}`)).toBe(addressPartition(`${network}:${two}`));
        expect(addressPartition(`${network}:${one}`) === addressPartition(`${other}:${one}`)).toBe(network === other);
      }),
    );
  });
});
