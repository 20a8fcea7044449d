/**
 * The request's credentials cannot be accepted. `description` is public: printable ASCII without `"` and `\`, and it
 * never repeats what the client sent.
 * @see RFC 6750 §3.1
 */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
  readonly description: string;

  constructor(description: string, cause?: unknown) {
    super(description, { cause });
    this.description = description;
  }
}
