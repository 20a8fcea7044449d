import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Selling, itemIds, memberToken, startSelling } from '../testing/selling.ts';

let selling: Selling;
beforeAll(async () => void (selling = await startSelling()));
afterAll(() => selling.close());

/** The learning service publishes what becomes of a grant of the lamps. */
async function publish(type: 'AccessGranted' | 'AccessRevoked', member: string, source_type: string) {
  const grant = { grant_id: `grant_${source_type}`, source_type, source_id: 'source_1' };
  const item = { item_type: 'course', item_id: itemIds.lamps };
  const more = type === 'AccessGranted' ? { starts_at: '2026-01-01T00:00:00.000Z', expires_at: null } : { reason: 'r' };
  const data = { enrollment_id: 'enrollment_1', member_id: `account_${member}`, ...grant, ...item, ...more };
  await selling.publish('learning', { type, data });
  await selling.settled();
}

const buy = async (member: string) => {
  const { status, body } = await selling.buy(['lamps'], { as: memberToken(member) });
  return [status, body.error];
};

test('what is open by a plan only can be bought for good; what is somebody’s own cannot be bought again', async () => {
  await publish('AccessGranted', 'subscriber', 'subscription');
  expect(await buy('subscriber')).toEqual([201, undefined]);
  await publish('AccessGranted', 'subscriber', 'order_line');
  expect(await buy('subscriber')).toEqual([409, 'already_owned']);
  await publish('AccessRevoked', 'subscriber', 'subscription');
  expect(await buy('subscriber')).toEqual([409, 'already_owned']);
  await publish('AccessRevoked', 'subscriber', 'order_line');
  expect(await buy('subscriber')).toEqual([201, undefined]);
});

test.each(['staff', 'free'])('what was given by %s is owned', async (source) => {
  await publish('AccessGranted', `by-${source}`, source);
  expect(await buy(`by-${source}`)).toEqual([409, 'already_owned']);
});
