/** One message to one person. */
export interface Message {
  /** One address, without a name and without angle brackets. */
  readonly to: string;
  /** The name that stands before the installation's own address, e.g. the name of a school. */
  readonly from?: string;
  readonly subject: string;
  readonly text: string;
  /** The same, as a whole HTML document. */
  readonly html?: string;
  /** The same for every try of the same mail: it becomes the Message-ID, by which a repeat is recognised. At most 200 characters. */
  readonly idempotencyKey: string;
  /** When it was asked for, RFC 3339 UTC: a restored system may have sent it before the restore. */
  readonly asked?: string;
}

/** Sends mail, at least once: a sender that does not know whether a mail went out sends it again under the same key. */
export interface Mail {
  /**
   * Resolves once the mail is in other hands: durable in the outbox, or accepted by the mail server. Throws
   * {@link MailRefused} when this mail can never be sent, and {@link MailUnavailable} when a later try may succeed.
   */
  send(message: Message): Promise<void>;
  /** Waits for what is being sent and releases connections. */
  close(): Promise<void>;
}

/** The mail will never go out: its fields are wrong, or the server refused it for good. Names no address. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** The mail did not go out now; the next try may succeed. Names no address. */
export class MailUnavailable extends Error {
  override readonly name = 'MailUnavailable';
}
