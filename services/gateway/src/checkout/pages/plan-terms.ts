import type { UiLanguage } from '@lyceum/contracts';
import { landingLanguages } from '../../discovery/content/landing-texts.ts';
import { priceOf } from '../../discovery/metadata/pricing-md.ts';
import { htmlText } from '../../discovery/text/html-text.ts';
import type { BoughtPlan, Quote, Seller } from '../asking/shop.ts';
import type { CheckoutTexts } from '../texts/checkout-texts.ts';
import { filled, formatter, priceIn } from './markup.ts';

/** The years, months and days of a plan's first period. */
const lengthOf = ({ interval, interval_count, trial_days }: BoughtPlan): readonly [months: number, days: number] => {
  if (trial_days > 0) return [0, trial_days];
  return [(interval_count ?? 1) * (interval === 'year' ? 12 : 1), 0];
};

/**
 * The day of the next payment of a plan that somebody buys now (milliseconds since the epoch), in the calendar of the school:
 * 31 January is followed by 28 February. YYYY-MM-DD.
 */
function nextPaymentDay(plan: BoughtPlan, now: number, timezone: string): string {
  const parts = formatter('en', timezone, { year: 'numeric', month: 'numeric', day: 'numeric' }).formatToParts(now);
  const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value);
  const [months, days] = lengthOf(plan);
  const [year, month, day] = [part('year'), part('month') - 1 + months, part('day')];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(day, last) + days)).toISOString().slice(0, 10);
}

/** By what the days of payments are reckoned. */
interface Calendar {
  readonly seller: Seller;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The price of each period with its interval, tax included where payments follow. */
function termIn(plan: BoughtPlan, language: UiLanguage): string {
  const { kind, trial_days, interval, interval_count } = plan;
  const opens = { courses: 0, digital_products: 0, posts: false, event_discount_percent: 0 };
  const prices = [plan.full_renewal ?? plan.price];
  const offer = { prices, access: undefined, plan: { kind, interval, interval_count, trial_days, opens } };
  return htmlText(priceOf(offer, landingLanguages[language]));
}

function nextDayIn(plan: BoughtPlan, { seller, now }: Calendar, language: UiLanguage): string {
  const day = nextPaymentDay(plan, now, seller.timezone);
  const date = formatter(language, 'UTC', { dateStyle: 'long' }).format(Date.parse(day));
  return `<time datetime="${day}">${htmlText(date)}</time>`;
}

/**
 * What somebody agrees to with the button, said beside it: what is paid today, when and how much next, how often and until
 * when. Undefined where no payment follows. @see Directive 2011/83/EU Art. 8(2)
 */
export function planAgreement(
  { plan, total }: Pick<Quote, 'plan' | 'total'>,
  calendar: Calendar,
  said: CheckoutTexts,
  language: UiLanguage,
): string | undefined {
  if (!plan?.renewal) return undefined;
  return filled(total.amount > 0 ? said.agree : said.agreeLater, {
    today: priceIn(total, language),
    next: priceIn(plan.renewal, language),
    date: nextDayIn(plan, calendar, language),
    price: termIn(plan, language),
  });
}

/** What a plan is: what it costs, when the next payment is, and how to end it. */
export function planTerms(plan: BoughtPlan, calendar: Calendar, said: CheckoutTexts, language: UiLanguage): string {
  const { kind, trial_days, renewal } = plan;
  const price = termIn(plan, language);
  const count = new Intl.NumberFormat(language).format(trial_days);
  const trial = trial_days > 0 ? [filled(said.trialDays, { count })] : [];
  if (kind !== 'recurring')
    return paragraphs([...trial, filled(kind === 'lifetime' ? said.lifetime : said.endsByItself, { price })]);
  const next = renewal
    ? [filled(said.nextPayment, { price: priceIn(renewal, language), date: nextDayIn(plan, calendar, language) })]
    : [];
  return paragraphs([...trial, filled(trial_days > 0 ? said.afterTrial : said.renews, { price }), ...next, said.toEnd]);
}

const paragraphs = (sentences: readonly string[]): string =>
  `<div class="terms">${sentences.map((sentence) => `<p>${sentence}</p>`).join('')}</div>`;
