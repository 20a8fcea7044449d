import type { ConnectionOptions } from 'node:tls';
import type { Clock } from '@lyceum/kernel';
import type { NodemailerError, SMTPPoolOptions } from 'nodemailer';
import { compose } from './compose.ts';
import { type Mail, type Message, MailRefused, MailUnavailable } from './port.ts';
import type { Sender } from './sender.ts';

/** How the mail server is reached. */
export interface SmtpOptions {
  /** `smtps://user:password@host:465` is TLS from the start, `smtp://…:587` is STARTTLS, required but on loopback. */
  readonly url: string;
  readonly sender: Sender;
  readonly clock: Clock;
  /** Authorities, when the server's certificate is not of a public one. */
  readonly tls?: ConnectionOptions;
  /** Milliseconds without progress after which a try has failed; 20000 when not given. */
  readonly timeout?: number;
}

const usualTimeout = 20_000;
const mostConnections = 3;

/** Mail through a mail server: connections are kept and shared. The driver is loaded with the first mail. */
export function smtpMail(options: SmtpOptions): Mail {
  const { sender, clock } = options;
  let opened: ReturnType<typeof connect> | undefined;
  return {
    async send(message: Message) {
      const { envelope, bytes } = await compose(message, sender, clock);
      opened ??= connect(options);
      const transport = await opened;
      try {
        const { from, to } = envelope;
        await transport.sendMail({ envelope: { from, to: [...to] }, raw: bytes });
      } catch (error) {
        throw meaning(error as NodemailerError);
      }
    },
    async close() {
      (await opened)?.close();
    },
  };
}

/** Asks the mail server whether it lets us in; sends nothing. Throws `MailUnavailable`. */
export async function reachSmtp(options: SmtpOptions): Promise<void> {
  const transport = await connect(options);
  try {
    await transport.verify();
  } catch (error) {
    const { code, responseCode } = error as NodemailerError;
    throw new MailUnavailable(responseCode === undefined ? (code ?? 'unknown') : `it says ${responseCode}`);
  } finally {
    transport.close();
  }
}

async function connect({ url, tls, timeout = usualTimeout }: SmtpOptions) {
  const { createTransport } = await import('nodemailer');
  const { protocol, hostname, port, username, password } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const options: SMTPPoolOptions & { pool: true } = {
    pool: true,
    host,
    secure: protocol === 'smtps:',
    // A server in between could leave STARTTLS out, and would then read every link.
    requireTLS: !/^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host),
    maxConnections: mostConnections,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    dnsTimeout: timeout,
    socketTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(port === '' ? {} : { port: Number(port) }),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...(tls ? { tls } : {}),
  };
  return createTransport(options);
}

/**
 * What a failure means for the mail. The server's words may name the person, so they are left out. A refused sign-in or
 * a wrong sender is the installation's fault, not the mail's: it is tried again.
 * @see RFC 5321 §4.2.1
 */
function meaning({ code, responseCode, command }: NodemailerError): MailRefused | MailUnavailable {
  const isRecipients = command === 'RCPT TO' || command === 'DATA' || code === 'EMESSAGE';
  const said = responseCode === undefined ? '' : ` (${responseCode})`;
  if (isRecipients && responseCode !== undefined && responseCode >= 500)
    return new MailRefused(`The mail server refuses the mail${said}`);
  return new MailUnavailable(`The mail server did not take the mail: ${code ?? 'unknown'}${said}`);
}
