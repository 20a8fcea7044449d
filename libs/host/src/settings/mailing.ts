import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@lyceum/kernel';
import { type Mail, type Sender, type SmtpOptions, fileOutbox, readSender, smtpMail } from '@lyceum/mail';
import type { Logger } from 'pino';
import { z } from 'zod';
import { caFile } from './engine-settings.ts';

const isServer = (text: string): boolean =>
  URL.canParse(text) &&
  /^smtps?:$/.test(new URL(text).protocol) &&
  new URL(text).hostname !== '' &&
  /^\/?$/.test(new URL(text).pathname + new URL(text).search);

/** Where mail goes. */
export const mailSettings = {
  SMTP_URL: z
    .string()
    .refine(isServer, 'smtps://user:password@host:465 or smtp://user:password@host:587, nothing behind the port')
    .optional()
    .meta({ secret: true, description: 'Mail server; unset = mail is written into DATA_DIR/outbox' }),
  SMTP_CA_FILE: caFile('the mail server'),
  MAIL_FROM: z
    .string()
    .refine((text) => readSender(text) !== undefined, 'address@host or Name <address@host>')
    .optional()
    .meta({ description: 'Sender of all mail; needed with SMTP_URL' }),
  MAIL_WITHHELD: z.enum(['true', 'false'], 'true or false').default('false').meta({
    description: 'true = no mail is sent, and what is owed waits: for the first start after a restore in MongoDB',
  }),
} as const;

type MailSettings = z.output<z.ZodObject<typeof mailSettings>>;

const fallback: Sender = { name: 'Lyceum', address: 'no-reply@localhost' };

/** What is wrong with the mail settings taken together: variable and what would do. */
export const mailProblems = (
  settings: Readonly<Record<string, unknown>>,
): readonly [variable: string, expected: string][] =>
  settings['SMTP_URL'] !== undefined && settings['MAIL_FROM'] === undefined
    ? [['MAIL_FROM', 'the address that mail comes from, because SMTP_URL is set']]
    : [];

type Settings = MailSettings & { readonly DATA_DIR: string };

/** How the mail server is reached; undefined = mail is written into files. Reads the file of authorities. */
export async function smtpOf(
  { SMTP_URL, SMTP_CA_FILE, MAIL_FROM }: MailSettings,
  clock: Clock,
): Promise<SmtpOptions | undefined> {
  if (SMTP_URL === undefined) return undefined;
  const tls = SMTP_CA_FILE === undefined ? {} : { tls: { ca: await readFile(SMTP_CA_FILE, 'utf8') } };
  return { url: SMTP_URL, sender: senderOf(MAIL_FROM), clock, ...tls };
}

const senderOf = (from: string | undefined): Sender => (from === undefined ? undefined : readSender(from)) ?? fallback;

/** The way of mail that the settings choose. Of a mail in the outbox the log says where it lies, and not whose it is. */
export async function openMail(settings: Settings, clock: Clock, logger: Logger): Promise<Mail> {
  const { MAIL_FROM, DATA_DIR } = settings;
  const smtp = await smtpOf(settings, clock);
  if (!smtp) {
    const onWritten = (file: string) => logger.info({ file }, 'a mail was written');
    return fileOutbox({ folder: join(DATA_DIR, 'outbox'), sender: senderOf(MAIL_FROM), clock, onWritten });
  }
  return smtpMail(smtp);
}
