import { type Html, html } from '../pages/markup/html.ts';
import type { MailText } from './texts/mail-text.ts';

/** The values for the slots of a mail, and the address of its link. */
export interface MailSlots {
  readonly school: string;
  readonly email: string;
  readonly link: string;
}

/** A mail, ready to be sent. */
export interface ComposedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const fill = (sentence: string, slots: Readonly<Record<string, string>>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => slots[name] ?? '');

/** Composes a mail: as plain text, and the same as a page without pictures, scripts and links to count who reads it. */
export function composeMail(texts: { readonly lang: string }, said: MailText, filling: MailSlots): ComposedMail {
  const { link } = filling;
  // A person chooses a name freely: here it becomes one line.
  const slots = { school: oneLine(filling.school), email: filling.email };
  const [subject, lead, foot] = [said.subject, said.lead, said.foot].map((each) => fill(each, slots)) as [
    string,
    string,
    string,
  ];
  const text = `${lead}\n\n${said.action}:\n${link}\n\n${foot}\n\n${slots.school}\n`;
  return { subject, text, html: page(texts.lang, { subject, lead, foot, action: said.action, link }).toString() };
}

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();

const font = 'font-family:system-ui,sans-serif;font-size:16px;line-height:1.5';
const button =
  'display:inline-block;padding:12px 20px;border-radius:8px;background:#1f4fd8;color:#ffffff;text-decoration:none';

const page = (lang: string, said: Record<'subject' | 'lead' | 'foot' | 'action' | 'link', string>): Html =>
  html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <title>${said.subject}</title>
      </head>
      <body style="margin:0;padding:24px;${font}">
        <p>${said.lead}</p>
        <p><a href="${said.link}" style="${button}">${said.action}</a></p>
        <p>${said.foot}</p>
      </body>
    </html> `;
