import { expect, test } from '@jest/globals';
import { memoryMail } from '@lyceum/mail';
import { Problem } from '@lyceum/web';
import { type DeliveryPorts, deliverBy } from './deliver.ts';

const about = 'account-0195a3c2-7d10-7abc-8def-0123456789ab';
const letter = { what: 'letter', letter: 'verify', about, until: '2026-01-05T08:00:00.000Z' } as const;
const failing = (fault: Error) =>
  ({
    mail: memoryMail(),
    schools: { get: async () => ({ id: 's', name: 'School', issuer: 'http://s.test', locale: 'en' }) },
    log: { load: () => Promise.reject(fault) },
  }) as unknown as DeliveryPorts;

test('what is not known here yet is a reason to wait; a fault of ours is one for an operator', async () => {
  const later = new Problem('temporarily_unavailable', 'not yet');
  expect(await deliverBy(failing(later)).try(letter, 's', 'k')).toBe('unavailable');
  await expect(deliverBy(failing(new TypeError('oops'))).try(letter, 's', 'k')).rejects.toThrow('oops');
  const nowhere = { ...failing(later), schools: { get: async () => undefined } };
  expect(await deliverBy(nowhere).try(letter, 's', 'k')).toBe('unavailable');
});
