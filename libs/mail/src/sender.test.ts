import { expect, test } from '@jest/globals';
import { domainOf, readSender } from './sender.ts';

test('a sender is an address, with or without a name', () => {
  expect(readSender('no-reply@school.test')).toEqual({ name: '', address: 'no-reply@school.test' });
  expect(readSender('Lantern <no-reply@school.test>')).toEqual({ name: 'Lantern', address: 'no-reply@school.test' });
  expect(readSender('"Größe, Ltd" <a@b.test>')).toEqual({ name: 'Größe, Ltd', address: 'a@b.test' });
  expect(domainOf({ address: 'a@b.test' })).toBe('b.test');
});

test.each(['', 'school', 'a@', '@b.test', 'a b@c.test', 'A <a@b.test', 'A <a@b.test>, B <c@d.test>', 'A\n<a@b.test>'])(
  'what is neither is refused: %j',
  (text) => expect(readSender(text)).toBeUndefined(),
);
