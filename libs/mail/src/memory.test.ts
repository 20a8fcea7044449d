import { expect, test } from '@jest/globals';
import { memoryMail } from './memory.ts';
import { MailUnavailable } from './port.ts';
import { testMail } from './testing.ts';

testMail('memory', async () => {
  const mail = memoryMail();
  return { mail, arrived: async () => mail.sent.map(({ to, subject, text }) => ({ to, subject, text })) };
});

test('fails as often as it is told to, and then sends', async () => {
  const mail = memoryMail();
  const message = { to: 'ada@example.org', subject: 'Hello', text: 'Hello', idempotencyKey: '1' };
  mail.failNext(1);
  await expect(mail.send(message)).rejects.toThrow(MailUnavailable);
  await mail.send(message);
  expect(mail.sent).toEqual([message]);
});
