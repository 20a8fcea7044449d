import { describe, expect, jest, test } from '@jest/globals';
import { Client, type System, call, demoHistory } from '@lyceum/testkit';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownSystems } from '../../testing/operating/own-systems.ts';

// Every test boots real processes; a busy machine needs patience.
jest.setTimeout(240_000);

const kills = Number(process.env['DEMO_KILLS'] ?? 3);
const env = { DEMO_HISTORY: 'true' };

interface Order {
  readonly id: string;
  readonly number: number;
  readonly status: string;
  readonly placed_at: string;
}

interface Subscription {
  readonly status: string;
}

describe('the history of the demo', () => {
  const { systems, start, folder } = ownSystems();

  async function tokenOf({ baseUrl, password }: System, who: string, scope: string): Promise<string> {
    return (await (await Client.register(baseUrl)).tokens(who, password, scope)).access_token;
  }

  /** All rows of a list, the oldest first. */
  async function all<Row>({ baseUrl }: System, path: string, token: string): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (let cursor = ''; ;) {
      const { body } = await call(`${baseUrl}/api${path}?limit=100&sort=created_at${cursor}`, { token });
      rows.push(...body.data);
      if (!body.has_more) return rows;
      cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
    }
  }

  /** What there is to read, and who comes to it. */
  async function contentOf(at: System, token: string): Promise<Readonly<Record<string, readonly unknown[]>>> {
    const registered = (event: string, status: string) => `/events/${event}/registrations?status=${status}`;
    const paths = ['/posts', '/pages', '/events', '/events?status=canceled', '/forms', '/forms?status=retired'];
    const registrations = [
      registered('open-evening', 'confirmed'),
      registered('open-evening', 'waitlisted'),
      registered('lantern-walk', 'attended'),
    ];
    const lists = [...paths, ...registrations].map(async (path) => {
      const { body } = await call(`${at.baseUrl}/api${path}${path.includes('?') ? '&' : '?'}limit=100`, { token });
      return [path, body.data as readonly unknown[]] as const;
    });
    return Object.fromEntries(await Promise.all(lists));
  }

  test('comes while people are served: who buys meanwhile has the order, whose number nobody else has', async () => {
    const at = await start({ env });
    expect((await call(`${at.baseUrl}/api/courses`)).body.data.length).toBeGreaterThan(2);
    expect((await call(`${at.baseUrl}/api/membership_plans`)).body.data).toHaveLength(3);
    const student = await tokenOf(at, 'student@lantern.test', 'account:read account:write');
    const product = (await call(`${at.baseUrl}/api/digital_products/templates`)).body.id as string;
    const bought = await call(`${at.baseUrl}/api/checkout`, {
      token: student,
      headers: { 'idempotency-key': 'meanwhile' },
      json: { items: [{ item_type: 'digital_product', item_id: product }] },
    });
    expect(bought.status).toBe(201);
    await demoHistory(at);
    const owner = await tokenOf(at, 'owner@lantern.test', 'orders:read');
    const orders = await all<Order>(at, '/orders', owner);
    const numbers = orders.map(({ number }) => number).toSorted((one, other) => one - other);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(orders.find(({ id }) => id === bought.body.id)).toMatchObject({ status: 'pending' });
  });

  test(`goes on where it was, killed ${kills} times in the middle, and nothing of it is there twice`, async () => {
    const dataDir = await folder();
    let at = await start({ dataDir, env });
    const { port } = at;
    const again = async () => {
      systems.pop();
      return start({ dataDir, port, env });
    };
    for (let kill = 1; kill <= kills; kill += 1) {
      // Anywhere: the history of a fast machine may be complete by then.
      await sleep((kill * 350) % 1_500);
      await at.kill();
      at = await again();
    }
    await demoHistory(at);
    const scopes = 'events:read forms:read orders:read pages:read posts:read students:read subscriptions:read';
    const owner = await tokenOf(at, 'owner@lantern.test', scopes);
    const orders = await all<Order>(at, '/orders', owner);
    const content = await contentOf(at, owner);
    const subscriptions = await all<Subscription>(at, '/subscriptions', owner);
    const statuses = subscriptions.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([
      'active',
      'active',
      'canceled',
      'expired',
      'incomplete',
      'lapsed',
      'past_due',
      'paused',
      'trialing',
    ]);
    const numbers = orders.map(({ number }) => number).toSorted((one, other) => one - other);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(new Set(orders.map(({ placed_at }) => placed_at)).size).toBe(orders.length);
    expect(Object.fromEntries(Object.entries(content).map(([path, rows]) => [path, rows.length]))).toEqual({
      '/posts': 8,
      '/pages': 6,
      '/events': 3,
      '/events?status=canceled': 1,
      '/events/open-evening/registrations?status=confirmed': 6,
      '/events/open-evening/registrations?status=waitlisted': 3,
      '/events/lantern-walk/registrations?status=attended': 6,
      '/forms': 1,
      '/forms?status=retired': 1,
    });

    await at.stop();
    at = await again();
    expect(at.output()).not.toContain('goes on in the background');
    const token = await tokenOf(at, 'owner@lantern.test', scopes);
    expect(await all<Order>(at, '/orders', token)).toEqual(orders);
    expect(await contentOf(at, token)).toEqual(content);
    expect(await all<Subscription>(at, '/subscriptions', token)).toEqual(subscriptions);
  });

  test('is left out when the settings say so', async () => {
    const at = await start();
    await sleep(500);
    const owner = await tokenOf(at, 'owner@lantern.test', 'orders:read');
    expect(await all<Order>(at, '/orders', owner)).toEqual([]);
    expect(at.output()).not.toContain('goes on in the background');
  });
});
