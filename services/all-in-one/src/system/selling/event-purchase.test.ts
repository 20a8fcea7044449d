import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, Client, type Place, call, describeTopologiesIfLong, patience } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { inForce } from '../../testing/in-force.ts';
import { takePayment } from '../../testing/selling/sales-operator.ts';

/** A place at an event is bought, had, and paid back when the event is called off, through the real gateway. */
await describeTopologiesIfLong('a place at an event', ({ open }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let staff: string;
  let student: string;
  const api = (path: string, options: Parameters<typeof call>[1] = {}) => call(`${system.baseUrl}/api${path}`, options);

  beforeAll(async () => {
    ({ system, close } = await open());
    const client = await Client.register(system.baseUrl);
    const tokenOf = async (local: string, scope: string) =>
      (await client.tokens(`${local}@lantern.test`, system.password, scope)).access_token;
    staff = await tokenOf('owner', 'events:read events:write orders:read');
    student = await tokenOf('student', 'account:read account:write events:read');
  }, 400_000);
  afterAll(() => close?.());

  const post = async (path: string, json: object = {}): Promise<Answer['body']> => {
    const made = await api(path, { token: staff, json });
    expect([path, made.status < 300, made.body.error]).toEqual([path, true, undefined]);
    return made.body;
  };

  test('that costs something is bought, opens where to take part, is an offer, and is paid back when it is called off', async () => {
    const day = Date.now() + 86_400_000;
    const times = { starts_at: new Date(day).toISOString(), ends_at: new Date(day + 3_600_000).toISOString() };
    const { id, slug } = await post('/events', {
      title: `Sold evening ${randomUUID().slice(0, 8)}`,
      capacity: 3,
      price: { amount: 1_500 },
      join_url: 'https://meet.example.org/sold',
      ...times,
    });
    await post(`/events/${id}/publish`);
    const buy = () =>
      api('/checkout', {
        token: student,
        json: { items: [{ item_type: 'event', item_id: id }] },
        headers: { 'idempotency-key': `"${randomUUID()}"` },
      });
    const placed = await inForce(patience, buy, ({ status }) => status === 201);
    expect([placed.status, placed.body.order?.total]).toEqual([201, { amount: 1_500, currency: 'USD' }]);
    const paid = await takePayment(system, placed.body.id);
    expect(paid.status).toBe(200);
    const own = () => api(`/events/${id}`, { token: student });
    const had = await inForce(patience, own, ({ body }) => body.own_registration?.status === 'confirmed');
    expect(had.body).toMatchObject({
      own_registration: { status: 'confirmed' },
      join_url: 'https://meet.example.org/sold',
    });
    const order = () => api(`/orders/${placed.body.id}`, { token: staff });
    const fulfilled = await inForce(patience, order, ({ body }) => body.fulfilled_at !== null);
    expect(fulfilled.body.fulfilled_at).not.toBeNull();
    const seats = await inForce(
      patience,
      () => api(`/events/${id}`, { token: staff }),
      ({ body }) => body.seats_taken === 1,
    );
    expect(seats.body.seats_taken).toBe(1);
    const sold = `/checkout?item=event:${slug}`;
    const pricesOf = () => fetch(`${system.baseUrl}/pricing.md`).then((answer) => answer.text());
    expect(await inForce(patience, pricesOf, (text) => text.includes(sold))).toContain(sold);
    const page = await fetch(`${system.baseUrl}/events/${slug}`, { headers: { accept: 'text/html' } });
    expect([page.status, (await page.text()).includes(`/checkout?item=event:${slug}`)]).toEqual([200, true]);
    await post(`/events/${id}/cancel`, { note: 'Ill' });
    const refunded = await inForce(patience, order, ({ body }) => body.status === 'refunded');
    expect(refunded.body.refunds).toMatchObject([{ amount: { amount: 1_500, currency: 'USD' } }]);
    const gone = await inForce(patience, own, ({ body }) => body.own_registration?.status === 'canceled');
    expect(gone.body.own_registration.status).toBe('canceled');
    expect('join_url' in gone.body).toBe(false);
  });
});
