/** The text of one mail. Slots: `{event}`, `{school}` and `{date}`, when it begins. */
export interface MailText {
  readonly subject: string;
  readonly lead: string;
  readonly foot: string;
}

/** The mails about events. */
export type MailName =
  | 'confirmed'
  | 'promoted'
  | 'waitlisted'
  | 'soldOut'
  | 'canceled'
  | 'removed'
  | 'calledOff'
  | 'rescheduled'
  | 'day'
  | 'hour';

/** The mails in one language. */
export type MailTexts = Readonly<Record<MailName, MailText>> & {
  readonly lang: string;
  /** The names of rows, and what stands before addresses. */
  readonly when: string;
  readonly where: string;
  readonly online: string;
  readonly join: string;
  readonly cancel: string;
  /** What the link does. */
  readonly action: string;
};
