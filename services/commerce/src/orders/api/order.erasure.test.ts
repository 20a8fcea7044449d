import { afterEach, describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { Documents } from '@lyceum/documents';
import { writeErasure } from '@lyceum/service';
import { until } from '@lyceum/testkit';
import { type Engines, enginesOf } from '@lyceum/testkit-service';
import { commerce } from '../../module.ts';
import { type Selling, startSelling } from '../../testing/selling.ts';

const guest = { as: 'anonymous', body: { email: 'erase-me@example.org', name: 'Erase Me' } } as const;
const member = 'account_of_guest';

let shop: Selling;
afterEach(() => shop.close());

/** As the process does that carries out erasures. */
async function erase(subject: string): Promise<void> {
  const at = '2026-01-05T08:00:00.000Z';
  await shop.vault.destroy('school_1', subject);
  await writeErasure(shop.log, { school: 'school_1', subject, meta: { actor: 'system' }, at });
  await shop.started.erased?.('school_1', subject);
}

const buyerOf = (id: string) => id.replace('order_', 'buyer_');
/** All that stands in the log about an order, as it is read now. */
const told = async (id: string) => JSON.stringify((await shop.log.load('school_1', [id])).commits);

/** Buys as a guest, and pays. */
async function bought(): Promise<string> {
  const { body } = await shop.buy(['lamps'], guest);
  await shop.drive(body.id, 'succeed');
  return body.id;
}

/** Documents that take nothing in about orders while they are held. */
function holdable(documents: Documents): { readonly documents: Documents; hold(): void; release(): void } {
  let held = Promise.resolve();
  let release: () => void = () => undefined;
  return {
    documents: new Proxy(documents, {
      get(target, name) {
        const own: unknown = Reflect.get(target, name);
        if (typeof own !== 'function') return own;
        if (name !== 'apply') return own.bind(target);
        return async (...given: Parameters<Documents['apply']>) => {
          if (/^orders\b/.test(given[0].name)) await held;
          return target.apply(...given);
        };
      },
    }),
    hold: () => void (held = new Promise((resolve) => (release = resolve))),
    release: () => release(),
  };
}

describe('a guest who became a member', () => {
  test('is erased with the member; the order stays', async () => {
    shop = await startSelling();
    const id = await bought();
    const { buyer } = await shop.orderOnce(id, ({ buyer: now }) => now.member_id !== null);
    await shop.settled();
    const question = { kind: 'personal-data', school: 'school_1', subject: buyer.member_id, from: null };
    expect(await shop.started.answer!(question)).toMatchObject({ file: expect.any(String) });
    await erase(buyer.member_id);
    await until(() => shop.erased.includes(buyerOf(id)));
    expect(shop.erased).toEqual([buyerOf(id)]);
    expect(await shop.order(id)).toMatchObject({ status: 'paid', buyer: { email: null, name: null } });
  });

  test('is erased, too, when the erasure comes before the read model knows of it', async () => {
    const engines: Engines = enginesOf(commerce);
    const slow = holdable(engines.documents);
    shop = await startSelling({
      engines: { ...engines, documents: slow.documents },
      school: () => ({ member, invited: false }),
    });
    await shop.settled();
    slow.hold();
    const id = await bought();
    await until(async () => (await told(id)).includes('OrderBuyerAttached'));
    // By then who follows the orders has seen that the member is there.
    await pause(500);
    await erase(member);
    await pause(100);
    const before = [...shop.erased];
    slow.release();
    expect(before).toEqual([]);
    await until(() => shop.erased.includes(buyerOf(id)));
    for (const word of ['erase-me@', 'Erase Me']) expect(await told(id)).not.toContain(word);
  });

  test('is erased, too, when it is found out only after the member was erased', async () => {
    let answer: (said: object) => void = () => undefined;
    const asked = new Promise<object>((resolve) => (answer = resolve));
    shop = await startSelling({ school: () => asked });
    const id = await bought();
    await until(() => shop.invited.includes('erase-me@example.org'));
    await erase(member);
    answer({ member, invited: false });
    await until(() => shop.erased.includes(buyerOf(id)));
    for (const word of ['erase-me@', 'Erase Me']) expect(await told(id)).not.toContain(word);
  });
});
