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

/** Parameters of a charge that stand for what the person agreed to. */
const ofAgreement = new Set(['customer', 'payment_method', 'mandate']);

/** Codes of what is wrong with a means of payment. @see https://docs.stripe.com/error-codes */
const codesOfMeans = /^(?:payment_method_|bank_account_|card_|expired_card$|authentication_required$)|mandate/;

/** Stripe's words about a means of payment that have neither a code nor a parameter: it was detached, or used up. */
const wordsOfMeans = /\bPaymentMethod\b|\bmandate\b/;

/**
 * Why a charge without the person is declined, in words for operators: it is the card, or what was agreed to is not good
 * any more. undefined of everything else, also of a request that Stripe never takes: the person can do nothing about it.
 */
export async function declined(error: unknown): Promise<string | undefined> {
  const { default: Client } = await import('stripe');
  if (!(error instanceof Client.errors.StripeInvalidRequestError)) return neverDone(error);
  const { code = '', param = '', message } = error;
  const isOfMeans = ofAgreement.has(param) || codesOfMeans.test(code) || wordsOfMeans.test(message);
  return isOfMeans ? neverDone(error) : undefined;
}
