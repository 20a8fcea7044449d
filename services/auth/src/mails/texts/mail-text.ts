/** The mails about an account. */
export type MailName = 'reset' | 'verify' | 'passwordChanged' | 'emailChangePresent' | 'emailChangeNext';

/** What one letter says. Slots: `{school}` everywhere, `{email}` in letters about a change of address. */
export interface MailText {
  readonly subject: string;
  readonly lead: string;
  /** What the link does. */
  readonly action: string;
  readonly foot: string;
}

/** The letters in one language. */
export type MailTexts = { readonly lang: string } & Readonly<Record<MailName, MailText>>;
