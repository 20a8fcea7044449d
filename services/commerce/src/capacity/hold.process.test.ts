import { afterEach, describe, expect, test } from '@jest/globals';
import { type Engines, enginesOf } from '@lyceum/testkit-service';
import { setTimeout as pause } from 'node:timers/promises';
import { commerce } from '../module.ts';
import { capacityStream } from './capacity.ts';
import { type Selling, itemIds, memberToken, startSelling } from '../testing/selling.ts';

const minute = 60_000;
/** A member pays within half an hour; what is held for them is so ten minutes longer. */
const held = 40 * minute;

const running: Selling[] = [];
afterEach(async () => void (await Promise.all(running.splice(0).map((each) => each.close()))));

async function start(engines: Engines): Promise<Selling> {
  const shop = await startSelling({ engines, ports: { timerPoll: 20 } });
  running.push(shop);
  return shop;
}

async function stop(shop: Selling): Promise<void> {
  running.splice(running.indexOf(shop), 1);
  await shop.close();
}

interface Released {
  readonly request_id: string;
  readonly taken: number;
}

/** What other services hear of seats that are free. */
async function released({ log }: Selling): Promise<readonly Released[]> {
  const { commits } = await log.load('school_1', [capacityStream({ item_type: 'course', item_id: itemIds.seats })]);
  const all = commits.flatMap(({ events }) => events);
  return all.flatMap(({ type, data }) => (type === 'SeatReleased' ? [data as unknown as Released] : []));
}

/** The same, once they are so many and nothing more comes. */
async function releasedOnce(shop: Selling, count: number) {
  for (let left = 400; left > 0 && (await released(shop)).length < count; left -= 1) await pause(20);
  await pause(150);
  await shop.settled();
  return released(shop);
}

const buySeat = async (shop: Selling, who: string) => {
  const { status, body } = await shop.buy(['seats'], { as: memberToken(who) });
  expect(status).toBe(201);
  await shop.settled();
  return String(body.id);
};

describe('a seat that is held for an order which nobody pays', () => {
  test('is told to be free when its time is over, once, and not before', async () => {
    const shop = await start(enginesOf(commerce));
    const id = await buySeat(shop, 'ada');
    shop.clock.advance(held - 1);
    await shop.orderOnce(id, ({ status }) => status === 'expired');
    expect(await releasedOnce(shop, 0)).toEqual([]);
    shop.clock.advance(1);
    const seat = { item_type: 'course', item_id: itemIds.seats, request_id: `${id}.1`, taken: 0, limit: 5 };
    expect(await releasedOnce(shop, 1)).toEqual([seat]);
  });

  test('is told to be free late, once, after an outage of an hour', async () => {
    const engines = enginesOf(commerce);
    const first = await start(engines);
    const id = await buySeat(first, 'ada');
    await stop(first);
    engines.clock.advance(held + 60 * minute);
    const second = await start(engines);
    expect((await releasedOnce(second, 1)).map(({ request_id }) => request_id)).toEqual([`${id}.1`]);
    await stop(second);
    expect(await releasedOnce(await start(engines), 1)).toHaveLength(1);
  });

  test('is told to be free once where two processes look after it', async () => {
    const engines = enginesOf(commerce);
    const [one, two] = [await start(engines), await start(engines)];
    await buySeat(one, 'ada');
    engines.clock.advance(held);
    expect(await releasedOnce(one, 1)).toHaveLength(1);
    expect(await releasedOnce(two, 1)).toHaveLength(1);
  });
});

test('of a seat that is paid for, or given back before, nothing is told when the time of the hold is over', async () => {
  const shop = await start(enginesOf(commerce));
  const [paid] = [await buySeat(shop, 'ada'), await buySeat(shop, 'bob')];
  expect((await shop.drive(paid, 'succeed')).body.status).toBe('paid');
  shop.clock.advance(held);
  const [only, ...more] = await releasedOnce(shop, 1);
  expect([only?.taken, only?.request_id.startsWith(paid), more]).toEqual([1, false, []]);
});
