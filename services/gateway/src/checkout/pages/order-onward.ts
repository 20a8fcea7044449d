import { htmlText } from '../../discovery/text/html-text.ts';
import { checkoutPath } from '../asking/wanted.ts';
import type { CheckoutTexts, Telling } from '../texts/checkout-texts.ts';
import { fact, filled, hidden, momentIn, priceIn, told } from './markup.ts';
import type { OrderModel } from './order-model.ts';

const isBought = (telling: Telling): boolean =>
  ['paid', 'free', 'subscribed', 'partially_refunded', 'disputed'].includes(telling);

/** A form about the order with buttons, each of which says what it does. */
const orderForm = (
  { checkout, csrf }: OrderModel,
  buttons: readonly (readonly [action: string, label: string, kind: string])[],
): string => `<form method="post" action="/checkout/${checkout.id}">
${hidden([['csrf', csrf]])}
<p class="buttons">${buttons
  .map(
    ([action, label, kind]) =>
      `<button${kind && ` class="${kind}"`} type="submit" name="do" value="${action}">${label}</button>`,
  )
  .join('\n')}</p>
</form>`;

const checkAgain = ({ checkout: { id } }: OrderModel, said: CheckoutTexts): string =>
  `<a class="button" href="/checkout/${id}">${said.checkAgain}</a>`;

function transferPart(model: OrderModel, said: CheckoutTexts): string {
  const { checkout, school, language } = model;
  const { payment, order } = checkout;
  const instructions = payment?.instructions
    ? `<p class="pre">${told(payment.instructions)}</p>`
    : `<p>${said.transferAsk}</p>`;
  const facts = [
    fact(said.amount, priceIn(order.total, language)),
    ...(payment?.reference ? [fact(said.reference, `<code>${told(payment.reference)}</code>`)] : []),
    fact(said.payUntil, momentIn(order.expires_at, model)),
  ];
  return `<p>${filled(said.transferTo, { school: told(school.name) })}</p>
${instructions}
<dl class="facts">${facts.join('\n')}</dl>
<p class="buttons">${checkAgain(model, said)}</p>`;
}

const testPart = (model: OrderModel, said: CheckoutTexts): string => `<div class="notice" role="note">
<h3>${said.test[0]}</h3>
<p>${said.test[1]}</p>
${orderForm(model, [
  ['succeed', said.testSucceed, ''],
  ['fail', said.testFail, ''],
])}
</div>`;

/** The address at the provider where the payment goes on; undefined where the order's own page is that. */
export const providerAddress = (url: string | null | undefined, baseUrl: string): string | undefined =>
  url && /^https?:\/\//.test(url) && !url.startsWith(`${baseUrl}/checkout/`) ? url : undefined;

/** What is to be paid, and until when. */
function due(model: OrderModel, said: CheckoutTexts): string {
  const { total, expires_at } = model.checkout.order;
  const amount = fact(said.amount, priceIn(total, model.language));
  return `<dl class="facts">${amount}${fact(said.payUntil, momentIn(expires_at, model))}</dl>`;
}

/** What there is to do about an order that waits for its payment. */
function pendingPart(model: OrderModel, said: CheckoutTexts): string {
  const { checkout, school } = model;
  const { payment } = checkout;
  if (payment?.provider === 'test' && payment.state === 'open') return testPart(model, said);
  const url = payment?.state === 'open' ? providerAddress(payment.url, school.baseUrl) : undefined;
  // The provider gave no answer yet: it is asked again.
  if (payment?.state === 'created')
    return `${due(model, said)}\n${orderForm(model, [['retry', said.toPayment, 'primary']])}`;
  const onward = url
    ? `<a class="button primary" href="${htmlText(url)}" rel="noreferrer">${said.toPayment}</a>\n`
    : '';
  return `${due(model, said)}
<p class="buttons">${onward}${checkAgain(model, said)}</p>`;
}

/** How to get to what was bought. */
function accessPart(model: OrderModel, said: CheckoutTexts): string {
  const { checkout, items, isMember } = model;
  const isReady = checkout.order.fulfilled_at !== null;
  const courses = items
    .filter(({ type, id }) => type === 'course' && !checkout.order.lines.find((line) => line.item_id === id)?.revoked)
    .map(({ slug, title }) => {
      const name = filled(said.toCourse, { title: told(title) });
      return `<a class="button" href="/courses/${encodeURIComponent(slug)}">${name}</a>`;
    });
  const about = isReady ? said.accessReady : said.accessSoon;
  const ending = items.some(({ renews }) => renews) ? `\n<p>${said.toEnd}</p>` : '';
  const buttons = [
    ...(isReady ? courses : [checkAgain(model, said)]),
    ...(isMember ? [`<a class="button" href="/oauth/account">${said.toAccount}</a>`] : []),
  ];
  return `<p>${about}${isMember ? '' : ` ${said.accessByMail}`}</p>${ending}
${buttons.length > 0 ? `<p class="buttons">${buttons.join('\n')}</p>\n` : ''}<p class="quiet small screen">${said.print}</p>`;
}

/** Leads to the same things once more; undefined where they are not sold any more, or the order changed a subscription. */
function orderAgain({ items, checkout }: OrderModel, said: CheckoutTexts): string | undefined {
  if (items.length === 0 || checkout.order.source === 'change') return undefined;
  const again = { items: items.map(({ type, slug }) => ({ type, name: slug })), coupon: undefined };
  return `<p class="buttons"><a class="button primary" href="${htmlText(checkoutPath(again))}">${said.orderAgain}</a></p>`;
}

const payAgain = (model: OrderModel, said: CheckoutTexts): string =>
  `${due(model, said)}\n${orderForm(model, [['retry', said.payAgain, 'primary']])}`;

/** Whether it is known by now that there is no other payment for a failed one. */
const isOver = ({ problem }: OrderModel): boolean =>
  problem === 'order_over' || problem === 'sold_out' || problem === 'coupon_invalid';

/** What there is to do, by what the order is, and its heading. */
export function onwardPart(
  model: OrderModel,
  telling: Telling,
  said: CheckoutTexts,
): readonly [heading: string, html: string] | undefined {
  // Access rests while the bank looks into it.
  if (model.checkout.order.lines.some(({ suspended }) => suspended)) return undefined;
  if (isBought(telling)) return [said.access, accessPart(model, said)];
  switch (telling) {
    case 'transfer':
      return [said.payment, transferPart(model, said)];
    case 'pending':
    case 'agreeing':
      return [said.payment, pendingPart(model, said)];
    case 'processing':
      return [said.payment, `<p class="buttons">${checkAgain(model, said)}</p>`];
    case 'failed':
    case 'expired':
    case 'canceled': {
      const again = telling === 'failed' && !isOver(model) ? payAgain(model, said) : orderAgain(model, said);
      return again === undefined ? undefined : [said.tryAgain, again];
    }
    default:
      return undefined;
  }
}
