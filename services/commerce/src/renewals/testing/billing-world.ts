import { incomingFromCommit } from '@lyceum/documents';
import type { Incoming } from '@lyceum/documents';
import { type EventLog, execute, fold, forwarding, memoryEventLog, withStates } from '@lyceum/eventlog';
import { type RecordedEvent, isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { ProcessManager } from '@lyceum/service';
import { FakeClock, FakeIds } from '@lyceum/testkit';
import { createSecretKey } from 'node:crypto';
import { readCart } from '../../checkout/cart/cart.ts';
import { placeOrder } from '../../checkout/cart/placing.ts';
import { couponDecider } from '../../coupons/coupon.ts';
import { fulfilmentProcess } from '../../fulfilment/fulfilment.ts';
import type { OrderState } from '../../orders/order.state.ts';
import { orderDecider } from '../../orders/deciding/order.ts';
import { takeNotice } from '../../ordering/ordering.ts';
import { SchoolTurns } from '../../ordering/school-turns.ts';
import type { StoredTerms } from '../../plans/plan.events.ts';
import { noGrants } from '../../plans/plan.state.ts';
import { planDecider } from '../../plans/plan.ts';
import type { PaymentProvider, ProviderName } from '../../payments/payment-provider.ts';
import { OrderSecrets } from '../../ordering/order-secrets.ts';
import type { Tax } from '../../money/tax.ts';
import type { SubscriptionState } from '../../subscriptions/subscription.state.ts';
import { subscriptionDecider } from '../../subscriptions/subscription.ts';
import { renewalProcess } from '../renewals.ts';
import { Interrupted, ProviderWithBooks, type Troubles } from './provider-with-books.ts';

/** The one school of the world. */
export const school = 'school_1';

const meta = { actor: 'system' } as const;

interface Timer {
  readonly manager: AnyManager;
  readonly correlation: string;
  readonly timer: string;
  readonly due: string;
}

interface Pending {
  readonly manager: AnyManager;
  readonly correlation: string;
  readonly command: unknown;
  readonly commitId: string;
}

type AnyManager = ProcessManager<null, never, unknown, never>;

/** A school that sells plans: real orders, subscriptions and processes on a log in memory, by a clock that the test moves. */
export class BillingWorld {
  readonly clock: FakeClock;
  readonly log: EventLog;
  readonly provider: ProviderWithBooks;
  readonly ports;
  /** What failed for good, with the reason. */
  readonly stuck: string[] = [];
  wasKilled = false;
  readonly #chance: () => number;
  readonly #timers = new Map<string, Timer>();
  #waiting: Pending[] = [];
  #position = 0;
  #pass: () => void = () => undefined;
  #steps = 0;

  constructor(
    begin: number,
    chance: () => number,
    { tax, timezone, troubles }: { tax: Tax; timezone: string; troubles: Troubles },
  ) {
    this.clock = new FakeClock(begin);
    this.#chance = chance;
    const inner = withStates(memoryEventLog({ lanes: 1 }), { bytes: 256 * 1024 * 1024 });
    this.log = forwarding(inner, {
      append: async (append) => {
        this.#pass();
        const done = await inner.append(append);
        this.#pass();
        return done;
      },
    });
    this.provider = new ProviderWithBooks(this.clock, chance, troubles);
    const known = { name: 'Lanterns', currency: 'USD', locale: 'en', timezone, tax };
    this.ports = {
      log: this.log,
      clock: this.clock,
      ids: new FakeIds(),
      turns: new SchoolTurns(),
      secrets: new OrderSecrets([Buffer.alloc(32, 7)]),
      vault: { derive: async () => createSecretKey(Buffer.alloc(32, 1)) },
      documents: { get: async () => known },
      providers: new Map<ProviderName, PaymentProvider>([['stripe', this.provider]]),
    };
  }

  get now(): string {
    return isoTime(this.clock.now());
  }

  #commit(...parts: readonly (string | number)[]): string {
    this.#steps += 1;
    return uuidv5('world', this.#steps, ...parts);
  }

  /** A plan that is sold. */
  async plan(id: string, terms: StoredTerms, trial_days = 0): Promise<string> {
    const texts = { name: id, summary: null, description: null, benefits: [], position: 0 };
    const fields = { ...texts, trial_days, visible: true, max_subscribers: null };
    const grants = { ...noGrants, posts: true };
    const create = {
      type: 'CreatePlan',
      slug: id,
      fields,
      terms,
      grants,
      currency: 'USD',
      by: 'account_owner',
    } as const;
    for (const command of [create, { type: 'PublishPlan', currency: 'USD' } as const]) {
      const about = { tenant: school, stream: id, command, at: this.now, meta, commitId: this.#commit(id) };
      const done = await execute(this.log, planDecider, about);
      if (isRejection(done)) throw new Error(done.reason);
    }
    return id;
  }

  async coupon(
    code: string,
    more: {
      kind: 'percent' | 'amount';
      value: number;
      duration: 'repeating' | 'forever';
      duration_cycles: number | null;
    },
  ) {
    const limits = {
      max_redemptions: null,
      per_member_limit: null,
      min_subtotal: null,
      starts_at: null,
      ends_at: null,
    };
    const fields = { name: code, applies_to: 'all', ...limits, ...more } as const;
    const command = { type: 'CreateCoupon', code, currency: 'USD', fields, by: 'account_owner' } as const;
    const about = {
      tenant: school,
      stream: `coupon_${code}`,
      command,
      at: this.now,
      meta,
      commitId: this.#commit(code),
    };
    const done = await execute(this.log, couponDecider, about);
    if (isRejection(done)) throw new Error(done.reason);
  }

  /** A member buys a plan; gives the order. */
  async buy(member: string, plan: string, coupon_code?: string): Promise<string> {
    const items = [{ item_type: 'membership_plan', item_id: plan }] as const;
    const buying = { school, member, at: this.now };
    const cart = await readCart(this.ports as never, buying, { items, ...(coupon_code ? { coupon_code } : {}) });
    const provider = cart.totals.total > 0 || cart.plan?.saves_agreement ? 'stripe' : null;
    const commit = { commitId: this.#commit(member), fingerprint: '' };
    const call = { ...buying, meta, commit };
    const placing = { cart, member, email: undefined, name: undefined, provider };
    const placed = await placeOrder(this.ports as never, call as never, placing as never);
    return placed.stream;
  }

  /** The person pays what an order waits for. */
  async pay(order_id: string, agreement: string): Promise<void> {
    const order = await this.order(order_id);
    const payment = order?.payments.at(-1);
    if (!order || !payment || order.status !== 'pending') return;
    const { payment_id, amount } = payment;
    const reference = payment.reference ?? `session_${payment_id}`;
    this.provider.pay({ school, order_id, payment_id, reference, amount, currency: order.currency, agreement });
  }

  async order(id: string): Promise<OrderState> {
    return (await fold(this.log, orderDecider, school, id)).state;
  }

  async subscription(id: string): Promise<SubscriptionState> {
    return (await fold(this.log, subscriptionDecider, school, id)).state;
  }

  /** All events so far. */
  async events(): Promise<readonly RecordedEvent[]> {
    const commits = await this.log.readLane(0, 0, 1_000_000);
    return commits.flatMap(({ events }) => events);
  }

  /** Does all that is due by now, hears the provider, and lets the processes follow until nothing is left. */
  async turn(): Promise<void> {
    for (const notice of this.provider.hear(this.clock.now())) await takeNotice(this.ports, 'stripe', notice);
    await this.settle();
    const { now } = this;
    for (const [key, { manager, correlation, timer, due }] of this.#timers) {
      if (due > now) continue;
      this.#timers.delete(key);
      this.#react(manager, correlation, manager.react({ kind: 'timer', timer }, null, now), this.#commit(key));
    }
    await this.settle();
  }

  /** Lets the processes follow what was written, until nothing follows any more. What fails is tried again next time. */
  async settle(): Promise<void> {
    const again = this.#waiting;
    this.#waiting = [];
    for (const pending of again) await this.#carryOut(pending);
    for (;;) {
      const commits = await this.log.readLane(0, this.#position, 1_000);
      if (commits.length === 0) return;
      const queued: Pending[] = [];
      for (const commit of commits) {
        this.#position = commit.position;
        for (const event of incomingFromCommit(commit).events) queued.push(...this.#heard(event));
      }
      for (const pending of queued) await this.#carryOut(pending);
    }
  }

  /** Stops what processes do at the so-manieth time that they write or speak to the provider, before or after it. */
  killAt(times: number): void {
    let left = times;
    const pass = () => {
      left -= 1;
      if (left !== 0) return;
      this.wasKilled = true;
      throw new Interrupted('killed');
    };
    this.provider.passing = pass;
    this.#pass = pass;
  }

  /** Whether something waits for the provider to answer. */
  get isBusy(): boolean {
    return this.#waiting.length > 0;
  }

  #heard(event: Incoming): readonly Pending[] {
    const before = this.#waiting;
    this.#waiting = [];
    for (const manager of [renewalProcess, fulfilmentProcess] as readonly unknown[] as readonly AnyManager[]) {
      const correlation = manager.correlate(event);
      if (correlation === undefined) continue;
      const id = uuidv5(manager.name, event.stream, event.version);
      this.#react(manager, correlation, manager.react({ kind: 'event', event }, null, event.at), id);
    }
    const queued = this.#waiting;
    this.#waiting = before;
    return queued;
  }

  #react(manager: AnyManager, correlation: string, reaction: ReturnType<AnyManager['react']>, id: string): void {
    const keyOf = (timer: string) => `${manager.name} ${correlation} ${timer}`;
    for (const timer of reaction.cancel ?? []) this.#timers.delete(keyOf(timer));
    for (const [timer, due] of Object.entries(reaction.set ?? {}))
      this.#timers.set(keyOf(timer), { manager, correlation, timer, due });
    for (const [index, command] of (reaction.commands ?? []).entries())
      this.#waiting.push({ manager, correlation, command, commitId: uuidv5(id, index) });
  }

  async #carryOut(pending: Pending): Promise<void> {
    const { manager, correlation, command, commitId } = pending;
    const order = { tenant: school, correlation, commitId, at: this.now, meta };
    try {
      await manager.carryOut(command, order, this.ports as never);
      // A process that is killed after it did something does it again.
      if (this.#chance() < 0.05) await manager.carryOut(command, order, this.ports as never);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (error instanceof Interrupted) this.#waiting.push(pending);
      else this.stuck.push(`${manager.name} ${correlation} ${JSON.stringify(command)}: ${error.message}`);
    }
  }
}
