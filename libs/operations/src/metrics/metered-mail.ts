import { type Mail, MailRefused } from '@lyceum/mail';
import type { Metrics } from './metrics.ts';

/**
 * The same way of mail, whose mails are counted by what became of them: `sent` (in other hands), `refused` (it will never
 * go out), `unavailable` (it is tried again). No address and no school is told.
 */
export function meteredMail(mail: Mail, metrics: Metrics): Mail {
  const mails = metrics.counter('lyceum_mails_total', 'Tries to send a mail by what became of them', ['outcome']);
  // From the start, so that the first failure is an increase.
  for (const outcome of ['sent', 'refused', 'unavailable']) mails.labels(outcome).inc(0);
  return {
    async send(message) {
      try {
        await mail.send(message);
        mails.labels('sent').inc();
      } catch (error) {
        mails.labels(error instanceof MailRefused ? 'refused' : 'unavailable').inc();
        throw error;
      }
    },
    close: () => mail.close(),
  };
}
