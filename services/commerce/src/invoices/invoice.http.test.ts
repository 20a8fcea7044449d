import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { personalDataAnswer } from '@lyceum/service';
import { found } from '@lyceum/testkit';
import { issuedOnce, refundAll } from '../testing/invoicing.ts';
import { type Selling, memberToken, startSelling } from '../testing/selling.ts';

let shop: Selling;
let [order, invoice, note, guestOrder, secret] = ['', '', '', '', ''];
const company = { company: 'Byron <Ltd>', address: 'Rua 2\nLisboa', country: 'PT', tax_id: 'PT999' };
beforeAll(async () => {
  shop = await startSelling();
  const { body } = await shop.buy(['lamps', 'looms'], { as: memberToken('buyer'), body: { invoice_to: company } });
  order = body.id;
  await shop.drive(order, 'succeed');
  await issuedOnce(shop, 1);
  shop.clock.advance(1_000);
  await refundAll(shop, order);
  const [first, second] = await issuedOnce(shop, 2);
  [invoice, note] = [first?.id ?? '', second?.id ?? ''];
  shop.clock.advance(1_000);
  const guest = await shop.buy(['lamps'], { as: 'anonymous', body: { email: 'ada@example.org', name: 'Ada' } });
  [guestOrder, secret] = [guest.body.id, guest.body.order_secret];
  await shop.drive(guestOrder, 'succeed');
  await issuedOnce(shop, 3);
});
afterAll(() => shop.close());

const list = async (query = '') => (await shop.call('GET', `/api/invoices${query}`)).body;
const pathOf = (url: string): string => new URL(url).pathname;

describe('the list of invoices', () => {
  test('has invoices and credit notes newest first, each kind with numbers of its own, and nobody’s name', async () => {
    const body = await list();
    expect(body).toMatchObject({
      object: 'list',
      view: 'staff',
      data: [
        { kind: 'invoice', number: 2, order_id: guestOrder, total: { amount: 4_900, currency: 'USD' } },
        { kind: 'credit_note', number: 1, order_id: order, label: 'CN-000001', of_invoice: { number: 1 } },
        { kind: 'invoice', number: 1, order_id: order, label: 'INV-000001', total: { amount: 8_233 } },
      ],
    });
    expect(JSON.stringify(body)).not.toMatch(/Ada|Byron|Rua|PT999|example\.org/);
  });

  test.each([
    ['?kind=invoice', 2],
    ['?kind=credit_note', 1],
    ['?member_id=account_buyer', 2],
    ['?member_id=account_other', 0],
    ['?issued_after=2026-01-05T07:00:00Z', 3],
    ['?issued_before=2026-01-05T07:00:00Z', 0],
    ['?limit=1', 1],
  ])('can be asked for by %s', async (query, count) => expect((await list(query)).data).toHaveLength(count));

  test('can be asked for by order', async () => expect((await list(`?order_id=${order}`)).data).toHaveLength(2));
});

describe('an invoice', () => {
  test('has what the seller and the buyer said, at the time of its issue', async () => {
    expect((await shop.call('GET', `/api/invoices/${invoice}`)).body).toMatchObject({
      object: 'invoice',
      view: 'staff',
      issued_on: '2026-01-05',
      paid_on: '2026-01-05',
      seller: { name: 'Test School', details: 'Test School Lda\nRua 1\nNIF 123' },
      buyer: { name: 'Name of account_buyer', ...company },
      lines: [{ title: 'The lamps', quantity: 1 }, { title: 'The looms' }],
      taxes: [{ rate_bp: 0, net: { amount: 8_233 }, tax: { amount: 0 } }],
      of_invoice: null,
    });
    expect((await shop.call('GET', `/api/invoices/${note}`)).body).toMatchObject({
      kind: 'credit_note',
      of_invoice: { id: invoice, label: 'INV-000001' },
      lines: [{ title: 'The lamps', quantity: null, unit_price: null }, { title: 'The looms' }],
      refunded_on: '2026-01-05',
      paid_on: null,
    });
  });

  test('is read by its address, by whoever has it, in its own school only', async () => {
    const { url } = (await shop.call('GET', `/api/invoices/${invoice}`)).body;
    const shared = await shop.call('GET', pathOf(url), { as: 'anonymous' });
    expect(shared.body).toMatchObject({ id: invoice, url, buyer: { company: 'Byron <Ltd>' } });
    expect(shared.body).not.toHaveProperty('member_id');
    const [, uuid = ''] = /\/invoices\/([0-9a-f-]{36})/.exec(url) ?? [];
    for (const path of [
      `/invoices/${uuid}`,
      `/invoices/${uuid}-${'A'.repeat(43)}`,
      `/invoices/${invoice}`,
      pathOf(url).slice(0, -1),
      `${pathOf(url)}A`,
    ])
      expect((await shop.call('GET', path, { as: 'anonymous' })).status).toBe(404);
    expect((await shop.call('GET', pathOf(url), { as: 'anonymous', school: 'school_2' })).status).toBe(404);
  });

  test('of a guest stands with the order, for whoever has its secret', async () => {
    const path = `/api/checkout/${guestOrder}`;
    const { body } = await shop.call('GET', path, { as: 'anonymous', headers: { 'order-secret': secret } });
    expect(body.invoices).toMatchObject([{ kind: 'invoice', number: 2, label: 'INV-000002' }]);
    const shared = await shop.call('GET', pathOf(body.invoices[0].url), { as: 'anonymous' });
    expect(shared.body).toMatchObject({ buyer: { name: 'Ada', company: null }, order_id: guestOrder });
  });
});

