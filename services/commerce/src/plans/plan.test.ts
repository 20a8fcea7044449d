import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { PlanEvent, StoredGrants, StoredPlan, StoredTerms } from './plan.events.ts';
import { type PlanCommand, planDecider } from './plan.ts';

const fields: StoredPlan = {
  name: 'Friends',
  summary: null,
  description: null,
  benefits: ['All courses'],
  position: 1,
  trial_days: 0,
  visible: true,
  max_subscribers: null,
};
const terms: StoredTerms = { kind: 'recurring', interval: 'month', interval_count: 1, amount: 1_500, currency: 'USD' };
const nothing: StoredGrants = { courses: [], digital_products: [], posts: false, event_discount_percent: 0 };
const grants: StoredGrants = { ...nothing, courses: ['course_1'] };
const item = (item_id: string | null) => ({ item_type: 'course' as const, item_id });

const createdWith = (more: Partial<StoredPlan> = {}, at: Partial<StoredTerms> = {}): PlanEvent => ({
  type: 'PlanCreated',
  data: { slug: 'friends', fields: { ...fields, ...more }, terms: { ...terms, ...at }, created_by: 'acc_1' },
});
const created = createdWith();
const opened: PlanEvent = {
  type: 'PlanGrantsChanged',
  data: { plan_version: 1, grants, added: [item('course_1')], removed: [], keep_existing: false },
};
const activated: PlanEvent = { type: 'PlanActivated', data: {} };
const retired: PlanEvent = { type: 'PlanRetired', data: {} };
const hidden: PlanEvent = { type: 'PlanHidden', data: {} };
const shown = (more: object = {}): PlanEvent => ({
  type: 'PlanShown',
  data: {
    slug: 'friends',
    name: 'Friends',
    summary: null,
    benefits: ['All courses'],
    position: 1,
    trial_days: 0,
    plan_version: 1,
    ...terms,
    available: true,
    ...more,
  },
});
const joined = (subscription_id: string, plan_version = 1): PlanEvent => ({
  type: 'PlanSubscriberAdded',
  data: { subscription_id, plan_version },
});
const left = (subscription_id: string): PlanEvent => ({ type: 'PlanSubscriberRemoved', data: { subscription_id } });
const set = (plan_version: number, more: Partial<StoredTerms>): PlanEvent => ({
  type: 'PlanTermsSet',
  data: { plan_version, terms: { ...terms, ...more } },
});

const change = (changes: Extract<PlanCommand, { type: 'ChangePlan' }>['changes'], currency = 'USD') =>
  ({ type: 'ChangePlan', changes, currency }) as const;
const publish = (currency = 'USD') => ({ type: 'PublishPlan', currency }) as const;
const version = (more: Partial<StoredTerms>, currency = 'USD') =>
  ({ type: 'AddPlanVersion', terms: more, currency }) as const;
const join = (subscription_id: string, plan_version = 1) =>
  ({ type: 'SubscriberJoins', subscription_id, plan_version }) as const;
const open = [created, opened, activated] as const;

