import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { type Selling, itemIds, memberToken, startSelling } from '../testing/selling.ts';

let shop: Selling;
beforeAll(async () => void (shop = await startSelling()));
afterAll(() => shop.close());

const minute = 60_000;
const courseShown = {
  course_id: itemIds.looms,
  slug: 'looms',
  title: 'The looms',
  summary: null,
  access: 'paid',
  listed: true,
  prices: [{ id: 'price_looms', amount: 3_333, currency: 'USD' }],
  seat_limit: null,
  lecturer_ids: [],
};
const guest = { as: 'anonymous', body: { email: 'ada@example.org', name: 'Ada' } } as const;
let refunds = 0;
const refund = (id: string, body: object = {}, key = `refund-${(refunds += 1)}`) =>
  shop.call('POST', `/internal/orders/${id}/refunds`, {
    headers: { 'idempotency-key': key },
    body: { school: 'school_1', reason: 'asked for', ...body },
  });

describe('an order that is paid', () => {
  test('of a member is fulfilled when the learning service has given access for each line', async () => {
    const { body } = await shop.buy(['lamps', 'looms']);
    const paid = await shop.drive(body.id, 'succeed');
    expect(paid.body).toMatchObject({ status: 'paid', payments: [{ state: 'captured' }], fulfilled_at: null });
    await shop.grant(paid.body);
    expect(await shop.orderOnce(body.id, ({ fulfilled_at }) => fulfilled_at !== null)).toMatchObject({
      status: 'paid',
    });
  });

  test('of a guest becomes that of the member with the address, once', async () => {
    const { body } = await shop.buy(['lamps'], guest);
    await shop.drive(body.id, 'succeed');
    const attached = await shop.orderOnce(body.id, ({ buyer }) => buyer.member_id !== null);
    expect(shop.invited.filter((email) => email === 'ada@example.org')).toHaveLength(1);
    await shop.settled();
    const own = await shop.call('GET', '/api/account/orders', {
      as: { role: 'member', subject: attached.buyer.member_id, scopes: ['account:read'] },
    });
    expect(own.body.data.map(({ id }: { id: string }) => id)).toEqual([body.id]);
  });

  test('gives access for as long as it was sold for, whatever is said of the course before it is paid', async () => {
    const course = { type: 'CourseShown', data: { ...courseShown, access_days: 90 } };
    await shop.publish('catalog', course);
    const first = (await shop.buy(['looms'], { as: memberToken('ninety') })).body;
    await shop.publish('catalog', { ...course, data: { ...course.data, access_days: 7 } });
    const second = (await shop.buy(['looms', 'files'], { as: memberToken('seven') })).body;
    const told: unknown[] = [];
    for (const { id } of [first, second]) {
      await shop.drive(id, 'succeed');
      const { commits } = await shop.log.load('school_1', [id]);
      const events = commits.flatMap(({ events: all }) => all).filter(({ type }) => type === 'OrderFulfillable');
      told.push(
        ...events.map(({ data }) =>
          (data as { lines: { access_days?: number }[] }).lines.map((line) => line.access_days),
        ),
      );
    }
    expect(told).toEqual([[90], [7, undefined]]);
  });

  test('is captured once, however often the provider says so', async () => {
    const { body } = await shop.buy(['lamps'], { as: memberToken('five') });
    for (let times = 0; times < 5; times += 1)
      await shop.drive(body.payment.id, 'succeed', { event_id: 'evt_the_same' });
    const { payments, version } = (await shop.drive(body.payment.id, 'succeed', { event_id: 'evt_another' })).body;
    expect(payments).toHaveLength(1);
    const { commits } = await shop.log.load('school_1', [body.id]);
    const all = commits.flatMap(({ events }) => events).filter(({ stream }) => stream === body.id);
    expect([all.filter(({ type }) => type === 'OrderPaid').length, all.length]).toEqual([1, version]);
  });

  test.each([
    ['a tampered amount', { amount: 1 }, '4900 were to be paid, and 1 were'],
    ['a foreign currency', { currency: 'EUR' }, 'The order is in USD, and this is in EUR'],
  ])('with %s is not, and stuck with words', async (_, more, words) => {
    const own = await startSelling();
    const { body } = await own.buy(['lamps']);
    const refused = await own.drive(body.id, 'succeed', more);
    expect(refused.body).toMatchObject({ status: 'pending', refused: [{ reason: expect.stringContaining(words) }] });
    const [stuck] = await own.stuckOnce();
    expect(stuck).toMatchObject({ correlation: body.id, error: expect.stringContaining(words) });
    expect((await own.drive(body.id, 'succeed')).body.status).toBe('paid');
    await own.close();
  });
});