/** The invoices among what is known of a person. */
async function exported(subject: string): Promise<readonly unknown[]> {
  for (let from: unknown = null; ;) {
    const answer = await shop.started.answer?.({ kind: 'personal-data', school: 'school_1', subject, from });
    const { file, records, next } = personalDataAnswer.parse(answer);
    if (file === 'invoices' || next === null) return file === 'invoices' ? records : [];
    from = next;
  }
}

describe('who may read invoices', () => {
  const as = (role: TokenClaims['role'], scopes?: TokenClaims['scopes']): TokenClaims => ({
    ...(role ? { role } : {}),
    subject: `account_${role}`,
    ...(scopes ? { scopes } : {}),
  });
  test.each<[string, TokenClaims | 'anonymous', string, number, number]>([
    ['an owner', as('owner'), 'school_1', 200, 200],
    ['an admin', as('admin'), 'school_1', 200, 200],
    ['an admin without the scope', as('admin', ['courses:read']), 'school_1', 403, 403],
    ['a lecturer', as('lecturer', ['orders:read']), 'school_1', 403, 403],
    ['the member who paid', memberToken('buyer'), 'school_1', 403, 403],
    ['another member', memberToken('other'), 'school_1', 403, 403],
    ['nobody', 'anonymous', 'school_1', 200, 404],
    ['the owner of another school', as('owner'), 'school_2', 200, 404],
  ])('%s', async (_, caller, school, lists, reads) => {
    const listed = await shop.call('GET', '/api/invoices', { as: caller, school });
    const read = await shop.call('GET', `/api/invoices/${invoice}`, { as: caller, school });
    expect([listed.status, read.status]).toEqual([lists, reads]);
    if (caller === 'anonymous' || school === 'school_2') expect(listed.body.data).toEqual([]);
  });

  test('a member lists their own, in their own school', async () => {
    const own = (name: string, more: object = {}) =>
      shop.call('GET', '/api/account/invoices', { as: memberToken(name), ...more });
    const { body } = await own('buyer');
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([note, invoice]);
    expect(body.data[0]).not.toHaveProperty('member_id');
    expect((await shop.call('GET', pathOf(body.data[1].url), { as: 'anonymous' })).body.id).toBe(invoice);
    expect((await own('other')).body.data).toEqual([]);
    expect((await own('buyer', { school: 'school_2' })).body.data).toEqual([]);
    expect((await own('buyer', { as: 'anonymous' })).status).toBe(403);
    const narrow = { ...memberToken('buyer'), scopes: ['courses:read'] as const };
    expect((await own('buyer', { as: narrow })).body.error).toBe('insufficient_scope');
    const owner = { role: 'owner', subject: 'account_owner', scopes: ['account:read'] } as const;
    expect((await own('buyer', { as: owner })).body.data).toEqual([]);
  });

  test('a guest who became a member has theirs among their own, and gets them with their data', async () => {
    const { buyer } = await shop.orderOnce(guestOrder, ({ buyer: now }) => now.member_id !== null);
    const as = { role: 'member', subject: buyer.member_id, scopes: ['account:read'] } as const;
    const theirs = await found(async () => {
      await shop.settled();
      const { data } = (await shop.call('GET', '/api/account/invoices', { as })).body;
      return data.length > 0 ? data : undefined;
    }, 'an invoice of theirs');
    expect(theirs).toMatchObject([{ number: 2, order_id: guestOrder }]);
    expect(await exported(buyer.member_id)).toMatchObject([{ number: 2, buyer: { name: 'Ada' } }]);
  });

  test('once the buyer is erased numbers, amounts and the country are left', async () => {
    await shop.vault.destroy('school_1', 'account_buyer');
    const { body } = await shop.call('GET', `/api/invoices/${invoice}`);
    expect(body).toMatchObject({
      number: 1,
      total: { amount: 8_233 },
      seller: { details: 'Test School Lda\nRua 1\nNIF 123' },
      buyer: { name: null, company: null, address: null, tax_id: null, country: 'PT' },
    });
  });
});
