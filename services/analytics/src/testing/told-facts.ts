import type { FactOf, FactSource } from '@lyceum/contracts';

/** A fact of another service at a time. */
export interface ToldFact {
  readonly source: FactSource;
  readonly type: string;
  readonly at: string;
  readonly data: object;
  readonly school?: string;
}

/** The id of a course by a number. */
export const course = (number: number): string => `course_00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** The id of a coupon by a number. */
export const coupon = (number: number): string => `coupon_00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

type Data<Source extends FactSource, Type extends string> = Extract<FactOf<Source>, { readonly type: Type }>['data'];

/** A time on a day of 2026 in UTC, e.g. `on('03-09', '12:00')`. */
export const on = (date: string, time = '12:00'): string => `2026-${date}T${time}:00.000Z`;

const commerce = <Type extends FactOf<'commerce'>['type']>(
  type: Type,
  at: string,
  data: Data<'commerce', Type>,
): ToldFact => ({
  source: 'commerce',
  type,
  at,
  data,
});

const learning = <Type extends FactOf<'learning'>['type']>(
  type: Type,
  at: string,
  data: Data<'learning', Type>,
): ToldFact => ({
  source: 'learning',
  type,
  at,
  data,
});

/** A line of an order in a test. `of`: the number of the course; without one it is something else. */
export interface TestLine {
  readonly of?: number;
  readonly total: number;
  readonly tax?: number;
}

const lineOf = (order_id: string, { of, total, tax = 0 }: TestLine, index: number) => ({
  line_id: `${order_id}-${index}`,
  item_type: of === undefined ? 'membership_plan' : 'course',
  item_id: of === undefined ? 'plan_1' : course(of),
  title: 'Something',
  quantity: 1,
  unit_price: total - tax,
  discount: 0,
  tax,
  total,
});

/** What is special about an order. */
interface TestOrder {
  readonly currency?: string;
  readonly source?: string;
  readonly coupon_id?: string | null;
}

/** Facts about the order of a name. */
export function order(
  order_id: string,
  lines: readonly TestLine[],
  { currency = 'USD', source = 'checkout', coupon_id = null }: TestOrder = {},
) {
  const all = lines.map((line, index) => lineOf(order_id, line, index));
  const total = all.reduce((sum, line) => sum + line.total, 0);
  const taken = (indexes: readonly number[]) =>
    indexes.map((index) => {
      const { line_id, item_type, item_id } = all[index]!;
      return { line_id, item_type, item_id };
    });
  const back = { order_id, currency, member_id: null };
  return {
    placed: (at: string) =>
      commerce('OrderPlaced', at, {
        order_id,
        number: 1,
        source,
        member_id: null,
        lines: all,
        total,
        currency,
        coupon_id,
        subscription_id: null,
        expires_at: at,
      }),
    paid: (at: string) =>
      commerce('OrderPaid', at, {
        order_id,
        payment_id: `payment_${order_id}`,
        provider: 'test',
        event_id: 'e',
        amount: total,
        currency,
        paid_at: at,
        member_id: null,
        lines: all.map(({ line_id, item_type, item_id, total: of, tax }) => ({
          line_id,
          item_type,
          item_id,
          total: of,
          tax,
        })),
      }),
    refunded: (at: string, refund_id: string, amount: number, indexes: readonly number[] = []) =>
      commerce('OrderRefunded', at, {
        ...back,
        refund_id,
        amount,
        full: amount === total,
        reason: 'r',
        lines: taken(indexes),
      }),
    reversed: (at: string, refund_id: string, amount: number) =>
      commerce('OrderRefundReversed', at, { ...back, refund_id, amount, lines: [] }),
    disputed: (at: string, amount: number) => commerce('OrderDisputed', at, { order_id, amount }),
    resolved: (at: string, won: boolean) =>
      commerce('OrderDisputeResolved', at, { order_id, won, member_id: null, lines: [] }),
    redeemed: (at: string, amount: number) =>
      commerce('CouponRedeemed', at, { coupon_id: coupon_id ?? '', order_id, amount, currency }),
  };
}

