import { type Tracer, inSpan } from '@lyceum/kernel';
import type { MailGate } from '../withheld/withheld-mail.ts';

/** The same mail, where a mail is a span of what it follows from; nothing of the mail is told. */
export const tracedMail = (mail: MailGate, tracer: Tracer): MailGate => ({
  withheldSince: () => mail.withheldSince(),
  release: (how) => mail.release(how),
  send: (message) =>
    tracer.active()
      ? inSpan(tracer.begin('send mail', { kind: 'client' }), () => mail.send(message))
      : mail.send(message),
  close: () => mail.close(),
});