describe('a membership plan', () => {
  const create = { type: 'CreatePlan', slug: 'friends', fields, terms, grants, currency: 'USD', by: 'acc_1' } as const;

  test('is created once, with what it opens, and with terms that go together', () => {
    given(planDecider).when(create).then(created, opened);
    given(planDecider)
      .when({ ...create, grants: nothing })
      .then(created);
    given(planDecider, created).when(create).rejected('invalid_state');
    const faulty: readonly (readonly [Partial<StoredTerms>, number?])[] = [
      [{ interval: null }],
      [{ interval_count: null }],
      [{ kind: 'lifetime' }],
      [{ currency: 'JPY' }],
      [{ kind: 'fixed_term' }, 14],
    ];
    for (const [more, trial_days = 0] of faulty) {
      const command = { ...create, fields: { ...fields, trial_days }, terms: { ...terms, ...more } };
      given(planDecider).when(command).rejected('validation_failed');
    }
  });

  test('that is not there cannot be changed, sold or ended', () => {
    const commands: readonly PlanCommand[] = [
      change({ name: 'x' }),
      version({ amount: 1 }),
      { type: 'SetGrants', grants, keep_existing: false },
      publish(),
      { type: 'RetirePlan' },
      { type: 'DeletePlan' },
      join('sub_1'),
      { type: 'SubscriberLeaves', subscription_id: 'sub_1' },
    ];
    for (const command of commands) given(planDecider).when(command).rejected('not_found');
  });

  test('is published when it opens something and its price is in the currency of the school', () => {
    given(planDecider, created, opened).when(publish()).then(activated, shown());
    given(planDecider, created).when(publish()).rejected('not_ready');
    given(planDecider, created, opened).when(publish('JPY')).rejected('not_ready');
    given(planDecider, ...open)
      .when(publish())
      .unchanged();
    given(planDecider, ...open, retired)
      .when(publish())
      .rejected('invalid_state');
    given(planDecider, createdWith({ visible: false }), opened)
      .when(publish())
      .then(activated);
  });

  test('is changed by what differs, and shown anew where everybody sees it', () => {
    given(planDecider, created)
      .when(change({ name: 'Friends', trial_days: 14, slug: 'circle' }))
      .then(
        { type: 'PlanChanged', data: { fields: { trial_days: 14 } } },
        { type: 'PlanSlugChanged', data: { slug: 'circle' } },
      );
    const sold = given(planDecider, ...open);
    sold.when(change({ ...fields, ...terms, slug: 'friends' })).unchanged();
    sold
      .when(change({ name: 'Circle' }))
      .then({ type: 'PlanChanged', data: { fields: { name: 'Circle' } } }, shown({ name: 'Circle' }));
    sold.when(change({ description: 'Long' })).then({ type: 'PlanChanged', data: { fields: { description: 'Long' } } });
    sold.when(change({ visible: false })).then({ type: 'PlanChanged', data: { fields: { visible: false } } }, hidden);
    sold.when(change({ amount: 1_800 })).then(set(1, { amount: 1_800 }), shown({ amount: 1_800 }));
    sold.when(change({ kind: 'lifetime' })).rejected('validation_failed');
    sold.when(change({ amount: 1, currency: 'EUR' })).rejected('validation_failed');
  });

  test('keeps price, kind and interval once it was sold at them; a new version is sold at others', () => {
    const sold = given(planDecider, ...open, joined('sub_1'));
    for (const frozen of [{ amount: 1 }, { interval: 'year' as const }, { interval_count: 3 }])
      sold.when(change(frozen)).rejected('has_subscribers');
    sold.when(version({ amount: 1_800 })).then(set(2, { amount: 1_800 }), shown({ amount: 1_800, plan_version: 2 }));
    sold.when(version({ amount: 1_500 })).unchanged();
    sold.when(version({ interval: null })).rejected('validation_failed');
    const again = given(planDecider, ...open, joined('sub_1'), left('sub_1'), set(2, { amount: 1_800 }));
    again.when(change({ amount: 1_900 })).then(set(2, { amount: 1_900 }), shown({ amount: 1_900, plan_version: 2 }));
    given(planDecider, ...open, joined('sub_1'), set(2, { amount: 1_800 }), joined('sub_2', 2))
      .when(change({ amount: 1_900 }))
      .rejected('has_subscribers');
  });

  test('opens and closes what differs; what is sold has to open something', () => {
    const wide: StoredGrants = { ...nothing, courses: 'all', posts: true };
    const setting = (wanted: StoredGrants, keep_existing = false) =>
      ({ type: 'SetGrants', grants: wanted, keep_existing }) as const;
    given(planDecider, ...open)
      .when(setting(wide, true))
      .then({
        type: 'PlanGrantsChanged',
        data: {
          plan_version: 1,
          grants: wide,
          added: [item(null)],
          removed: [item('course_1')],
          keep_existing: true,
        },
      });
    given(planDecider, ...open)
      .when(setting(grants))
      .unchanged();
    given(planDecider, ...open)
      .when(setting(nothing))
      .rejected('not_ready');
    given(planDecider, created, opened)
      .when(setting(nothing))
      .then({
        type: 'PlanGrantsChanged',
        data: { plan_version: 1, grants: nothing, added: [], removed: [item('course_1')], keep_existing: false },
      });
  });

  test('is retired for good, and deleted as a draft only', () => {
    given(planDecider, ...open)
      .when({ type: 'RetirePlan' })
      .then(retired, hidden);
    given(planDecider, createdWith({ visible: false }), opened, activated)
      .when({ type: 'RetirePlan' })
      .then(retired);
    const gone = given(planDecider, ...open, retired);
    gone.when({ type: 'RetirePlan' }).unchanged();
    for (const command of [change({ amount: 1 }), version({ amount: 1 }), join('sub_1')])
      gone.when(command).rejected('invalid_state');
    gone.when(change({ name: 'Then' })).then({ type: 'PlanChanged', data: { fields: { name: 'Then' } } });
    gone.when({ type: 'DeletePlan' }).rejected('invalid_state');
    given(planDecider, created).when({ type: 'RetirePlan' }).rejected('invalid_state');
    given(planDecider, created).when({ type: 'DeletePlan' }).then({ type: 'PlanDeleted', data: {} });
  });

  test('is sold at its present terms, to as many as may have it', () => {
    given(planDecider, ...open)
      .when(join('sub_1'))
      .then(joined('sub_1'));
    given(planDecider, ...open)
      .when(join('sub_1', 2))
      .rejected('price_changed');
    given(planDecider, created, opened).when(join('sub_1')).rejected('invalid_state');
    const one = [createdWith({ max_subscribers: 1 }), opened, activated] as const;
    given(planDecider, ...one)
      .when(join('sub_1'))
      .then(joined('sub_1'), shown({ available: false }));
    given(planDecider, ...one, joined('sub_1'))
      .when(join('sub_2'))
      .rejected('sold_out');
    given(planDecider, ...one, joined('sub_1'))
      .when({ type: 'SubscriberLeaves', subscription_id: 'sub_1' })
      .then(left('sub_1'), shown());
    expect(given(planDecider, ...open, joined('a'), joined('b'), left('a')).state).toMatchObject({
      subscriber_count: 1,
      sold_version: 1,
    });
  });
});