describe('a refund', () => {
  const bought = async (names: Parameters<Selling['buy']>[0], name: string) => {
    const { body } = await shop.buy(names, { as: memberToken(name) });
    return (await shop.drive(body.id, 'succeed')).body;
  };

  test('of the whole order takes back all of it, with the provider', async () => {
    const order = await bought(['lamps'], 'whole');
    expect((await refund(order.id)).body).toMatchObject({ refunds: [{ state: 'requested' }] });
    expect(await shop.orderOnce(order.id, ({ status }) => status === 'refunded')).toMatchObject({
      refunds: [{ state: 'done', amount: { amount: 4_900, currency: 'USD' } }],
      lines: [{ revoked: true }],
    });
    expect((await refund(order.id)).body.error).toBe('validation_failed');
  });

  test('of a line takes back that line, of an amount nothing', async () => {
    const order = await bought(['lamps', 'looms'], 'part');
    await refund(order.id, { line_ids: [order.lines[1].id] });
    const part = await shop.orderOnce(order.id, ({ status }) => status === 'partially_refunded');
    expect(part.lines.map(({ revoked }: { revoked: boolean }) => revoked)).toEqual([false, true]);
    await refund(order.id, { amount: 100 });
    const more = await shop.orderOnce(order.id, ({ refunds }) => refunds[1]?.state === 'done');
    expect(more).toMatchObject({ status: 'partially_refunded', lines: [{ revoked: false }, { revoked: true }] });
    expect((await refund(order.id, { amount: 4_801 })).status).toBe(422);
    await refund(order.id);
    await shop.orderOnce(order.id, ({ status }) => status === 'refunded');
  });

  test('before its payment, and twice: nobody has anything, and it counts once', async () => {
    const { body } = await shop.buy(['lamps'], { as: memberToken('early') });
    for (const event_id of ['evt_r', 'evt_r']) await shop.drive(body.payment.id, 'refund', { event_id });
    const { body: paid } = await shop.drive(body.payment.id, 'succeed', { event_id: 'evt_s' });
    expect(paid).toMatchObject({ status: 'refunded', refunds: [{ state: 'done' }], lines: [{ revoked: true }] });
    const again = await shop.drive(body.payment.id, 'refund', { event_id: 'evt_r' });
    expect(again.body.refunds).toHaveLength(1);
  });

  test('twice after a re-purchase takes back the first order only', async () => {
    const first = await bought(['lamps'], 'again');
    await shop.drive(first.payments[0].id, 'refund', { event_id: 'evt_1' });
    const second = await bought(['lamps'], 'again');
    await shop.drive(first.payments[0].id, 'refund', { event_id: 'evt_1' });
    expect(await shop.order(second.id)).toMatchObject({ status: 'paid', lines: [{ revoked: false }] });
    expect((await shop.order(first.id)).refunds).toHaveLength(1);
  });

  test('that fails after it was told as done: the order is paid, the member has it again, and the operator is told', async () => {
    const own = await startSelling();
    const { body } = await own.buy(['lamps'], { as: memberToken('reversed') });
    await own.drive(body.id, 'succeed');
    const asked = await own.call('POST', `/internal/orders/${body.id}/refunds`, {
      headers: { 'idempotency-key': 'reversed' },
      body: { school: 'school_1', reason: 'asked for' },
    });
    await own.orderOnce(body.id, ({ status }) => status === 'refunded');
    const refund_id = asked.body.refunds[0].id;
    const failed = await own.drive(body.id, 'fail_refund', { refund_id });
    expect(failed.body).toMatchObject({
      status: 'paid',
      refunds: [{ id: refund_id, state: 'failed', failure: 'provider' }],
      lines: [{ revoked: false }],
    });
    const [stuck] = await own.stuckOnce();
    expect(stuck).toMatchObject({
      correlation: body.id,
      error: expect.stringContaining(`the refund ${refund_id} of 4900 USD did not go back`),
    });
    // Whoever was told resumes it: then it is settled.
    const processes = own.started.processes ?? [];
    for (const process of processes) await process.resume('school_1', body.id);
    const stillStuck = async () => (await Promise.all(processes.map((process) => process.stuck()))).flat();
    for (let tries = 0; (await stillStuck()).length > 0 && tries < 500; tries += 1) await pause(10);
    expect(await stillStuck()).toEqual([]);
    await own.close();
  });

  test('of a seat frees it', async () => {
    const own = await startSelling();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const { body } = await own.buy(['seats'], { as: memberToken(`seat_${index}`) });
      await own.drive(body.id, 'succeed');
      ids.push(body.id);
    }
    expect((await own.buy(['seats'])).body.error).toBe('sold_out');
    await own.drive(ids[0]!, 'refund');
    expect((await own.buy(['seats'])).status).toBe(201);
    await own.close();
  });

  test('by a lost dispute takes back what was bought', async () => {
    const order = await bought(['lamps'], 'disputing');
    expect((await shop.drive(order.id, 'dispute')).body.status).toBe('disputed');
    expect((await refund(order.id)).body.error).toBe('invalid_state');
    expect((await shop.drive(order.id, 'lose_dispute')).body).toMatchObject({
      status: 'charged_back',
      lines: [{ revoked: true }],
    });
  });
});

