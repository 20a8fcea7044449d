import type { Bought } from './buyers.ts';
import type { SellingSystem } from './selling-system.ts';

interface Money {
  readonly amount: number;
}

interface SoldOrder {
  readonly id: string;
  readonly number: number;
  readonly status: string;
  readonly total: Money;
  readonly fulfilled_at: string | null;
  readonly refused: readonly object[];
  readonly buyer: { readonly member_id: string | null };
  readonly lines: readonly { readonly id: string; readonly revoked: boolean }[];
  readonly payments: readonly { readonly id: string; readonly state: string }[];
  readonly refunds: readonly { readonly id: string; readonly state: string; readonly amount: Money }[];
}

/** What the provider has of an order: what was paid, by how many payments, and what went back. */
interface Booked {
  readonly paid: number;
  readonly intents: number;
  readonly back: number;
}

function bookedOf(system: SellingSystem): ReadonlyMap<string, Booked> {
  const { intents, refunds } = system.stripe.books();
  const booked = new Map<string, Booked>();
  for (const intent of intents.values()) {
    if (intent.status !== 'succeeded') continue;
    const order = intent.metadata['order_id'] ?? '';
    const before = booked.get(order) ?? { paid: 0, intents: 0, back: 0 };
    const back = [...refunds.values()]
      .filter((each) => each.payment_intent === intent.id && each.status === 'succeeded')
      .reduce((sum, { amount }) => sum + amount, 0);
    booked.set(order, {
      paid: before.paid + (intent.amount_received ?? 0),
      intents: before.intents + 1,
      back: before.back + back,
    });
  }
  return booked;
}

const sumOf = (order: SoldOrder, states: readonly string[]) =>
  order.refunds.filter(({ state }) => states.includes(state)).reduce((sum, { amount }) => sum + amount.amount, 0);

/** What is wrong with what an order says of money. */
function moneyFaults(order: SoldOrder, { paid, intents, back }: Booked): readonly string[] {
  const faults: string[] = [];
  const captured = order.payments.some(({ state }) => state === 'captured');
  const returned = order.payments.some(({ state }) => state === 'returned');
  if (intents > 1) faults.push(`${intents} payments were made`);
  if (paid !== (captured || returned ? order.total.amount : 0)) faults.push(`${paid} were paid at the provider`);
  if (back !== sumOf(order, ['done', 'returned'])) faults.push(`${back} went back at the provider`);
  const isKept = order.status === 'paid';
  if (order.total.amount > 0 && isKept !== paid - back > 0) faults.push(`${paid - back} is kept`);
  if (order.refunds.some(({ state }) => state !== 'done' && state !== 'returned')) faults.push('a refund is open');
  if (order.refused.length > 0) faults.push('a notice was refused');
  if (order.status === 'pending') faults.push('it is open');
  return faults;
}

type Grants = ReadonlyMap<string, readonly string[]>;

/** What is wrong with the access that a member has by an order. `grants`: states by the line. */
function accessFaults(order: SoldOrder, grants: Grants): readonly string[] {
  const isHad = order.status === 'paid';
  const faults = isHad && order.fulfilled_at === null ? ['it is paid and not fulfilled'] : [];
  for (const { id, revoked } of order.lines) {
    const live = (grants.get(id) ?? []).filter((state) => state === 'live').length;
    if (live !== (isHad && !revoked ? 1 : 0)) faults.push(`${live} live grants for ${id}`);
    if ((grants.get(id)?.length ?? 0) > 1) faults.push(`several grants for ${id}`);
  }
  return faults;
}

const scope = 'orders:read students:read';

type Listed = Pick<SoldOrder, 'id' | 'number'>;

/** All orders of the school. `token`: of the owner; one of its own when not given. */
export async function ordersOf(system: SellingSystem, given?: string): Promise<readonly Listed[]> {
  const token = given ?? (await system.owner(scope));
  const found: Listed[] = [];
  for (let next: string | null = ''; next !== null;) {
    const more: string = next === '' ? '' : `&cursor=${encodeURIComponent(next)}`;
    const path = `/api/orders?limit=100${more}`;
    const { body } = await system.insist('the orders', () => system.api(path, { token }));
    found.push(...body.data);
    next = body.next_cursor ?? null;
  }
  return found;
}

/** How often a coupon was used, and for how many orders it is held. */
export async function usesOf(system: SellingSystem, coupon: string): Promise<{ redeemed: number; held: number }> {
  const token = await system.owner('coupons:read');
  const path = `/api/coupons/${coupon}`;
  const { redeemed, held } = (await system.insist(path, () => system.api(path, { token }))).body;
  return { redeemed, held };
}

async function grantsOf(system: SellingSystem, token: string, member: string): Promise<Grants> {
  const path = `/api/students/${member}`;
  const { body } = await system.insist(
    path,
    () => system.api(path, { token }),
    ({ status }) => status === 200 || status === 404,
  );
  const grants = new Map<string, string[]>();
  for (const enrollment of body.enrollments ?? [])
    for (const { source_id, state } of enrollment.grants)
      grants.set(source_id, [...(grants.get(source_id) ?? []), state]);
  return grants;
}

/**
 * What does not agree: the books of the provider, the orders with their payments and numbers, and the access that the
 * learning service gives. Empty = everything does.
 */
export async function disagreements(
  system: SellingSystem,
  bought: readonly Bought[],
  before: ReadonlySet<string>,
): Promise<readonly string[]> {
  const token = await system.owner(scope);
  const listed = await ordersOf(system, token);
  const faults: string[] = [];
  const numbers = listed.map(({ number }) => number).toSorted((one, other) => one - other);
  const gap = numbers.findIndex((number, index) => number !== index + 1);
  if (gap >= 0) faults.push(`the numbers have a gap or a double at ${gap + 1}: ${numbers.join(' ')}`);
  const ids = new Set(bought.map(({ id }) => id));
  if (ids.size !== bought.length) faults.push('two purchases are one order');
  for (const { id } of listed)
    if (!before.has(id) && !ids.has(id)) faults.push(`${id} was placed, and nobody was told of it`);
  for (const id of ids) if (!listed.some((order) => order.id === id)) faults.push(`${id} is gone`);
  const booked = bookedOf(system);
  for (const order of booked.keys()) if (!ids.has(order)) faults.push(`money for ${order}, which nobody was told of`);
  for (const { id, kind } of bought) {
    const path = `/api/orders/${id}`;
    const order: SoldOrder = (await system.insist(path, () => system.api(path, { token }))).body;
    const { member_id } = order.buyer;
    const grants: Grants = member_id === null ? new Map() : await grantsOf(system, token, member_id);
    const own = [
      ...moneyFaults(order, booked.get(id) ?? { paid: 0, intents: 0, back: 0 }),
      ...accessFaults(order, grants),
    ];
    faults.push(...own.map((fault) => `${kind} ${id} (${order.status}): ${fault}`));
  }
  for (const row of await system.stuck()) faults.push(`stuck: ${JSON.stringify(row)}`);
  return faults;
}
