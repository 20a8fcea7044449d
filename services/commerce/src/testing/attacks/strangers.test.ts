import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import type { Got, Sent } from '@lyceum/testkit-service';
import { type Selling, itemIds, memberToken, startSelling } from '../selling.ts';

/** What a stranger tries who knows every id: nobody, a guest with a secret of their own, a member, another school. */
let shop: Selling;
let guestOrder: Got['body'];
let memberOrder: Got['body'];
let otherSecret: string;
let coupon: string;
let batch: string;
let draft: string;
beforeAll(async () => {
  shop = await startSelling();
  const guest = (email: string) => shop.buy(['lamps'], { as: 'anonymous', body: { email, name: 'Vera Victim' } });
  guestOrder = (await guest('vera@victim.test')).body;
  otherSecret = (await guest('mallory@other.test')).body.order_secret;
  coupon = (await shop.call('POST', '/api/coupons', { body: { code: 'SECRETCODE', kind: 'percent', value: 10 } })).body
    .id;
  const bought = await shop.buy(['looms'], { as: victim, body: { coupon_code: 'SECRETCODE' } });
  memberOrder = (await shop.drive(bought.body.id, 'succeed')).body;
  batch = (await shop.call('POST', '/api/coupons/batches', { body: { count: 2, kind: 'percent', value: 5 } })).body.id;
  const plan = { name: 'Unheard of', price: { amount: 500 }, grants: { posts: true } };
  draft = (await shop.call('POST', '/api/membership_plans', { body: plan })).body.id;
  await shop.settled();
});
afterAll(() => shop.close());

const victim = memberToken('victim');
const staff: TokenClaims = { role: 'owner', subject: 'account_owner' };
const strangers = (): readonly (readonly [string, Sent])[] => [
  ['nobody', { as: 'anonymous' }],
  ['a guest with the secret of another order', { as: 'anonymous', headers: { 'order-secret': otherSecret } }],
  ['a member', { as: memberToken('stranger') }],
  ['a member who claims staff scopes', { as: { role: 'member', subject: 'account_stranger' } }],
  ['a lecturer', { as: { role: 'lecturer', subject: 'account_lecturer' } }],
  ['the owner of another school', { as: staff, school: 'school_2' }],
  ['the same account id at another school', { as: victim, school: 'school_2' }],
  [
    'a guest with the secret of the order at another school',
    { as: 'anonymous', school: 'school_2', headers: { 'order-secret': guestOrder.order_secret } },
  ],
];

/** Every operation of the service that is asked with GET, as its description says. */
const reads = (): readonly string[] => {
  const { paths } = shop.started.openapi as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(paths).flatMap(([path, methods]) => ('get' in methods ? [path] : []));
};

/** The path with what is the victim's in it, in each way in which it can be named. */
const ofVictim = (path: string): readonly string[] => {
  const orders = path.includes('{order}') ? [guestOrder.id, memberOrder.id] : [''];
  return orders.map((order) =>
    path
      .replace('{order}', order)
      .replace('{coupon}', coupon)
      .replace('{batch}', batch)
      .replace('{plan}', draft)
      .replaceAll(/\{\w+\}/g, memberOrder.id),
  );
};

/** What nobody else may learn. */
const kept = (): readonly string[] => [
  'account_victim',
  'vera@victim.test',
  'Vera Victim',
  'SECRETCODE',
  'Unheard of',
  guestOrder.id,
  guestOrder.order_secret,
  guestOrder.payment.reference,
  memberOrder.id,
  coupon,
  batch,
];
/** In the body only: an address that was asked for may be repeated in a header. */
const told = ({ body }: Got): readonly string[] => {
  const text = JSON.stringify(body ?? '');
  return kept().filter((each) => text.includes(each));
};

const queries: readonly string[] = [
  '',
  '?expand=buyer,member,lines,coupon,payments,redemptions',
  '?fields=id,buyer,email,name,member_id,order_secret,secret_hash,refused,payments,code',
  '?filter[member_id]=account_victim&member_id=account_victim',
  '?coupon=SECRETCODE&code=SECRETCODE&status=active',
  '?member_id=account_victim',
  '?q=vera&limit=100',
  '?order_secret=x&Order-Secret=x',
  '?view=staff&role=owner&school=school_1',
];

