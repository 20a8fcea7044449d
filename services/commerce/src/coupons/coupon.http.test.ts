import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Role } from '@lyceum/contracts';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { writeErasure } from '@lyceum/service';
import type { Sent } from '@lyceum/testkit-service';
import { type Operation, disagreements } from '@lyceum/web';
import { type Commerce, startCommerce } from '../testing.ts';
import { execute } from '@lyceum/eventlog';
import { isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import { couponRejections } from './coupon.http.ts';
import { couponSlice } from './coupon.slice.ts';
import { couponDecider } from './coupon.ts';

const couponOperations = couponSlice.operations as readonly Operation[];

let commerce: Commerce;
beforeAll(async () => void (commerce = await startCommerce()));
afterAll(() => commerce.close());

const path = '/api/coupons';
const scopes = ['coupons:read', 'coupons:write'] as const;
const as = (role: Role, held: TokenClaims['scopes'] = scopes): TokenClaims => ({
  role,
  subject: `acc_${role}`,
  scopes: held,
});

const send = (method: string, at: string, body?: object, sent: Sent = {}) =>
  commerce.call(method, `${path}${at}`, { ...sent, ...(body ? { body } : {}) });

let made = 0;
async function create(body: object = {}, sent: Sent = {}) {
  const got = await send('POST', '', { code: `CODE-${(made += 1)}`, kind: 'percent', value: 10, ...body }, sent);
  expect([got.status, got.body.error]).toEqual([201, undefined]);
  return got.body;
}

const codesOf = (details: readonly { readonly path: string; readonly code: string }[]) =>
  details.map((each) => [each.path, each.code]);

describe('coupons', () => {
  test('reject with the statuses of the error table', () => expect(disagreements(couponRejections)).toEqual([]));

  test('are created with a code in upper case, read, changed, and found by code, words and status', async () => {
    const coupon = await create({ code: '  summer_26 ', name: 'Sommer für alle', max_redemptions: 5 });
    expect(coupon).toMatchObject({
      object: 'coupon',
      code: 'SUMMER_26',
      name: 'Sommer für alle',
      kind: 'percent',
      value: 10,
      currency: 'USD',
      applies_to: 'all',
      max_redemptions: 5,
      per_member_limit: null,
      duration: 'once',
      status: 'active',
      expired: false,
      exhausted: false,
      redeemed: 0,
      held: 0,
      batch_id: null,
      version: 1,
      view: 'staff',
    });
    expect(coupon).not.toHaveProperty('holds');
    expect((await send('GET', `/${coupon.id}`)).body).toEqual(coupon);
    const changed = await send('PATCH', `/${coupon.id}`, { value: 20, ends_at: '2030-01-01T00:00:00+01:00' });
    expect(changed.body).toMatchObject({ value: 20, ends_at: '2029-12-31T23:00:00.000Z', version: 2 });
    await commerce.settled();
    const found = async (query: string) =>
      (await send('GET', `?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await found('code=summer_26')).toEqual([coupon.id]);
    expect(await found('q=fur')).toContain(coupon.id);
    expect(await found('q=summer')).toContain(coupon.id);
    expect(await found('code=SUMMER_2')).toEqual([]);
    await send('POST', `/${coupon.id}/archive`);
    await commerce.settled();
    expect([await found('code=SUMMER_26'), await found('code=SUMMER_26&status=archived')]).toEqual([[], [coupon.id]]);
  });

  test('409 code_taken: a code is unique in the school, in any case, and in the school only; a deleted one is free', async () => {
    const { id } = await create({ code: 'ONLYONE' });
    const again = await send('POST', '', { code: 'onlyOne', kind: 'amount', value: 500 });
    expect([again.status, again.body.error]).toEqual([409, 'code_taken']);
    expect(await create({ code: 'ONLYONE', kind: 'amount' }, { school: 'school_2' })).toMatchObject({
      currency: 'JPY',
    });
    expect((await send('DELETE', `/${id}`)).status).toBe(204);
    expect((await send('GET', `/${id}`)).status).toBe(404);
    await create({ code: 'ONLYONE' });
  });

  test('422: what makes no sense together is named', async () => {
    const refused = async (body: object) => {
      const got = await send('POST', '', { code: 'NEVER', kind: 'percent', value: 10, ...body });
      expect([got.status, got.body.error]).toEqual([422, 'validation_failed']);
      return codesOf(got.body.details);
    };
    expect(await refused({ value: 101 })).toEqual([['value', 'too_big']]);
    expect(await refused({ starts_at: '2027-01-01T00:00:00Z', ends_at: '2027-01-01T00:00:00Z' })).toEqual([
      ['ends_at', 'not_after_start'],
    ]);
    expect(await refused({ duration: 'repeating' })).toEqual([['duration_cycles', 'missing']]);
    expect(await refused({ duration_cycles: 3 })).toEqual([['duration_cycles', 'not_repeating']]);
    expect(await refused({ applies_to: [{ item_type: 'course', item_id: 'course_none' }] })).toEqual([
      ['applies_to.0.item_id', 'unknown_item'],
    ]);
    for (const code of ['ab', 'ÜBER', 'a b', 'x'.repeat(41)])
      expect((await send('POST', '', { code, kind: 'percent', value: 10 })).status).toBe(422);
    for (const value of [0, 1.5, -3, '10'])
      expect((await send('POST', '', { code: 'NEVER', kind: 'percent', value })).status).toBe(422);
  });

  test('are for items that there are: courses and digital products, drafts with a price too', async () => {
    const applies_to = [
      { item_type: 'course', item_id: 'course_paid' },
      { item_type: 'course', item_id: 'course_draft' },
      { item_type: 'digital_product', item_id: 'product_paid' },
    ];
    expect(await create({ applies_to })).toMatchObject({ applies_to });
    const other = await send(
      'POST',
      '',
      { code: 'OTHER', kind: 'percent', value: 5, applies_to },
      { school: 'school_2' },
    );
    expect(codesOf(other.body.details).map(([at]) => at)).toEqual([0, 1, 2].map((at) => `applies_to.${at}.item_id`));
  });

  test('are paused, activated and archived for good; repeating it changes nothing', async () => {
    const { id } = await create();
    const statusAfter = async (what: string) => {
      const { body } = await send('POST', `/${id}/${what}`);
      return body.error ?? `${body.status} ${body.version}`;
    };
    expect(await statusAfter('pause')).toBe('paused 2');
    expect(await statusAfter('pause')).toBe('paused 2');
    expect(await statusAfter('activate')).toBe('active 3');
    expect(await statusAfter('archive')).toBe('archived 4');
    expect(await statusAfter('archive')).toBe('archived 4');
    for (const what of ['pause', 'activate']) expect(await statusAfter(what)).toBe('invalid_state');
    expect((await send('PATCH', `/${id}`, { value: 5 })).body.error).toBe('invalid_state');
  });

  test('expire by time, without a write: also for a reader who has this version', async () => {
    const ends = isoTime(commerce.clock.now() + 60_000);
    const { id } = await create({ ends_at: ends });
    const first = await send('GET', `/${id}`);
    expect(first.body.expired).toBe(false);
    commerce.clock.advance(60_000);
    const headers = { 'if-none-match': first.headers.get('etag')! };
    expect(await send('GET', `/${id}`, undefined, { headers })).toMatchObject({ status: 200, body: { expired: true } });
    await commerce.settled();
    const { body } = await send('GET', `?ids=${id}`);
    expect(body.data).toMatchObject([{ expired: true, version: 1 }]);
  });

  test('If-Match of another version is 412', async () => {
    const { id } = await create();
    const headers = { 'if-match': '"9"' };
    expect((await send('PATCH', `/${id}`, { value: 5 }, { headers })).body.error).toBe('precondition_failed');
  });
});

describe('the redemptions of a coupon', () => {
  const redeemed = async (id: string, order: string, member_id: string | null, school = 'school_1') => {
    const command = {
      type: 'RedeemCoupon',
      order_id: order,
      member_id,
      amount: 490,
      currency: 'USD',
      now: isoTime(commerce.clock.now()),
    } as const;
    const done = await execute(commerce.log, couponDecider, {
      tenant: school,
      stream: id,
      command,
      at: command.now,
      meta: { actor: 'system' },
      commitId: uuidv5(order),
    });
    expect(isRejection(done)).toBe(false);
  };

  test('are listed with their orders, and none of another coupon; an erased member is not in them any more', async () => {
    const [one, other] = [await create({ max_redemptions: 3 }), await create()];
    await redeemed(one.id, 'order_1', 'account_ada');
    await redeemed(one.id, 'order_2', null);
    await redeemed(other.id, 'order_3', 'account_ada');
    await commerce.settled();
    const list = async () => (await send('GET', `/${one.id}/redemptions?sort=created_at`)).body.data;
    expect(await list()).toMatchObject([
      { id: 'order_1', object: 'coupon_redemption', coupon_id: one.id, member_id: 'account_ada', amount: 490 },
      { id: 'order_2', member_id: null, currency: 'USD', view: 'staff' },
    ]);
    expect((await send('GET', `/${one.id}`)).body).toMatchObject({ redeemed: 2, exhausted: false });
    expect((await send('PATCH', `/${one.id}`, { value: 11 })).body.error).toBe('redeemed');
    const at = isoTime(commerce.clock.now());
    await writeErasure(commerce.log, { school: 'school_1', subject: 'account_ada', meta: { actor: 'system' }, at });
    await commerce.settled();
    expect((await list()).map(({ member_id }: { member_id: string | null }) => member_id)).toEqual([null, null]);
  });
});

describe('who may do what with coupons', () => {
  const one = (id: string, school?: string) =>
    couponOperations.map(({ id: operation, method, path: template, body }) => {
      const example = body?.meta()?.['example'] as object | undefined;
      return {
        operation,
        method,
        at: template.replace('{coupon}', id),
        sent: { ...(example ? { body: example } : {}), ...(school === undefined ? {} : { school }) },
      };
    });

  const outcomes = async (sender: Sent, id: string) => {
    const found: Record<string, string> = {};
    for (const { operation, method, at, sent } of one(id)) {
      const { status, body } = await commerce.call(method, at, { ...sent, ...sender });
      found[operation] =
        status === 200 && body.object === 'list' ? `200 ${body.data.length}` : `${status} ${body?.error}`;
    }
    return found;
  };
  const all = (reading: string, list: string, writing: string) =>
    Object.fromEntries(
      couponOperations.map(({ id, method }) => {
        if (method !== 'GET') return [id, writing];
        return [id, id === 'listCoupons' ? list : reading];
      }),
    );

  test('nobody but owners and admins learns that there are any', async () => {
    const { id } = await create();
    await commerce.settled();
    expect(await outcomes({ as: 'anonymous' }, id)).toEqual(all('404 not_found', '200 0', '403 access_denied'));
    for (const role of ['member', 'lecturer'] as const) {
      const denied = '403 access_denied';
      expect(await outcomes({ as: as(role) }, id)).toEqual(all(denied, denied, denied));
      const lacks = '403 insufficient_scope';
      expect(await outcomes({ as: as(role, ['courses:read']) }, id)).toEqual(all(lacks, lacks, lacks));
    }
    const elsewhere = await outcomes({ as: as('owner'), school: 'school_2' }, id);
    expect(elsewhere).toMatchObject({
      getCoupon: '404 not_found',
      changeCoupon: '404 not_found',
      deleteCoupon: '404 not_found',
    });
    expect((await send('GET', `?ids=${id}`, undefined, { school: 'school_2' })).body.data).toEqual([]);
  });

  test.each(['owner', 'admin'] as const)('%ss do all of it', async (role) => {
    const { id } = await create({}, { as: as(role) });
    expect((await send('PATCH', `/${id}`, { value: 11 }, { as: as(role) })).body.value).toBe(11);
    for (const what of ['pause', 'activate', 'archive'])
      expect((await send('POST', `/${id}/${what}`, undefined, { as: as(role) })).status).toBe(200);
    expect((await send('DELETE', `/${id}`, undefined, { as: as(role) })).status).toBe(204);
    const lacking = await send('PATCH', `/${id}`, { value: 11 }, { as: as(role, ['coupons:read']) });
    expect(lacking.body.error).toBe('insufficient_scope');
  });
});