describe('the time to pay', () => {
  test('expires the order; its seats are free ten minutes later, and money that comes then goes back', async () => {
    const own = await startSelling();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1)
      ids.push((await own.buy(['seats'], { as: memberToken(`seat_${index}`) })).body.id);
    own.clock.advance(31 * minute);
    await own.orderOnce(ids[0]!, ({ status }) => status === 'expired');
    expect((await own.buy(['seats'])).body.error).toBe('sold_out');
    expect((await own.drive(ids[1]!, 'succeed')).body.status).toBe('paid');
    own.clock.advance(10 * minute);
    for (let index = 0; index < 4; index += 1)
      expect((await own.buy(['seats'], { as: memberToken(`next_${index}`) })).status).toBe(201);
    expect((await own.buy(['seats'], { as: memberToken('one more') })).body.error).toBe('sold_out');
    expect((await own.drive(ids[2]!, 'succeed')).body.status).toBe('expired');
    const back = await own.orderOnce(ids[2]!, ({ refunds }) => refunds[0]?.state === 'returned');
    expect(back).toMatchObject({ status: 'expired', payments: [{ state: 'returned' }] });
    await own.close();
  });

  test('a member who waits for what was bought is told to the operator', async () => {
    const own = await startSelling();
    const { body } = await own.buy(['lamps']);
    await own.drive(body.id, 'succeed');
    own.clock.advance(11 * minute);
    const [stuck] = await own.stuckOnce();
    expect(stuck?.error).toContain(`no access for ${body.id}.1`);
    await own.close();
  });

  /** Lets time go by until something is so, whatever is being tried meanwhile. */
  const inTime = async <T>(own: Selling, look: () => Promise<T>, is: (seen: T) => boolean): Promise<T> => {
    let seen = await look();
    for (let times = 0; times < 15 && !is(seen); times += 1) {
      own.clock.advance(20 * minute);
      await new Promise((resolve) => setTimeout(resolve, 700));
      seen = await look();
    }
    return seen;
  };
  const stuckIn = async (own: Selling) =>
    (await Promise.all((own.started.processes ?? []).map((process) => process.stuck()))).flat();

  test('a buyer whom the school service cannot match is told to the operator', async () => {
    const own = await startSelling({ school: () => ({ refused: 'server_error' }) });
    const { body } = await own.buy(['lamps'], guest);
    await own.drive(body.id, 'succeed');
    const stuck = await inTime(
      own,
      () => stuckIn(own),
      (all) => all.length > 0,
    );
    expect(stuck).toMatchObject([{ correlation: body.id, error: expect.stringContaining('server_error') }]);
    await own.close();
  });

  test('a buyer whom the school service matches hours later has what was bought, without an operator', async () => {
    const state = { isDown: true };
    const own = await startSelling({
      school: () => (state.isDown ? { refused: 'server_error' } : { member: 'account_late' }),
    });
    const { body } = await own.buy(['lamps'], guest);
    await own.drive(body.id, 'succeed');
    await inTime(
      own,
      () => stuckIn(own),
      (all) => all.length > 0,
    );
    state.isDown = false;
    const attached = await inTime(
      own,
      () => own.order(body.id),
      ({ buyer }) => buyer.member_id !== null,
    );
    expect(attached).toMatchObject({ status: 'paid', buyer: { member_id: 'account_late' } });
    await own.close();
  });
});