describe('a stranger who knows every id', () => {
  test('the staff and the victim read what strangers are kept from', async () => {
    const answers: Got[] = [];
    for (const path of reads())
      for (const asked of ofVictim(path))
        answers.push(await shop.call('GET', asked, { as: path.startsWith('/api/account/') ? victim : staff }));
    expect(answers.filter((each) => told(each).length > 0).length).toBeGreaterThan(6);
  });

  test('learns nothing of the victim, however it is asked', async () => {
    for (const [who, sent] of strangers())
      for (const path of reads())
        for (const asked of ofVictim(path))
          for (const query of queries) {
            const got = await shop.call('GET', `${asked}${query}`, sent);
            expect([who, asked, query, got.status < 500, told(got)]).toEqual([who, asked, query, true, []]);
          }
  });

  test('changes nothing: every write is refused, and the order is as it was', async () => {
    const { paths } = shop.started.openapi as { paths: Record<string, Record<string, unknown>> };
    const before = await Promise.all([shop.order(guestOrder.id), shop.order(memberOrder.id)]);
    for (const [who, sent] of strangers())
      for (const [path, methods] of Object.entries(paths))
        for (const method of Object.keys(methods).filter((each) => ['post', 'put', 'patch', 'delete'].includes(each))) {
          if (!path.includes('{')) continue;
          for (const asked of ofVictim(path)) {
            const got = await shop.call(method.toUpperCase(), asked, { ...sent, body: {} });
            const about = [who, method, asked, got.status >= 400 && got.status < 500, told(got)];
            expect(about).toEqual([who, method, asked, true, []]);
          }
        }
    expect(await Promise.all([shop.order(guestOrder.id), shop.order(memberOrder.id)])).toEqual(before);
  });

  test('gets no further by a cursor of the staff', async () => {
    await shop.buy(['lamps'], { as: victim });
    await shop.settled();
    const { body } = await shop.call('GET', '/api/orders?limit=1');
    expect(body.next_cursor).toEqual(expect.any(String));
    for (const [who, sent] of strangers()) {
      const got = await shop.call('GET', `/api/orders?limit=1&cursor=${body.next_cursor}`, sent);
      expect([who, told(got)]).toEqual([who, []]);
      const own = await shop.call('GET', `/api/account/orders?limit=1&cursor=${body.next_cursor}`, sent);
      expect([who, own.status >= 400, told(own)]).toEqual([who, true, []]);
    }
  });
});

describe('the secret of an order', () => {
  const read = (secret: string, id: string = guestOrder.id) =>
    shop.call('GET', `/api/checkout/${id}`, { as: 'anonymous', headers: { 'order-secret': secret } });

  test('has 256 bits, and nothing but itself opens the order', async () => {
    const secret: string = guestOrder.order_secret;
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect((await read(secret)).status).toBe(200);
    const first = secret.startsWith('A') ? 'B' : 'A';
    const wrong = [`${first}${secret.slice(1)}`, secret.slice(0, -2), `${secret}=`, secret.toLowerCase(), ' ', 'null'];
    for (const each of [...wrong, otherSecret, `${secret}, ${secret}`])
      expect([each, (await read(each)).status]).toEqual([each, 404]);
  });

  test('opens no order of a member, and none of another school', async () => {
    expect((await read(guestOrder.order_secret, memberOrder.id)).status).toBe(404);
    const there = await shop.buy(['lamps'], { as: 'anonymous', school: 'school_2', body: { email: 'a@example.org' } });
    expect((await read(there.body.order_secret, there.body.id)).status).toBe(404);
  });

  test('is kept as a hash only, and in no answer but the first', async () => {
    const { commits } = await shop.log.load('school_1', [guestOrder.id]);
    expect(JSON.stringify(commits)).not.toContain(guestOrder.order_secret);
    for (const as of [staff, victim])
      for (const path of [`/api/orders/${guestOrder.id}`, `/api/checkout/${guestOrder.id}`])
        expect(JSON.stringify((await shop.call('GET', path, { as })).body)).not.toContain(guestOrder.order_secret);
  });
});

