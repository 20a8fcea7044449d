import { expect, test } from '@jest/globals';
import { type ToldFact, on, startAnalytics, subscription } from '../testing.ts';

async function rowsOf(path: string, facts: readonly ToldFact[]) {
  const service = await startAnalytics({ facts });
  try {
    return await service.rows(path);
  } finally {
    await service.close();
  }
}

const [monthly, yearly, trial, quarterly, yen] = ['m', 'y', 't', 'q', 'j'].map((name) =>
  subscription(`subscription_${name}`, name === 'j' ? 'JPY' : 'USD'),
) as [Sub, Sub, Sub, Sub, Sub];
type Sub = ReturnType<typeof subscription>;

test('worked example: MRR is the price of a month of all that are active, trials left out; churn is what ended of those at the start', async () => {
  const facts = [
    // 9.00 a month; then 7.20 with a discount; then 9.00 again.
    monthly.started(on('01-10'), monthly.each(720, 'month', 1)),
    monthly.renewed(on('02-10'), 900),
    // 100.00 a year are 8.33 a month.
    yearly.started(on('01-20'), yearly.each(10_000, 'year', 1)),
    // 14 days for nothing, then 30.00 for three months.
    trial.started(on('02-01'), trial.each(3_000, 'month', 3), on('02-15')),
    trial.renewed(on('02-15'), 3_000),
    yearly.canceled(on('03-05')),
    monthly.lapsed(on('03-20')),
    // A trial that ends without a payment is no loss; what is not renewed does not count.
    quarterly.started(on('03-01'), quarterly.each(500, 'month', 3), on('03-15')),
    quarterly.canceled(on('03-10')),
    subscription('subscription_life').started(on('03-01'), null),
  ];
  const common = { currency: 'USD', lapsed: 0, canceled: 0 };
  expect(await rowsOf('subscriptions?from=2026-01-01&to=2026-05-01&interval=month', facts)).toEqual([
    { ...common, date: '2026-01-01', mrr: 720 + 833, active: 2, trialing: 0, started: 2, churn_bp: null },
    { ...common, date: '2026-02-01', mrr: 900 + 833 + 1_000, active: 3, trialing: 0, started: 1, churn_bp: 0 },
    {
      ...common,
      date: '2026-03-01',
      mrr: 1_000,
      active: 1,
      trialing: 0,
      started: 1,
      canceled: 1,
      lapsed: 1,
      churn_bp: 6_667,
    },
    { ...common, date: '2026-04-01', mrr: 1_000, active: 1, trialing: 0, started: 0, churn_bp: 0 },
  ]);
  const days = await rowsOf('subscriptions?from=2026-02-14&to=2026-02-16', facts);
  expect(days.map(({ date, trialing, active }) => [date, trialing, active])).toEqual([
    ['2026-02-14', 1, 2],
    ['2026-02-15', 0, 3],
  ]);
});

test('one that rests counts for nothing meanwhile, another plan counts with its price, and currencies stay apart', async () => {
  const facts = [
    monthly.started(on('01-10'), monthly.each(900, 'month', 1)),
    monthly.paused(on('01-15')),
    monthly.resumed(on('01-20')),
    monthly.changed(on('02-05'), monthly.each(12_000, 'year', 1)),
    monthly.changed(on('02-10'), null),
    yen.started(on('01-12'), yen.each(1_000, 'month', 1)),
    yen.paused(on('02-01')),
    yen.canceled(on('02-02')),
  ];
  const shown = async (path: string) =>
    (await rowsOf(path, facts)).map(({ date, currency, mrr, active, canceled }) => [
      date,
      currency,
      mrr,
      active,
      canceled,
    ]);
  expect(await shown('subscriptions?from=2026-01-17&to=2026-01-18')).toEqual([
    ['2026-01-17', 'JPY', 1_000, 1, 0],
    ['2026-01-17', 'USD', 0, 0, 0],
  ]);
  expect(await shown('subscriptions?from=2026-02-01&to=2026-02-08&interval=week')).toEqual([
    ['2026-01-26', 'JPY', 0, 0, 0],
    ['2026-01-26', 'USD', 900, 1, 0],
    ['2026-02-02', 'JPY', 0, 0, 1],
    ['2026-02-02', 'USD', 1_000, 1, 0],
  ]);
  expect(await shown('subscriptions?from=2026-02-10&to=2026-02-11')).toEqual([
    ['2026-02-10', 'JPY', 0, 0, 0],
    ['2026-02-10', 'USD', 0, 0, 0],
  ]);
});
