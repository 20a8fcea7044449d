import type { Outcome } from '@lyceum/service';
import { findOpenAccount } from '../domain/accounts/account-registry.ts';
import { read } from '../domain/write.ts';
import { accountOfExportRequest, exportRequestDecider } from '../exports/export-request.ts';
import { linkTo } from '../recovery/mail-links.ts';
import type { School } from '../school-projections/school.ts';
import { composeMail } from './compose-mail.ts';
import type { Delivery } from './delivery.events.ts';
import { type MailPorts, sendInNameOf } from './send-account-mail.ts';
import { mailTextsFor } from './texts/languages.ts';

type ExportDelivery = Extract<Delivery, { what: 'export' }>;

/**
 * Sends the link to all that is known of a person. Not when the account is no more, or another one was asked for since: the
 * link would not work.
 */
export async function sendExportMail(
  ports: MailPorts,
  { about, until: expires }: ExportDelivery,
  school: School,
  key: string,
): Promise<Outcome> {
  const account = await findOpenAccount(ports, school.id, accountOfExportRequest(about));
  const asked = await read(ports, exportRequestDecider, school.id, about);
  if (!account || asked?.expires_at !== expires) return 'sent';
  const { id, email, emailKey, locale } = account;
  const link = linkTo(ports.sealer, school, 'export', { account: id, emailKey, expires }, expires);
  const texts = mailTextsFor(locale ?? undefined, school.locale);
  const written = composeMail(texts, texts.export, { school: school.name, email, link });
  return sendInNameOf(ports, school, { to: email, ...written, idempotencyKey: key });
}
