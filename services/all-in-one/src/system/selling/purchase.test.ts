import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, type Place, call, describeTopologies, patience } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { hasStatus, inForce } from '../../testing/in-force.ts';
import { mailsTo } from '../../testing/selling/mails-to.ts';
import { operateSales, takePayment } from '../../testing/selling/sales-operator.ts';

/** What is bought opens what it is about, through the real gateway; a refund closes it. */
await describeTopologies('a purchase', ({ open, lag }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let staff: string;
  let student: string;
  let course: string;
  const api = (path: string, options: Parameters<typeof call>[1] = {}) => call(`${system.baseUrl}/api${path}`, options);
  const within = lag === 0 ? 1_000 : patience;

  beforeAll(async () => {
    ({ system, close } = await open());
    const client = await Client.register(system.baseUrl);
    const tokenOf = async (local: string, scope: string) =>
      (await client.tokens(`${local}@lantern.test`, system.password, scope)).access_token;
    staff = await tokenOf(
      'owner',
      'courses:read courses:write curriculum:read curriculum:write lecturers:read coupons:read coupons:write orders:read school:read school:write',
    );
    student = await tokenOf('student', 'account:read account:write courses:read curriculum:read');
    course = await publishedCourse();
  }, 400_000);
  afterAll(() => close());

  async function post(path: string, json: object = {}) {
    const made = await api(path, { token: staff, json });
    expect([path, made.status, made.status < 300]).toEqual([path, made.status, true]);
    return made.body;
  }

  /** A course of one lesson that costs ten dollars. */
  async function publishedCourse(): Promise<string> {
    const [lecturer] = (await api('/lecturers', { token: staff })).body.data;
    const prices = [{ amount: 1_000, currency: 'USD' }];
    const { id } = await post('/courses', { title: 'Sold', access: 'paid', prices, lecturer_ids: [lecturer.id] });
    const section = await post(`/courses/${id}/sections`, { title: 'All' });
    const release = { type: 'immediate' };
    const lesson = await post(`/courses/${id}/lessons`, {
      section_id: section.id,
      title: 'First',
      type: 'text',
      release,
    });
    await post(`/courses/${id}/lessons/${lesson.id}/publish`);
    await post(`/courses/${id}/publish`);
    return id;
  }

  async function isOpen(): Promise<boolean> {
    const { body } = await api(`/courses/${course}/curriculum`, { token: student });
    return body.sections[0].lessons[0].locked === false;
  }

  /** Buys; the service knows what is for sale by integration events. */
  const buy = (more: object = {}) =>
    inForce(
      patience,
      () =>
        api('/checkout', {
          token: student,
          headers: { 'idempotency-key': randomUUID() },
          json: { items: [{ item_type: 'course', item_id: course }], ...more },
        }),
      hasStatus(201),
    );

  const pay = (order: string) => takePayment(system, order);
  const refund = (order: string) => operateSales(system, `orders/${order}/refunds`, { reason: 'asked for' });
  const orderOnce = async (order: string, is: (body: { fulfilled_at: string | null; status: string }) => boolean) =>
    (
      await inForce(
        patience,
        () => api(`/orders/${order}`, { token: staff }),
        ({ body }) => is(body),
      )
    ).body;
  const fulfilled = (order: string) => orderOnce(order, ({ fulfilled_at }) => fulfilled_at !== null);

  test('opens the lessons within a second, and a refund closes them', async () => {
    expect(await isOpen()).toBe(false);
    const { body } = await buy();
    const paid = await pay(body.id);
    expect([paid.status, paid.body.status]).toEqual([200, 'paid']);
    expect(await inForce(within, isOpen, (open) => open)).toBe(true);
    expect((await fulfilled(body.id)).fulfilled_at).not.toBeNull();
    await expectInvoices(body.id, ['INV-']);
    expect((await refund(body.id)).status).toBe(200);
    expect(await inForce(within, isOpen, (open) => !open)).toBe(false);
    await expectInvoices(body.id, ['INV-', 'CN-']);
  });

  test('by two orders stays open when one of them is refunded, and is closed with the other', async () => {
    // Who is not signed in is not told what they have.
    const json = { items: [{ item_type: 'course', item_id: course }], email: 'student@lantern.test' };
    const orders: string[] = [];
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await api('/checkout', { headers: { 'idempotency-key': randomUUID() }, json });
      expect([status, (await pay(body.id)).body.status]).toEqual([201, 'paid']);
      expect((await fulfilled(body.id)).fulfilled_at).not.toBeNull();
      orders.push(body.id);
    }
    const [first = '', second = ''] = orders;
    expect((await refund(first)).status).toBe(200);
    const { lines } = await orderOnce(first, ({ status }) => status === 'refunded');
    expect(lines).toMatchObject([{ revoked: true }]);
    // The learning service has long heard of it.
    for (let looks = 0; looks < 20; looks += 1) {
      expect(await isOpen()).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    expect((await refund(second)).status).toBe(200);
    expect(await inForce(within, isOpen, (open) => !open)).toBe(false);
  });

  test('rests while its payment is disputed, where the school wants it so, and is back when that is won', async () => {
    const set = (value: boolean) =>
      call(`${system.baseUrl}/api/school`, {
        method: 'PATCH',
        token: staff,
        json: { settings: { suspend_access_on_dispute: value } },
        headers: { 'content-type': 'application/merge-patch+json' },
      });
    const { body } = await buy();
    await pay(body.id);
    expect(await inForce(within, isOpen, (open) => open)).toBe(true);
    const told = await set(true);
    expect([told.status, told.body.settings?.suspend_access_on_dispute]).toEqual([200, true]);
    let said = 0;
    const say = (what: string) => {
      const json = { event_id: `${what}_${(said += 1)}` };
      return operateSales(system, `payments/test/${body.id}/${what}`, json, randomUUID());
    };
    try {
      // The setting reaches the commerce service after a moment: what is disputed before rests not.
      for (let round = 0; round < 20 && (await isOpen()); round += 1) {
        if (round > 0) await say('win_dispute');
        await say('dispute');
        await inForce(500, isOpen, (open) => !open);
      }
      expect(await isOpen()).toBe(false);
      expect((await orderOnce(body.id, () => true)).status).toBe('disputed');
      await say('win_dispute');
      expect(await inForce(within, isOpen, (open) => open)).toBe(true);
      await say('dispute');
      expect(await inForce(within, isOpen, (open) => !open)).toBe(false);
      await say('lose_dispute');
      const { lines } = await orderOnce(body.id, ({ status }) => status === 'charged_back');
      expect(lines).toMatchObject([{ revoked: true }]);
      expect(await isOpen()).toBe(false);
    } finally {
      await set(false);
    }
  });

  /** There are these documents for an order, as pages to print, and each with a mail that leads to it. */
  async function expectInvoices(order: string, prefixes: readonly string[]): Promise<void> {
    const { body } = await inForce(
      patience,
      () => api(`/checkout/${order}`, { token: student }),
      (read) => read.body.invoices.length === prefixes.length,
    );
    const own = () => api(`/account/invoices?order_id=${order}`, { token: student });
    const { data } = (await inForce(patience, own, (read) => read.body.data.length === prefixes.length)).body;
    expect(data).toHaveLength(prefixes.length);
    for (const [at, prefix] of prefixes.entries()) {
      const { url, label } = body.invoices[at];
      expect(label).toMatch(new RegExp(`^${prefix}\\d{6}$`));
      const page = await fetch(url, { headers: { accept: 'text/html' } });
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const html = await page.text();
      for (const each of [label, 'Sold', '$10.00', 'Lantern Craft School']) expect(html).toContain(each);
      const { pathname } = new URL(url);
      const mails = await inForce(
        patience,
        async () => (await mailsTo(system.dataDir, 'student@lantern.test')).filter((mail) => mail.includes(pathname)),
        (found) => found.length > 0,
      );
      expect(mails).toHaveLength(1);
      expect(mails[0]).toContain('$10.00');
    }
  }
});
