import { expect, test } from '@jest/globals';
import { MailRefused, MailUnavailable, type Message } from '@lyceum/mail';
import { meteredMail } from './metered-mail.ts';
import { Metrics } from './metrics.ts';

const message: Message = { to: 'ana@school.test', subject: 'Hello', text: 'Hello', idempotencyKey: 'one' };

test('lyceum_mails_total counts mails by what became of them, from 0 on, hands errors on and names nobody', async () => {
  const metrics = new Metrics();
  let failure: Error | undefined;
  const mail = meteredMail(
    {
      async send() {
        if (failure) throw failure;
      },
      close: async () => undefined,
    },
    metrics,
  );
  const counts = async () =>
    Object.fromEntries(
      [...(await metrics.text()).matchAll(/^lyceum_mails_total\{outcome="(\w+)"\} (\d+)$/gm)].map(([, name, count]) => [
        name,
        Number(count),
      ]),
    );
  expect(await counts()).toEqual({ sent: 0, refused: 0, unavailable: 0 });
  await mail.send(message);
  failure = new MailRefused('no such mailbox');
  await expect(mail.send(message)).rejects.toBe(failure);
  failure = new MailUnavailable('try later');
  await expect(mail.send(message)).rejects.toBe(failure);
  await expect(mail.send(message)).rejects.toBe(failure);
  expect(await counts()).toEqual({ sent: 1, refused: 1, unavailable: 2 });
  expect(await metrics.text()).not.toContain('ana@');
});
