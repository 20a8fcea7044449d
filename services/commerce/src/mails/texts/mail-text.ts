/**
 * The text of one mail. Slots: `{school}` everywhere; `{amount}`, `{order}` (its number), `{plan}`, `{date}`, `{until}` and
 * `{reference}` where the mail has them.
 */
export interface MailText {
  readonly subject: string;
  readonly lead: string;
  /** What the link does. */
  readonly action: string;
  readonly foot: string;
}

/** The mails about what people buy. */
export type MailName =
  | 'free'
  | 'receipt'
  | 'refunded'
  | 'transfer'
  | 'failed'
  | 'paymentDue'
  | 'pastDue'
  | 'pastDueLast'
  | 'renewal'
  | 'renewalDue'
  | 'trial'
  | 'trialDue'
  | 'lapsed'
  | 'canceled';

/** The mails in one language. */
export type MailTexts = Readonly<Record<MailName, MailText>> & {
  readonly lang: string;
  /** The names of rows: what is paid in all, the tax in it, the reference of a transfer. */
  readonly total: string;
  readonly tax: string;
  readonly reference: string;
};
