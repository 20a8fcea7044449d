import { htmlText } from '../../discovery/text/html-text.ts';
import { type Quote, type SoldItem } from '../asking/shop.ts';
import { type Wanted, checkoutPath, itemText } from '../asking/wanted.ts';
import type { CheckoutTexts, Complaint } from '../texts/checkout-texts.ts';
import { checkoutLanguages } from '../texts/languages.ts';
import { type CheckoutPage, type PageFrame, checkoutPage, filled, hidden, priceIn, told } from './markup.ts';
import { planAgreement, planTerms } from './plan-terms.ts';
import { sums } from './sums.ts';

/** The fields of the form that a guest fills in, and that of the coupon. */
type Field = 'email' | 'name' | 'coupon';

/** Something that is wrong with what was sent, and where. */
export interface Problem {
  readonly complaint: Complaint;
  readonly field?: Field;
}

/** What a person is shown who is about to buy. */
export interface BuyingModel extends PageFrame {
  readonly wanted: Wanted;
  readonly items: readonly SoldItem[];
  readonly quote: Quote;
  /** The name of who is signed in; undefined for a guest. */
  readonly member: string | undefined;
  /** What a guest typed before. */
  readonly typed: { readonly email: string; readonly name: string };
  readonly problems: readonly Problem[];
  /** The tag of the form and its key, by which it buys once. */
  readonly csrf: string;
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The field of the form that says what it costs: with another total nothing is bought. */
const expectedOf = ({ total }: Pick<Quote, 'total'>): string => `${total.amount} ${total.currency}`;

/** Where a person signs in and comes back to an address of the checkout. */
export const signInPath = (to: string): string => `/oauth/account/sign-in?${new URLSearchParams({ to })}`;

function lines({ quote, items, seller, now, language }: BuyingModel, said: CheckoutTexts): string {
  return quote.lines
    .map(({ item_id, item_type, title, unit_price }) => {
      const type = items.find(({ id }) => id === item_id)?.type;
      const kind = type ? said.kinds[type] : '';
      const terms =
        item_type === 'membership_plan' && quote.plan ? planTerms(quote.plan, { seller, now }, said, language) : '';
      return `<li><div><h3>${told(title)}</h3><p class="quiet small">${kind}</p></div><p class="price">${priceIn(unit_price, language)}</p>${terms}</li>`;
    })
    .join('\n');
}

/** The coupon has a form of its own, which only reads the page anew: to try a code buys nothing. */
function couponPart({ wanted, problems }: BuyingModel, said: CheckoutTexts): string {
  const problem = problems.find(({ field }) => field === 'coupon');
  const { items, coupon } = wanted;
  if (coupon !== undefined && !problem)
    return `<p class="applied screen"><span>${filled(said.couponApplied, { code: `<strong>${told(coupon)}</strong>` })}</span>
<a href="${htmlText(checkoutPath({ items, coupon: undefined }))}">${said.remove}</a></p>`;
  return `<form method="get" action="/checkout">
${hidden(items.map((item) => ['item', itemText(item)]))}
<div class="row"><div class="field"><label for="coupon">${said.couponCode}</label>
${problem ? wrong('coupon', said.complaints[problem.complaint]) : ''}<input id="coupon" name="coupon" type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="100" required value="${htmlText(coupon ?? '')}"${marks('coupon', problem !== undefined)}></div>
<button type="submit">${said.apply}</button></div>
</form>`;
}

const wrong = (field: Field, text: string): string => `<p class="wrong" id="${field}-problem">${text}</p>\n`;

/** What an input says of itself to those who do not see it. */
function marks(field: Field, isWrong: boolean, hint?: string): string {
  const described = [...(isWrong ? [`${field}-problem`] : []), ...(hint ? [hint] : [])].join(' ');
  return `${isWrong ? ' aria-invalid="true"' : ''}${described && ` aria-describedby="${described}"`}`;
}

function guestFields({ typed, problems, school, wanted }: BuyingModel, said: CheckoutTexts): string {
  const problemOf = (name: Field) => problems.find(({ field }) => field === name);
  const [email, name] = [problemOf('email'), problemOf('name')];
  const signIn = htmlText(signInPath(checkoutPath(wanted)));
  return `<p class="signin"><span>${filled(said.haveAccount, { school: told(school.name) })}</span> <a href="${signIn}">${said.signIn}</a></p>
<div class="field"><label for="email">${said.email}</label>
${email ? wrong('email', said.complaints[email.complaint]) : ''}<input id="email" name="email" type="email" inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" required value="${htmlText(typed.email)}"${marks('email', email !== undefined, 'email-hint')}>
<p class="quiet small" id="email-hint">${said.emailHint}</p></div>
<div class="field"><label for="name">${said.name}</label>
${name ? wrong('name', said.complaints[name.complaint]) : ''}<input id="name" name="name" type="text" autocomplete="name" maxlength="200" value="${htmlText(typed.name)}"${marks('name', name !== undefined)}></div>`;
}

/** What the button says: plainly what happens. */
function buttonOf({ quote, language }: BuyingModel, said: CheckoutTexts): string {
  const { total, plan } = quote;
  if (total.amount === 0) return plan && plan.trial_days > 0 ? said.trial : said.free;
  return filled(plan ? said.subscribe : said.pay, { price: priceIn(total, language) });
}

function buyerPart(model: BuyingModel, said: CheckoutTexts): string {
  const { wanted, quote, member, csrf, key } = model;
  const coupon = model.problems.some(({ field }) => field === 'coupon') ? undefined : wanted.coupon;
  const fields = hidden([
    ['csrf', csrf],
    ['key', key],
    ['expected', expectedOf(quote)],
    ...wanted.items.map((item) => ['item', itemText(item)] as const),
    ...(coupon === undefined ? [] : [['coupon', coupon] as const]),
  ]);
  const agreement = planAgreement(quote, model, said, model.language);
  const [agreed, described] =
    agreement === undefined
      ? ['', '']
      : [`<p class="agreement" id="agreement">${agreement}</p>\n`, ' aria-describedby="agreement"'];
  const who =
    member === undefined
      ? guestFields(model, said)
      : `<p>${filled(said.buyingAs, { name: `<strong>${told(member)}</strong>` })}</p>`;
  return `<form method="post" action="/checkout">
${fields}
${who}
${agreed}<button class="primary wide" type="submit"${described}>${buttonOf(model, said)}</button>
${quote.total.amount > 0 ? `<p class="quiet small">${said.payNext}</p>` : ''}
</form>`;
}

/** What was wrong, with the way to each field. */
function summary(problems: readonly Problem[], said: CheckoutTexts): string {
  if (problems.length === 0) return '';
  const items = problems.map(({ complaint, field }) => {
    const text = said.complaints[complaint];
    return `<li>${field ? `<a href="#${field}">${text}</a>` : text}</li>`;
  });
  return `<div class="problem" role="alert"><h2>${said.problem}</h2><ul>${items.join('')}</ul></div>`;
}

/** The page on which a person buys. Needs no script. */
export function buyingPage(model: BuyingModel): CheckoutPage {
  const { problems, quote, wanted, language } = model;
  const said = checkoutLanguages[language];
  const coupon = problems.some(({ field }) => field === 'coupon') ? undefined : wanted.coupon;
  const main = `<div class="top"><h1>${said.title}</h1></div>
${summary(problems, said)}
<section class="card summary" aria-labelledby="order"><h2 id="order">${said.order}</h2>
<ul class="lines">
${lines(model, said)}
</ul>
${sums(quote, { coupon, tax: quote.tax }, said, language)}
${couponPart(model, said)}
</section>
<section class="card buyer" aria-labelledby="details"><h2 id="details">${said.details}</h2>
${buyerPart(model, said)}
</section>`;
  return checkoutPage(model, { title: said.title, main, isFaulty: problems.length > 0, two: true });
}
