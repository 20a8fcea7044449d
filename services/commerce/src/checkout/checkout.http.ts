import { fold } from '@lyceum/eventlog';
import { type Call, type Operation, Problem, type Reply, asOf, operation } from '@lyceum/web';
import { orderParams } from '../orders/api/order.schema.ts';
import type { Order } from '../orders/order.state.ts';
import { orderDecider } from '../orders/deciding/order.ts';
import { orderDocument } from '../orders/api/order.view.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import { isOrderSecret } from '../ordering/order-secrets.ts';
import { type Cart, readCart } from './cart/cart.ts';
import { checkoutBody, checkoutReply, retryBody, secretHeader } from './checkout.schema.ts';
import { admitGuest, admitRecipient } from './guest-limits.ts';
import { invoicesOf } from './order-invoices.ts';
import { type OrderNow, openPayment, paymentDocument } from './payments/paying.ts';
import { payingProvider } from './paying-provider.ts';
import { type PlacedNow, placeOrder, placedBefore } from './cart/placing.ts';
import { admitQuote, buyingOf } from './quote.http.ts';
import { payAgain } from './payments/retrying.ts';
import { asProvidersSay } from './payments/returning.ts';

const path = '/api/checkout';
const secretOf = { [secretHeader]: 'The secret of the order, which the answer to a guest’s checkout has.' } as const;
/** Secrets of older orders that a checkout looks at. */
const mostSecrets = 8;
const about = { area: 'orders', anonymous: true, staff: [], reply: checkoutReply } as const;

type IssuedInvoices = Awaited<ReturnType<typeof invoicesOf>>;

/** What a person is told of an order and how it is paid. */
function checkoutBodyOf(
  ports: Pick<CommercePorts, 'providers'>,
  id: string,
  state: Order,
  more: { readonly order_secret?: string | null; readonly invoices?: IssuedInvoices } = {},
) {
  const { order_secret = null, invoices = [] } = more;
  return {
    object: 'checkout',
    id,
    order: orderDocument(id, state, 'member'),
    payment: paymentDocument(ports, state),
    invoices,
    order_secret,
  };
}

type Buyer = Pick<Call<{ body: typeof checkoutBody }>, 'principal' | 'body'>;

/** Who buys: a member by their token, a guest by their address. Throws the problem when it is neither, or both. */
function buyerOf({ principal, body: { email, name, invoice_to, language } }: Buyer) {
  const wrong = (code: string, message: string) =>
    new Problem('validation_failed', 'It must be clear who buys', { details: [{ path: 'email', code, message }] });
  if (!principal && email === undefined) throw wrong('missing', 'a guest says where to write to');
  if (principal && (email !== undefined || name !== undefined))
    throw wrong('not_for_members', 'the token says who buys');
  return { member: principal?.subject, email, name, invoice_to, language };
}

function refuseOtherTotal({ totals, school }: Cart, expected: { amount: number; currency: string } | undefined): void {
  if (!expected) return;
  const { total } = totals;
  if (expected.amount === total && expected.currency === school.currency) return;
  throw new Problem('price_changed', `It costs ${total} ${school.currency} by now (minor units)`);
}

const checkout = (ports: CommercePorts): Operation =>
  operation({
    ...about,
    id: 'checkout',
    method: 'POST',
    path,
    scope: 'account:write',
    summary: 'Buy',
    description:
      'Places an order: by a member with a token, or by a guest with an e-mail address. What is limited is held for it until it is paid or its time is over, for a guest 40 minutes at most: what a guest pays later takes what is left then, or goes back. Guests buy 10 times in a minute and 60 times in a day from one address, and 5 times in an hour and 20 times in a day under one e-mail address. What costs nothing is paid at once, but for a trial whose later payments somebody has to agree to first. A membership plan is bought by itself. The same Idempotency-Key never buys twice. With a coupon it counts among the quotes of an address: 10 in a minute.',
    idempotencyKey: 'required',
    headers: {
      [secretHeader]: `The secrets of unpaid orders that a guest placed before, ${mostSecrets} at most, separated by commas: those with the same items are canceled.`,
    },
    body: checkoutBody,
    status: 201,
    errors: [
      'already_owned',
      'already_subscribed',
      'coupon_invalid',
      'currency_mismatch',
      'price_changed',
      'rate_limited',
      'sold_out',
      'temporarily_unavailable',
    ],
    async handle(call): Promise<Reply> {
      const { school, issuer } = call;
      // Whatever things cost by now, and whoever has them: a repetition finds its order.
      const { stream: id, ...placed } = (await placedBefore(ports, call)) ?? (await placeAnew(ports, call));
      const { secret_hash } = placed.state;
      const secret = secret_hash === null ? undefined : ports.secrets.again(school, call.commit.commitId, secret_hash);
      const now = await openPayment(ports, { school, issuer, id, title: titleOf(placed.state) }, placed);
      const body = checkoutBodyOf(ports, id, now.state, { order_secret: secret ?? null });
      return { body, headers: { Location: `${path}/${id}` }, ...asOf(now) };
    },
  });

