import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { trustState } from '@lyceum/oauth';
import { type TestSchool, testSchool } from '@lyceum/oauth/testing';
import { type Got, enginesOf } from '@lyceum/testkit-service';
import { commerce } from '../../module.ts';
import { issuedOnce } from '../invoicing.ts';
import { type Selling, memberToken, startSelling } from '../selling.ts';
import { type Caller, type Secrets, buyer, callers, sentBy } from './callers.ts';
import { type Row, type Things, ofOperators, ofSubscriptions, table } from './table.ts';

/**
 * Who may do what, over every operation of the service: a new operation has to be put into the table. The scopes are all
 * there, so that the role, the row and the school decide.
 */
let shop: Selling;
let things: Things;
let secrets: Secrets;
/** A school that there is, and that sells nothing. */
let third: TestSchool;
beforeAll(async () => {
  const engines = enginesOf(commerce);
  const trust = trustState(engines.clock);
  shop = await startSelling({ engines, trust });
  third = await testSchool({ clock: engines.clock, id: 'school_3', trust });
  const guest = async (email: string) => (await shop.buy(['lamps'], { as: 'anonymous', body: { email } })).body;
  const [own, other] = [await guest('own@example.org'), await guest('other@example.org')];
  secrets = { own: own.order_secret, other: other.order_secret };
  const bought = await shop.buy(['looms'], { as: { ...memberToken(), subject: buyer } });
  const paid = await shop.buy(['files'], { as: { ...memberToken(), subject: buyer } });
  await shop.drive(paid.body.id, 'succeed');
  const [invoice] = await issuedOnce(shop, 1);
  const post = async (path: string, body: object = {}) => (await shop.call('POST', path, { body })).body.id;
  const plan = await post('/api/membership_plans', { name: 'Shown', price: { amount: 500 }, grants: { posts: true } });
  await shop.call('POST', `/api/membership_plans/${plan}/publish`);
  things = {
    guestOrder: own.id,
    memberOrder: bought.body.id,
    coupon: await post('/api/coupons', { code: 'SHOWN', kind: 'percent', value: 10 }),
    batch: await post('/api/coupons/batches', { count: 1, kind: 'percent', value: 5 }),
    plan,
    invoice: invoice?.id ?? '',
    invoicePage: new URL(invoice?.url ?? '').pathname,
    draft: await post('/api/membership_plans', { name: 'Draft', price: { amount: 500 }, grants: { posts: true } }),
  };
  await shop.settled();
});
afterAll(() => shop.close());

const operations = (): readonly string[] => {
  const { paths } = shop.started.openapi as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
};

/** Ids of what was made before, and what only the staff or the buyer know. */
const known = (): readonly string[] => [
  ...Object.values(things),
  ...Object.values(secrets),
  'own@example.org',
  'SHOWN',
];

const tells = ({ body, headers }: Got): boolean => {
  const text = JSON.stringify([body ?? '', ...headers]);
  return known().some((each) => text.includes(each));
};

let keys = 0;

async function cell({ operation, path, body, headers }: Row, caller: Caller): Promise<string> {
  const [method = ''] = operation.split(' ');
  const sent = sentBy(caller, secrets);
  const key = headers?.['idempotency-key'] === undefined ? {} : { 'idempotency-key': `matrix-${(keys += 1)}` };
  const made = await path(things, shop);
  await shop.settled();
  const got = await shop.call(method, made, {
    ...sent,
    headers: { ...sent.headers, ...key },
    ...(body ? { body: body(caller, shop) } : {}),
  });
  const status = String(got.status);
  if (got.status >= 400) return tells({ ...got, headers: new Headers() }) ? `${status} and tells of it` : status;
  return method === 'GET' && !tells(got) ? `${status}-` : status;
}

describe('who may do what', () => {
  test('the table has every operation that clients are told of, and no other', () => {
    const rows = new Set(table.map(({ operation }) => operation));
    expect([...rows, ...ofSubscriptions].toSorted()).toEqual(operations().toSorted());
  });

  test.each(table.map((row): [string, Row] => [`${row.operation}${row.of ? ` of ${row.of}` : ''}`, row]))(
    '%s',
    async (_, row) => {
      const expected = row.statuses.split(' ');
      const found: string[] = [];
      for (const caller of callers) found.push(await cell(row, caller));
      const shown = (cells: readonly string[]) => callers.map((caller, index) => `${caller}: ${cells[index]}`);
      expect(shown(found)).toEqual(shown(expected));
    },
  );

  test('a token of one school is none at another, whatever the operation', async () => {
    const token = await third.token();
    for (const row of table) {
      const [method = ''] = row.operation.split(' ');
      const path = row.operation.split(' ')[1]?.replaceAll(/\{\w+\}/g, things.memberOrder) ?? '';
      const got = await shop.call(method, path, { token, ...(method === 'GET' ? {} : { body: {} }) });
      expect([row.operation, got.status, got.body.error]).toEqual([row.operation, 401, 'invalid_token']);
    }
  });

  test('no scope is no right: every operation that takes a token refuses one without its scope', async () => {
    // Who has the address of an invoice needs no more.
    for (const row of table.filter(({ operation }) => operation !== 'GET /invoices/{code}')) {
      const [method = ''] = row.operation.split(' ');
      const path = row.operation.split(' ')[1]?.replaceAll(/\{\w+\}/g, things.memberOrder) ?? '';
      const as = { role: 'owner', subject: 'account_owner', scopes: ['openid'] } as const;
      const got = await shop.call(method, path, { as, ...(method === 'GET' ? {} : { body: {} }) });
      expect([row.operation, got.status, got.body.error]).toEqual([row.operation, 403, 'insufficient_scope']);
      expect(got.headers.get('www-authenticate')).toContain('insufficient_scope');
    }
  });
});

describe('what operators do', () => {
  test('the table has every operation of theirs, and no other', () => {
    const all = (shop.started.internal ?? []).map(({ method, path }) => `${method} ${path}`);
    expect(all.toSorted()).toEqual([...ofOperators].toSorted());
  });

  test('nobody reaches one where clients ask', async () => {
    for (const operation of ofOperators)
      for (const caller of callers) {
        const path = operation.split(' ')[1]?.replaceAll(/\{\w+\}/g, things.memberOrder) ?? '';
        // `call` takes what begins with /internal to the operator: this is the other listener.
        const got = await shop.call('POST', `/.${path}`, { ...sentBy(caller, secrets), body: { school: 'school_1' } });
        expect([operation, caller, got.status]).toEqual([operation, caller, 404]);
      }
  });
});
