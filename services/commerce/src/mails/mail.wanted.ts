import type { Addressed, MailContents, Seller } from '@lyceum/service';
import type { MailName, MailTexts } from './texts/mail-text.ts';

/** With what a mail is written: in a language, for the reader's eyes. */
export interface Writing {
  readonly texts: MailTexts;
  readonly seller: Seller;
  /** BCP 47: of amounts and dates. */
  readonly language: string;
}

/** What of a mail is not in its texts. */
export interface Filling extends Pick<MailContents, 'link'>, Partial<Pick<MailContents, 'rows' | 'total' | 'block'>> {
  readonly name: MailName;
  /** For the slots of the texts. */
  readonly slots: Readonly<Record<string, string>>;
}

/** A mail that is to be written, and to whom. */
export interface WantedMail {
  readonly addressed: Addressed;
  fill(writing: Writing): Filling;
}