/** The secrets of the orders that a guest has. Another form is none of an order. */
const secretsIn = ({ [secretHeader]: sent = '' }: Call['headers']): readonly string[] =>
  sent.split(',', mostSecrets).map((secret) => secret.trim());

async function placeAnew(ports: CommercePorts, call: Call<{ body: typeof checkoutBody }>): Promise<PlacedNow> {
  const buyer = buyerOf(call);
  if (call.body.coupon_code !== undefined) await admitQuote(ports, call);
  if (buyer.member === undefined) await admitGuest(ports, call);
  const cart = await readCart(ports, buyingOf(call), call.body);
  refuseOtherTotal(cart, call.body.expected_total);
  const paying = { isGuest: buyer.member === undefined, wanted: call.body.provider };
  const provider = payingProvider(ports, cart, paying);
  if (buyer.email !== undefined) await admitRecipient(ports, call.school, buyer.email);
  return placeOrder(ports, call, { cart, ...buyer, provider, secrets: secretsIn(call.headers) });
}

const titleOf = ({ lines }: Order): string =>
  lines
    .map(({ title }) => title)
    .join(', ')
    .slice(0, 200);

type Reading = Pick<Call, 'school' | 'principal' | 'headers'> & { readonly params: { readonly order: string } };

/** The order of a path for its buyer, who has its secret or is its member. Throws 404 for everybody else. */
async function ownOrderOf({ log }: Pick<CommercePorts, 'log'>, call: Reading): Promise<OrderNow> {
  const { state, ...found } = await fold(log, orderDecider, call.school, call.params.order);
  const secret = call.headers[secretHeader];
  const isMembers = call.principal !== undefined && state?.buyer.member_id === call.principal.subject;
  const hashed = state?.secret_hash ?? null;
  const isSecret = secret !== undefined && hashed !== null && isOrderSecret(secret, hashed);
  if (!state || !(isMembers || isSecret)) throw new Problem('not_found');
  return { ...found, state };
}

const getCheckout = (ports: CommercePorts): Operation =>
  operation({
    ...about,
    id: 'getCheckout',
    method: 'GET',
    path: `${path}/{order}`,
    scope: 'account:read',
    summary: 'Read an order of your own',
    description:
      'As of now: for its member, or for whoever has its secret. While it is not paid, the provider of its payment is asked what became of it, six times in a minute.',
    headers: secretOf,
    params: orderParams,
    status: 200,
    async handle(call) {
      const { school } = call;
      const { order: id } = call.params;
      const now = await asProvidersSay(ports, { school, id }, await ownOrderOf(ports, call));
      const invoices = await invoicesOf(ports, call, id, now.state);
      return { body: checkoutBodyOf(ports, id, now.state, { invoices }), ...asOf(now) };
    },
  });

/** Counts another payment of a guest's order. Throws the 429 problem for one too many. */
async function admitAnother(ports: CommercePorts, call: Reading & Pick<Call, 'address'>, { state }: OrderNow) {
  await admitGuest(ports, call);
  if (state.buyer.email) await admitRecipient(ports, call.school, state.buyer.email);
}

const retryPayment = (ports: CommercePorts): Operation =>
  operation({
    ...about,
    id: 'retryPayment',
    method: 'POST',
    path: `${path}/{order}/payments`,
    scope: 'account:write',
    summary: 'Pay again',
    description:
      'Begins another payment in place of one that failed, or of one by another provider, as long as the order can be paid. What people have longer for makes that time longer; what is limited is held so long for members only. For guests it counts among the checkouts.',
    headers: secretOf,
    params: orderParams,
    body: retryBody,
    status: 201,
    errors: ['coupon_invalid', 'invalid_state', 'rate_limited', 'sold_out', 'temporarily_unavailable'],
    async handle(call) {
      const { school, issuer } = call;
      const { order: id } = call.params;
      const found = await ownOrderOf(ports, call);
      if (!call.principal) await admitAnother(ports, call, found);
      const begun = await payAgain(ports, call, found, call.body?.provider);
      const now = await openPayment(ports, { school, issuer, id, title: titleOf(found.state) }, begun);
      return { body: checkoutBodyOf(ports, id, now.state), headers: { Location: `${path}/${id}` }, ...asOf(now) };
    },
  });

/** How people buy. */
export const checkoutOperations = (ports: CommercePorts): readonly Operation[] => [
  checkout(ports),
  getCheckout(ports),
  retryPayment(ports),
];
