import type { Clock } from '@lyceum/kernel';
import { checkMessage, mailName } from './message.ts';
import type { Message } from './port.ts';
import { type Sender, domainOf } from './sender.ts';

/** A mail as it travels: the envelope and the bytes. */
export interface Composed {
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly bytes: Buffer;
}

/**
 * The mail in the form of RFC 5322, encoded by the library: names and subjects of any script, long lines, two bodies.
 * Throws `MailRefused` before anything is written when a field could break out of its header.
 * @see RFC 5322 §3.6, RFC 2047, RFC 3834 §5
 */
export async function compose(message: Message, sender: Sender, clock: Clock): Promise<Composed> {
  checkMessage(message);
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const { to, from, subject, text, html } = message;
  const node = new MailComposer({
    from: { name: from ?? sender.name, address: sender.address },
    to: { name: '', address: to },
    subject,
    text,
    ...(html === undefined ? {} : { html }),
    messageId: `<${mailName(message)}@${domainOf(sender)}>`,
    date: new Date(clock.now()),
    // Machines that answer mail by themselves must not answer this.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const bytes = await node.build();
  const envelope = node.getEnvelope();
  return { envelope: { from: String(envelope.from || sender.address), to: envelope.to }, bytes };
}
