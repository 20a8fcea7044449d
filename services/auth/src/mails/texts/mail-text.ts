/** The mails about an account. */
export type MailName = 'reset' | 'verify' | 'passwordChanged' | 'emailChangePresent' | 'emailChangeNext' | 'export';

/** The text of one mail. Slots: `{school}` everywhere, `{email}` in mails about a change of address. */
export interface MailText {
  readonly subject: string;
  readonly lead: string;
  /** What the link does. */
  readonly action: string;
  readonly foot: string;
}

/** The mails in one language. */
export type MailTexts = { readonly lang: string } & Readonly<Record<MailName, MailText>>;
