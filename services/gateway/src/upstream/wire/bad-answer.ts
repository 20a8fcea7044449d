/** What a service sent is no answer by the rules of HTTP/1.1; the message says which. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer';

  constructor(what: string) {
    super(`The answer cannot be read: ${what}`);
  }
}
