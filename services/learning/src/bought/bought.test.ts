import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { found, until } from '@lyceum/testkit';
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
  return found(async () => {
    const [enrollment] = (await read()).data;
    return enrollment?.state === state ? enrollment : undefined;
  }, `that ${course} of ${member} is ${state}`);
}

describe('what members bought', () => {
  test('is theirs for as long as the course says, under the line of the order', async () => {
    await publish('OrderFulfillable', 'account_member', [line('order_a', 'limited')]);
    const enrollment = await once('member', 'limited', 'active');
    expect(enrollment.expires_at).toBe('2026-01-15T08:00:00.000Z');
  });

  test('is theirs for as long as it was sold for, whatever the course says by now', async () => {
    await publish('OrderFulfillable', 'account_sold', [{ ...line('order_s', 'limited'), access_days: 30 }]);
    expect((await once('sold', 'limited', 'active')).expires_at).toBe('2026-02-04T08:00:00.000Z');
    await publish('OrderFulfillable', 'account_ever', [{ ...line('order_v', 'limited'), access_days: null }]);
    expect((await once('ever', 'limited', 'active')).expires_at).toBeNull();
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

  test('rests while its payment is disputed, and goes on as it was when that is won, or is lost with it', async () => {
    const first = line('order_d', 'limited');
    const again = { ...first, source_id: `${first.line_id}~2` };
    await publish('OrderFulfillable', 'account_disputed', [first]);
    const before = await once('disputed', 'limited', 'active');
    await publish('OrderDisputed', 'account_disputed', [first]);
    await once('disputed', 'limited', 'lapsed');
    const since = new Date(learning.clock.now()).toISOString();
    learning.clock.advance(3 * 86_400_000);
    await publish('OrderDisputeResolved', 'account_disputed', [], { won: true, restored: [again], since });
    const after = await once('disputed', 'limited', 'active');
    expect(after.starts_at).toBe(before.starts_at);
    expect(Date.parse(after.expires_at) - Date.parse(before.expires_at)).toBe(3 * 86_400_000);
    // What comes twice, or late, changes nothing.
    await publish('OrderDisputed', 'account_disputed', [first]);
    await publish('OrderFulfillable', 'account_disputed', [first]);
    await publish('OrderDisputed', 'account_disputed', [again]);
    await once('disputed', 'limited', 'lapsed');
    await publish('OrderDisputeResolved', 'account_disputed', [again], { won: false });
    expect((await once('disputed', 'limited', 'lapsed')).state).toBe('lapsed');
  });

  test('stays while its payment is disputed where its order says so, as a release before always did', async () => {
    await publish('OrderFulfillable', 'account_trusted', [line('order_t', 'paid')]);
    await once('trusted', 'paid', 'active');
    await learning.publish('commerce', { type: 'OrderDisputed', data: { order_id: 'order_t', amount: 4_900 } });
    await publish('OrderDisputeResolved', 'account_trusted', [], { won: true });
    await publish('OrderFulfillable', 'account_trusted', [line('order_u', 'limited')]);
    await once('trusted', 'limited', 'active');
    expect((await once('trusted', 'paid', 'active')).state).toBe('active');
  });

  test('is given however early a dispute of it is told as won', async () => {
    const first = line('order_e', 'paid');
    const again = { ...first, source_id: `${first.line_id}~2` };
    await publish('OrderDisputeResolved', 'account_early', [], { won: true, restored: [again] });
    await publish('OrderDisputed', 'account_early', [first]);
    await publish('OrderFulfillable', 'account_early', [first]);
    await once('early', 'paid', 'active');
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
    await until(async () => (await list()).length > 0);
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
      await until(async () => (await list()).length > 0);
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
