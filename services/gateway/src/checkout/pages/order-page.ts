import { htmlText } from '../../discovery/text/html-text.ts';
import type { CheckoutTexts } from '../texts/checkout-texts.ts';
import { checkoutLanguages } from '../texts/languages.ts';
import { type CheckoutPage, checkoutPage, fact, filled, momentIn, priceIn, told } from './markup.ts';
import { type OrderModel, tellingOf } from './order-model.ts';
import { onwardPart } from './order-onward.ts';
import { sums } from './sums.ts';

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
${onward ? `<section class="card buyer" aria-labelledby="onward"><h2 id="onward">${onward[0]}</h2>\n${onward[1]}</section>` : ''}`;
  return checkoutPage(model, { title, main, isFaulty: problem !== undefined, two: onward !== undefined });
}
