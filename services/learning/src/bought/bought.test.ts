import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Learning, courseIds, memberToken, productIds, startLearning } from '../testing.ts';

let learning: Learning;
beforeAll(async () => void (learning = await startLearning()));
afterAll(() => learning.close());

const line = (order: string, course: keyof typeof courseIds) => ({
  line_id: `${order}.1`,
  item_type: 'course',
  item_id: courseIds[course],
});

const publish = (type: string, member: string | null, lines: readonly object[], more: object = {}) =>
  learning.publish('commerce', { type, data: { order_id: 'order', member_id: member, lines, ...more } });

/** The enrollments of a member, once there are so many in a state. */
async function once(member: string, course: keyof typeof courseIds, state: string) {
  const read = async () =>
    (await learning.call('GET', `/api/account/enrollments?course_id=${courseIds[course]}`, { as: memberToken(member) }))
      .body;
  let { data } = await read();
  for (let tries = 0; tries < 400 && data[0]?.state !== state; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    ({ data } = await read());
  }
  expect(data[0]?.state).toBe(state);
  return data[0];
}

describe('what members bought', () => {
  test('is theirs for as long as the course says, under the line of the order', async () => {
    await publish('OrderFulfillable', 'account_member', [line('order_a', 'limited')]);
    const enrollment = await once('member', 'limited', 'active');
    expect(enrollment.expires_at).toBe('2026-01-15T08:00:00.000Z');
  });

  test('by two orders stays when one of them is refunded, and is lost with the other', async () => {
    const [one, two] = [line('order_1', 'paid'), line('order_2', 'paid')];
    await publish('OrderFulfillable', 'account_member', [one]);
    await publish('OrderFulfillable', 'account_member', [two]);
    await once('member', 'paid', 'active');
    await publish('OrderRefunded', 'account_member', [one]);
    // Twice, and of another order that was never there.
    await publish('OrderRefunded', 'account_member', [one]);
    await publish('OrderFulfillable', 'account_other', [line('order_3', 'paid')]);
    await once('other', 'paid', 'active');
    expect((await once('member', 'paid', 'active')).state).toBe('active');
    await publish('OrderDisputeResolved', 'account_member', [two], { won: false });
    await once('member', 'paid', 'lapsed');
  });

  test('is theirs again when the refund fails later, under another source, and is lost with that', async () => {
    const first = line('order_r', 'paid');
    const again = { ...first, source_id: `${first.line_id}~2` };
    await publish('OrderFulfillable', 'account_reversed', [first]);
    await once('reversed', 'paid', 'active');
    await publish('OrderRefunded', 'account_reversed', [first]);
    await once('reversed', 'paid', 'lapsed');
    await publish('OrderRefundReversed', 'account_reversed', [again]);
    await once('reversed', 'paid', 'active');
    await publish('OrderRefunded', 'account_reversed', [again]);
    await once('reversed', 'paid', 'lapsed');
  });

  test('is nobody’s when it was taken back before it was given', async () => {
    await publish('OrderRefunded', 'account_enrolled', [line('order_4', 'paid')]);
    await publish('OrderFulfillable', 'account_enrolled', [line('order_4', 'paid')]);
    await publish('OrderFulfillable', 'account_enrolled', [line('order_5', 'unpublished')]);
    await once('enrolled', 'unpublished', 'active');
    const { body } = await learning.call('GET', `/api/account/enrollments?course_id=${courseIds.paid}`, {
      as: memberToken('enrolled'),
    });
    expect(body.data).toEqual([]);
  });

  test('is a digital product, too; kinds of a newer release are nobody’s to give', async () => {
    const product = { line_id: 'order_8.1', item_type: 'digital_product', item_id: productIds.paid };
    const plan = { line_id: 'order_8.2', item_type: 'hologram', item_id: 'hologram_1' };
    await publish('OrderFulfillable', 'account_member', [plan, product]);
    const list = async () => (await learning.call('GET', '/api/students/account_member/digital_products')).body.data;
    for (let tries = 0; tries < 400 && (await list()).length === 0; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await list()).toMatchObject([{ product_id: productIds.paid }]);
  });

  test('is nobody’s who is erased: nothing is written about them', async () => {
    const own = await startLearning();
    try {
      const commits = () => own.log.head(own.log.laneOf('school_1'));
      const before = await commits();
      const product = { line_id: 'order_9.2', item_type: 'digital_product', item_id: productIds.paid };
      const order = { order_id: 'order', member_id: 'account_erased', lines: [line('order_9', 'paid'), product] };
      for (const type of ['OrderFulfillable', 'OrderRefunded']) await own.publish('commerce', { type, data: order });
      const another = { ...order, member_id: 'account_member', lines: [product] };
      await own.publish('commerce', { type: 'OrderFulfillable', data: another });
      const list = async () => (await own.call('GET', '/api/students/account_member/digital_products')).body.data;
      for (let tries = 0; tries < 400 && (await list()).length === 0; tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(await list()).toMatchObject([{ product_id: productIds.paid }]);
      // The access of the other member, and nothing else.
      expect((await commits()) - before).toBe(1);
    } finally {
      await own.close();
    }
  });

  test('means nothing while nobody knows whose order it is', async () => {
    await publish('OrderRefunded', null, [line('order_6', 'paid')]);
    await publish('OrderFulfillable', 'account_other', [line('order_7', 'seats')]);
    await once('other', 'seats', 'active');
  });
});
