import { keysOf } from '@lyceum/kernel';
import { createHash } from 'node:crypto';
import { type Message, MailRefused } from './port.ts';

/** Letters of any script, and no character that has a meaning in a header: no brackets, commas, quotes or white space. */
const addressForm = /^[^\s\p{C}@<>()[\]\\,;:"]{1,64}@[^\s\p{C}@<>()[\]\\,;:"]{1,253}$/u;
const control = /\p{Cc}/u;
const longest = { to: 254, from: 200, subject: 500, idempotencyKey: 200, body: 256 * 1024 };

/** Throws {@link MailRefused} unless every header field is one line and the address is one address. */
export function checkMessage({ to, from = '', subject, text, html = '', idempotencyKey }: Message): void {
  if (to.length > longest.to || !addressForm.test(to)) throw new MailRefused('The address is not one e-mail address');
  const headers = { from, subject, idempotencyKey };
  for (const name of keysOf(headers)) {
    const value = headers[name];
    if (control.test(value)) throw new MailRefused(`The ${name} of a mail is one line of text`);
    if (value.length > longest[name]) throw new MailRefused(`The ${name} of a mail is too long`);
  }
  if (subject === '' || idempotencyKey === '') throw new MailRefused('A mail has a subject and an idempotency key');
  if (text.length + html.length > longest.body) throw new MailRefused('The mail is too long');
}

/** Names the mail without telling anything of it: the same for every try. 43 characters, base64url. */
export const mailName = ({ idempotencyKey }: Pick<Message, 'idempotencyKey'>): string =>
  createHash('sha256').update(`mail\n${idempotencyKey}`).digest('base64url');
