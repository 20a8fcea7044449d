import { htmlText } from '../../discovery/text/html-text.ts';
import type { Checkout, SoldItem } from '../asking/shop.ts';
import { checkoutPath } from '../asking/wanted.ts';
import { type CheckoutTexts, type Complaint, type Telling, checkoutLanguages } from '../texts/checkout-texts.ts';
import {
  type CheckoutPage,
  type PageFrame,
  checkoutPage,
  fact,
  filled,
  hidden,
  momentIn,
  priceIn,
  told,
} from './markup.ts';
import { sums } from './sums.ts';

/** What the buyer of an order is shown. */
export interface OrderModel extends PageFrame {
  readonly checkout: Checkout;
  /** What the lines are about, as far as it can be read now. */
  readonly items: readonly SoldItem[];
  readonly isMember: boolean;
  readonly problem: Complaint | undefined;
  /** The tag of the forms about this order. */
  readonly csrf: string;
}

/** How an order is told. */
function tellingOf({ order, payment }: Pick<Checkout, 'order' | 'payment'>): Telling {
  const { status, total } = order;
  switch (status) {
    case 'pending':
      if (payment?.state === 'processing') return 'processing';
      return payment?.provider === 'manual' ? 'transfer' : 'pending';
    case 'paid':
      return total.amount === 0 ? 'free' : 'paid';
    case 'failed':
    case 'expired':
    case 'canceled':
    case 'refunded':
    case 'partially_refunded':
    case 'disputed':
    case 'charged_back':
      return status;
    default:
      return 'pending';
  }
}

const isBought = (telling: Telling): boolean => ['paid', 'free', 'partially_refunded', 'disputed'].includes(telling);

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
  const instructions = payment?.instructions ? `<p class="pre">${told(payment.instructions)}</p>\n` : '';
  const facts = [
    fact(said.amount, priceIn(order.total, language)),
    ...(payment?.reference ? [fact(said.reference, `<code>${told(payment.reference)}</code>`)] : []),
    fact(said.payUntil, momentIn(order.expires_at, model)),
  ];
  return `<p>${filled(said.transferTo, { school: told(school.name) })}</p>
${instructions}<dl class="facts">${facts.join('\n')}</dl>
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

/** What there is to do about an order that waits for its payment. */
function pendingPart(model: OrderModel, said: CheckoutTexts): string {
  const { checkout, school } = model;
  const { payment, order } = checkout;
  if (payment?.provider === 'test' && payment.state === 'open') return testPart(model, said);
  const url = payment?.state === 'open' ? providerAddress(payment.url, school.baseUrl) : undefined;
  const onward = url
    ? `<a class="button primary" href="${htmlText(url)}" rel="noreferrer">${said.toPayment}</a>\n`
    : '';
  return `<dl class="facts">${fact(said.payUntil, momentIn(order.expires_at, model))}</dl>
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
  const buttons = [
    ...(isReady ? courses : [checkAgain(model, said)]),
    ...(isMember ? [`<a class="button" href="/oauth/account">${said.toAccount}</a>`] : []),
  ];
  return `<p>${about}${isMember ? '' : ` ${said.accessByMail}`}</p>
${buttons.length > 0 ? `<p class="buttons">${buttons.join('\n')}</p>\n` : ''}<p class="quiet small screen">${said.print}</p>`;
}

/** What there is to do, by what the order is. */
function onwardPart(model: OrderModel, telling: Telling, said: CheckoutTexts): string {
  if (isBought(telling)) return accessPart(model, said);
  switch (telling) {
    case 'transfer':
      return transferPart(model, said);
    case 'pending':
      return pendingPart(model, said);
    case 'processing':
      return `<p class="buttons">${checkAgain(model, said)}</p>`;
    case 'failed':
      return orderForm(model, [['retry', said.payAgain, 'primary']]);
    case 'expired':
    case 'canceled': {
      const again = { items: model.items.map(({ type, slug }) => ({ type, name: slug })), coupon: undefined };
      return again.items.length === 0
        ? ''
        : `<p class="buttons"><a class="button primary" href="${htmlText(checkoutPath(again))}">${said.orderAgain}</a></p>`;
    }
    default:
      return '';
  }
}

function receipt(model: OrderModel, said: CheckoutTexts): string {
  const { checkout, language } = model;
  const { order } = checkout;
  const lines = order.lines.map(({ title, unit_price, revoked }) => {
    const name = revoked ? `<s>${told(title)}</s>` : told(title);
    return `<li><div><h3>${name}</h3></div><p class="price">${priceIn(unit_price, language)}</p></li>`;
  });
  const back = order.refunds
    .filter(({ state }) => state === 'done')
    .reduce((sum, { amount }) => sum + amount.amount, 0);
  const { currency } = order.total;
  const facts = [
    fact(said.placedOn, momentIn(order.placed_at, model)),
    ...(order.paid_at === null || order.total.amount === 0 ? [] : [fact(said.paidOn, momentIn(order.paid_at, model))]),
    ...(back > 0 ? [fact(said.refunded, priceIn({ amount: back, currency }, language))] : []),
  ];
  const documents = checkout.invoices
    .filter(({ url }) => /^https?:\/\//.test(url))
    .map(({ kind, label, url }) => {
      const name = filled(kind === 'credit_note' ? said.creditNote : said.invoice, { label: told(label) });
      return `<a class="button" href="${htmlText(url)}">${name}</a>`;
    });
  const number = new Intl.NumberFormat(language, { useGrouping: false }).format(order.number);
  const coupon = order.coupon_code ?? undefined;
  return `<section class="card summary" aria-labelledby="receipt"><h2 id="receipt">${filled(said.orderNumber, { number })}</h2>
<ul class="lines">
${lines.join('\n')}
</ul>
${sums(order, { coupon, tax: undefined }, said, language)}
<dl class="facts">
${facts.join('\n')}
</dl>
${documents.length > 0 ? `<p class="buttons">${documents.join('\n')}</p>` : ''}
</section>`;
}

/** The page of an order, for its buyer: what it is, what there is to do, and the receipt. Needs no script. */
export function orderPage(model: OrderModel): CheckoutPage {
  const { problem, language } = model;
  const said = checkoutLanguages[language];
  const telling = tellingOf(model.checkout);
  const [title, about] = said.tellings[telling];
  const onward = onwardPart(model, telling, said);
  const wrong = problem
    ? `<div class="problem" role="alert"><h2>${said.problem}</h2><p>${said.complaints[problem]}</p></div>\n`
    : '';
  const main = `<div class="top"><h1>${title}</h1>
<p>${about}</p></div>
${wrong}${receipt(model, said)}
${onward === '' ? '' : `<div class="card buyer">${onward}</div>`}`;
  return checkoutPage(model, { title, main, isFaulty: problem !== undefined, two: onward !== '' });
}
