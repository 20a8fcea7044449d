import { type Mail, MailRefused, MailUnavailable, type Message } from '@lyceum/mail';

/** The outcome of one attempt: delivered, to be tried again, or never to be tried again. */
export type Outcome = 'sent' | 'unavailable' | 'refused';

/** Sends a mail in the name of somebody, e.g. a school, whose name becomes one line. */
export async function sendMail(
  { mail }: { readonly mail: Mail },
  { from, ...letter }: Message & { readonly from: string },
): Promise<Outcome> {
  try {
    await mail.send({ from: from.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 200), ...letter });
    return 'sent';
  } catch (error) {
    if (error instanceof MailUnavailable) return 'unavailable';
    if (error instanceof MailRefused) return 'refused';
    throw error;
  }
}
