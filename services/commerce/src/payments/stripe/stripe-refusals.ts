/** Stripe's words, at most so many characters of them, for operators. */
const longest = 300;

/** Another request with the same key is being answered: it is no refusal. */
const busy = 'idempotency_key_in_use';

/**
 * Why Stripe will never do what it was asked for, in words for operators; undefined when it may, another time: it was not
 * reached, was busy, or did not know us. A key that was used for another request is used for good.
 */
export async function neverDone(error: unknown): Promise<string | undefined> {
  const { default: Client } = await import('stripe');
  const { StripeCardError, StripeIdempotencyError, StripeInvalidRequestError } = Client.errors;
  const isFinal =
    error instanceof StripeCardError ||
    error instanceof StripeInvalidRequestError ||
    error instanceof StripeIdempotencyError;
  if (!isFinal || error.code === busy) return undefined;
  const code = error.decline_code ?? error.code ?? error.type;
  return `${code}: ${error.message}`.slice(0, longest);
}