/** What a subscription costs. */
type Recurring = Data<'commerce', 'SubscriptionStarted'>['recurring'];

/** Facts about the subscription of a name. */
export function subscription(subscription_id: string, currency = 'USD') {
  const about = { subscription_id, member_id: 'account_1', plan_id: 'plan_1', plan_version: 1 };
  const period = { period_start: on('01-01'), period_end: on('02-01') };
  const each = (amount: number, interval: 'month' | 'year', interval_count: number): Recurring => ({
    amount,
    currency,
    interval,
    interval_count,
  });
  return {
    each,
    started: (at: string, recurring: Recurring, trial_end: string | null = null) =>
      commerce('SubscriptionStarted', at, {
        ...about,
        ...period,
        source: 'checkout',
        order_id: 'order_1',
        trial_end,
        price: 0,
        currency,
        access: 1,
        recurring,
      }),
    renewed: (at: string, due: number) =>
      commerce('SubscriptionRenewed', at, { ...about, ...period, order_id: 'order_1', total: due, due, currency }),
    changed: (at: string, recurring: Recurring) =>
      commerce('SubscriptionPlanChanged', at, {
        ...about,
        ...period,
        from_plan_id: 'plan_0',
        order_id: 'order_2',
        access_before: 1,
        access: 2,
        recurring,
      }),
    paused: (at: string) => commerce('SubscriptionPaused', at, { ...about, paused_at: at, access: 1 }),
    resumed: (at: string) => commerce('SubscriptionResumed', at, { ...about, ...period, access: 2 }),
    canceled: (at: string) =>
      commerce('SubscriptionCanceled', at, { ...about, reason: 'other', by: 'member', ended_at: at, access: 1 }),
    lapsed: (at: string) =>
      commerce('SubscriptionLapsed', at, { ...about, order_id: 'order_1', ended_at: at, access: 1 }),
  };
}

/** Facts about a member's enrollment in the course of a number. */
export function enrollment(member: string, number: number) {
  const about = {
    enrollment_id: `enrollment_${member}_${number}`,
    member_id: `account_${member}`,
    course_id: course(number),
  };
  return {
    activated: (at: string, source_type = 'order_line', again = false) =>
      learning('EnrollmentActivated', at, { ...about, source_type, again }),
    lapsed: (at: string) => learning('EnrollmentLapsed', at, { ...about, reason: 'expired' }),
    started: (at: string, lesson_id = 'lesson_1') => learning('LessonStarted', at, { ...about, lesson_id }),
    attempted: (at: string) =>
      learning('QuizAttempted', at, { ...about, lesson_id: 'lesson_1', attempt: 1, score: 50, passed: false }),
    learnt: (at: string, percent: number, lesson_id = `lesson_${percent}`) =>
      learning('LessonCompleted', at, { ...about, lesson_id, completed: percent, required: 100, percent }),
    completed: (at: string) => learning('EnrollmentCompleted', at, { ...about, required: 100 }),
    reset: (at: string) => learning('ProgressReset', at, about),
    erased: (at: string) => learning('SubjectErased', at, { subject: about.member_id }),
  };
}

const content = <Type extends FactOf<'content'>['type']>(
  type: Type,
  at: string,
  data: Data<'content', Type>,
): ToldFact => ({ source: 'content', type, at, data });

/** The id of a form by a number. */
export const form = (number: number): string => `form_00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** Facts about a submission by the form of a number. */
export function submission(submission_id: string, number: number) {
  const about = { submission_id, form_id: form(number), page_id: 'page_1' };
  return {
    sent: (at: string, state = 'accepted') =>
      content('FormSubmitted', at, { ...about, email_ref: null, consent: false, state }),
    accepted: (at: string) => content('SubmissionAccepted', at, about),
    spam: (at: string) => content('SubmissionMarkedSpam', at, about),
    deleted: (at: string) => content('SubmissionDeleted', at, about),
  };
}

/** The school says something of itself. */
export const schoolSays = (at: string, data: Data<'school', 'SchoolChanged'>): ToldFact => ({
  source: 'school',
  type: 'SchoolChanged',
  at,
  data,
});
