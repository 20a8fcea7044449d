/** Title and explanation of a page that sells nothing, or of what an order is. */
export type Said = readonly [title: string, about: string];

/**
 * What an order can be, as its page tells it. `free`: paid, and it cost nothing. `subscribed`: the same of a membership.
 * `agreeing`: nothing is paid now, but how later payments are made has to be said.
 */
export const tellings = [
  'pending',
  'transfer',
  'processing',
  'paid',
  'free',
  'agreeing',
  'subscribed',
  'failed',
  'expired',
  'canceled',
  'refunded',
  'partially_refunded',
  'disputed',
  'charged_back',
] as const;

/** How an order is told. */
export type Telling = (typeof tellings)[number];

/** Why nothing is sold. */
export const obstacles = [
  'nothing',
  'not_for_sale',
  'not_open',
  'closed',
  'sold_out',
  'already_owned',
  'already_subscribed',
  'for_members',
  'rate_limited',
  'unavailable',
] as const;

/** Why nothing is sold. */
export type Obstacle = (typeof obstacles)[number];

/** What is wrong with a form that was sent. */
export const complaints = [
  'email_missing',
  'email_wrong',
  'name_wrong',
  'coupon_invalid',
  'price_changed',
  'form_expired',
  'sent_before',
  'rate_limited',
  'sold_out',
  'order_over',
  'unavailable',
] as const;

/** What is wrong with a form that was sent. */
export type Complaint = (typeof complaints)[number];

/** What the checkout pages say, in one language. Text in braces is filled in. */
export interface CheckoutTexts {
  readonly skip: string;
  readonly title: string;
  readonly order: string;
  readonly kinds: Readonly<Record<'course' | 'digital_product' | 'event' | 'membership_plan', string>>;
  readonly subtotal: string;
  readonly discount: string;
  readonly taxIncluded: string;
  readonly taxAdded: string;
  readonly total: string;
  readonly coupon: string;
  readonly couponCode: string;
  readonly apply: string;
  readonly couponApplied: string;
  readonly remove: string;
  readonly details: string;
  readonly email: string;
  readonly emailHint: string;
  readonly name: string;
  readonly haveAccount: string;
  readonly signIn: string;
  readonly buyingAs: string;
  readonly pay: string;
  readonly subscribe: string;
  readonly trial: string;
  readonly free: string;
  readonly payNext: string;
  /** Of a plan. `{price}` is a price with its interval. */
  readonly trialDays: string;
  readonly afterTrial: string;
  readonly renews: string;
  readonly nextPayment: string;
  readonly toEnd: string;
  /** Beside the button. */
  readonly agree: string;
  /** Where nothing is paid today. */
  readonly agreeLater: string;
  readonly endsByItself: string;
  readonly lifetime: string;
  readonly soldBy: string;
  readonly terms: string;
  readonly privacy: string;
  readonly imprint: string;
  readonly problem: string;
  readonly complaints: Readonly<Record<Complaint, string>>;
  readonly obstacles: Readonly<Record<Obstacle, Said>>;
  readonly tellings: Readonly<Record<Telling, Said>>;
  readonly orderNumber: string;
  readonly placedOn: string;
  readonly paidOn: string;
  readonly payUntil: string;
  readonly refunded: string;
  readonly toPayment: string;
  readonly checkAgain: string;
  readonly payAgain: string;
  readonly orderAgain: string;
  /** Headings of what there is to do. */
  readonly payment: string;
  readonly access: string;
  readonly tryAgain: string;
  readonly transferTo: string;
  readonly transferAsk: string;
  readonly amount: string;
  readonly reference: string;
  readonly test: Said;
  readonly testSucceed: string;
  readonly testFail: string;
  readonly accessReady: string;
  readonly accessSoon: string;
  readonly accessByMail: string;
  readonly toCourse: string;
  readonly toAccount: string;
  readonly print: string;
  readonly invoice: string;
  readonly creditNote: string;
  readonly home: string;
}
