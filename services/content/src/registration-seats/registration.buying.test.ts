import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Calendar, memberToken, startCalendar } from '../testing/calendar.ts';

let calendar: Calendar;
beforeAll(async () => void (calendar = await startCalendar()));
afterAll(() => calendar.close());

const order = 'order_00000000-0000-7000-8000-00000000000';
const publish = (type: string, member: string | null, event: string, line: string, more: object = {}) =>
  calendar.publish('commerce', {
    type,
    data: {
      order_id: 'order',
      member_id: member === null ? null : `account_${member}`,
      lines: [{ line_id: `${order}${line}`, item_type: 'event', item_id: event, ...more }],
    },
  });

const paid = (more: object = {}) =>
  calendar.event({ price: { amount: 2_000 }, join_url: 'https://meet.test/', ...more });
const statuses = (all: readonly { readonly status: string }[]) => all.map(({ status }) => status).join();

describe('places at events that were bought', () => {
  test('are the buyer’s, once, and gone with a refund of their own line only', async () => {
    const { id } = await paid();
    await publish('OrderFulfillable', 'ada', id, '1.1');
    await publish('OrderFulfillable', 'ada', id, '1.1');
    const [bought] = await calendar.attendees(id, (all) => statuses(all) === 'confirmed');
    expect(bought).toMatchObject({ member_id: 'account_ada', bought: true });
    const read = async () => (await calendar.call('GET', `/api/events/${id}`, { as: memberToken('ada') })).body;
    expect(await read()).toMatchObject({ own_registration: { status: 'confirmed' }, join_url: 'https://meet.test/' });
    const own = `/api/account/registrations/${bought.id}/cancel`;
    expect((await calendar.call('POST', own, { as: memberToken('ada') })).body.error).toBe('invalid_state');
    expect((await calendar.call('POST', `/api/events/${id}/registrations/${bought.id}/cancel`)).status).toBe(409);
    await publish('OrderRefunded', 'ada', id, '2.1');
    await publish('OrderRefunded', 'ben', id, '1.1');
    await calendar.settled();
    expect(statuses(await calendar.attendees(id))).toBe('confirmed');
    await publish('OrderRefunded', 'ada', id, '1.1');
    const [gone] = await calendar.attendees(id, (all) => statuses(all) === 'canceled');
    expect(gone.cancellation).toBe('refund');
    expect('join_url' in (await read())).toBe(false);
    await publish('OrderRefundReversed', 'ada', id, '1.1', { source_id: `${order}1.1~2` });
    await calendar.attendees(id, (all) => statuses(all) === 'confirmed');
    await publish('OrderRefunded', 'ada', id, '1.1', { source_id: `${order}1.1~2` });
    await calendar.attendees(id, (all) => statuses(all) === 'canceled');
  });

  test('are canceled with the event, also where they were bought meanwhile, so that the money goes back', async () => {
    const { id } = await paid();
    await publish('OrderFulfillable', 'ada', id, '3.1');
    await calendar.attendees(id, (all) => statuses(all) === 'confirmed');
    await calendar.call('POST', `/api/events/${id}/cancel`);
    await publish('OrderFulfillable', 'ben', id, '4.1');
    const all = await calendar.attendees(id, (found) => statuses(found) === 'canceled,canceled');
    expect(all.map(({ cancellation }) => cancellation)).toEqual(['event', 'event']);
  });

  test('stand beside those that cost nothing; whose buyer nobody knows has none', async () => {
    const { id } = await calendar.event({ capacity: 2 });
    await calendar.register(id, memberToken('ada'));
    expect(calendar.seats.taken(id)).toBe(1);
    await publish('OrderFulfillable', 'ben', id, '5.1');
    await publish('OrderFulfillable', null, id, '6.1');
    await calendar.attendees(id, (all) => statuses(all) === 'confirmed,confirmed');
  });

  test('at what other services sell are not this one’s to give', async () => {
    const { id } = await paid();
    await calendar.publish('commerce', {
      type: 'OrderFulfillable',
      data: { order_id: 'o', member_id: 'account_ada', lines: [{ line_id: 'l', item_type: 'course', item_id: id }] },
    });
    await calendar.settled();
    expect(await calendar.attendees(id)).toEqual([]);
  });
});