describe('an Idempotency-Key of somebody else', () => {
  test('gives nothing of what they bought: it is bound to who asks, and to the school', async () => {
    const key = 'a-key-that-leaked';
    const body = { email: 'vera@victim.test' };
    const first = await shop.buy(['lamps'], { as: victim, key });
    for (const sent of [{ as: memberToken('thief') }, { as: victim, school: 'school_2' }] as const) {
      const got = await shop.buy(['lamps'], { ...sent, key });
      expect([got.status, got.body.id === first.body.id]).toEqual([201, false]);
    }
    const guest = await shop.buy(['lamps'], { as: 'anonymous', body, key });
    expect([guest.status, guest.body.id === first.body.id]).toEqual([201, false]);
    // Guests have nothing but their key: it counts with what is asked for.
    const other = await shop.buy(['lamps'], { as: 'anonymous', body: { email: 'mallory@other.test' }, key });
    expect([other.status, [first.body.id, guest.body.id].includes(other.body.id)]).toEqual([201, false]);
  });
});

describe('what a cart says', () => {
  let carts = 0;
  const buy = (items: unknown, body: object = {}) =>
    shop.call('POST', '/api/checkout', {
      as: memberToken('cart'),
      headers: { 'idempotency-key': `cart-${(carts += 1)}` },
      body: { items, ...body },
    });
  const lamps = { item_type: 'course', item_id: itemIds.lamps };

  test.each<[string, unknown, object?]>([
    ['a negative quantity', [{ ...lamps, quantity: -1 }]],
    ['a quantity', [{ ...lamps, quantity: 2 }]],
    ['a price of its own', [{ ...lamps, unit_price: 1 }]],
    ['a price of its own, as an object', [{ ...lamps, price: { amount: 1, currency: 'USD' } }]],
    ['a total of its own', [lamps], { total: 1 }],
    ['a discount of its own', [lamps], { discount: 4_899 }],
    ['a currency of its own', [lamps], { currency: 'JPY' }],
    ['a buyer of its own', [lamps], { member_id: 'account_victim' }],
    ['a school of its own', [lamps], { school: 'school_2' }],
    ['a status of its own', [lamps], { status: 'paid' }],
    ['a time of its own', [lamps], { expires_at: '2099-01-01T00:00:00Z' }],
    ['the same thing twice', [lamps, lamps]],
    ['nothing', []],
    ['more than 20 things', Array.from({ length: 21 }, (_, index) => ({ ...lamps, item_id: `course_${index}` }))],
    ['a course as a product', [{ ...lamps, item_type: 'digital_product' }]],
    ['an order as an item', [{ ...lamps, item_id: 'order-numbers' }]],
    ['a prototype', [{ ...lamps, item_id: '__proto__' }]],
    ['no list', { 0: lamps, length: 1 }],
    ['a total below nothing', [lamps], { expected_total: { amount: -1, currency: 'USD' } }],
    ['a fraction of a cent', [lamps], { expected_total: { amount: 0.5, currency: 'USD' } }],
    ['a total beyond what a number counts', [lamps], { expected_total: { amount: 2 ** 53, currency: 'USD' } }],
    ['a provider that there is elsewhere', [lamps], { provider: 'stripe' }],
  ])('with %s sells nothing', async (_, items, body = {}) => {
    const got = await buy(items, body);
    expect([got.status >= 400 && got.status < 500, got.body.id]).toEqual([true, undefined]);
  });

  test('never costs another amount than was shown: what is smaller, larger or of another currency is refused', async () => {
    for (const expected_total of [
      { amount: 4_899, currency: 'USD' },
      { amount: 4_901, currency: 'USD' },
      { amount: 0, currency: 'USD' },
      { amount: 4_900, currency: 'usd' },
      { amount: 4_900, currency: 'JPY' },
      { amount: Number.MAX_SAFE_INTEGER, currency: 'USD' },
    ]) {
      const got = await buy([lamps], { expected_total });
      expect([expected_total, got.status, got.body.error]).toEqual([expected_total, 409, 'price_changed']);
    }
  });

  test('that is not JSON, too large or too deep is refused in words', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    for (const body of [
      '{',
      deep,
      JSON.stringify({ items: [lamps], name: 'x'.repeat(2_000_000) }),
      '"items"',
      'null',
    ]) {
      const got = await shop.call('POST', '/api/checkout', {
        as: memberToken('cart'),
        headers: { 'idempotency-key': `raw-${body.length}` },
        body,
      });
      expect([body.slice(0, 20), got.status >= 400 && got.status < 500]).toEqual([body.slice(0, 20), true]);
    }
  });
});
