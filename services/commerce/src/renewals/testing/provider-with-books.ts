import { type Clock, isoTime } from '@lyceum/kernel';
import type { Money } from '../../money/money.ts';
import type {
  ChargeOutcome,
  OpenedPayment,
  PaymentNotice,
  PaymentProvider,
  PaymentReference,
  RefundOutcome,
  WantedPayment,
  WantedRefund,
} from '../../payments/payment-provider.ts';

/** What a provider does wrong, each from 0 to 1. */
export interface Troubles {
  /** How often a charge is declined, by the agreement. */
  readonly declines: (agreement: string) => number;
  /** How often no answer comes to what was done, or was not. */
  readonly silent: number;
  /** How often a charge takes its time, and its outcome is told later. */
  readonly slow: number;
  /** How often a notice comes twice. */
  readonly repeated: number;
}

/** Something stops before it is told what came of it; it is done again later. */
export class Interrupted extends Error {}

/** A payment in the provider's own books. Minor units. */
interface Entry {
  readonly order_id: string;
  readonly amount: number;
  refunded: number;
}

interface Told {
  readonly at: number;
  readonly notice: PaymentNotice;
}

/** Takes the payments of a test and keeps books of its own: a payment is captured once, whatever it is asked for. */
export class ProviderWithBooks implements PaymentProvider {
  readonly name = 'stripe';
  readonly timeToPay = 30 * 60_000;
  readonly timeToArrive = 10 * 60_000;
  readonly instructions = null;
  /** What was captured, by payment. */
  readonly books = new Map<string, Entry>();
  readonly asked = { charges: 0, refunds: 0, silences: 0 };
  troubles: Troubles;
  /** Is called before and after what is done, and may throw `Interrupted`. */
  passing: () => void = () => undefined;
  readonly #clock: Clock;
  readonly #chance: () => number;
  readonly #answers = new Map<string, ChargeOutcome>();
  readonly #refunds = new Map<string, RefundOutcome>();
  #told: Told[] = [];

  constructor(clock: Clock, chance: () => number, troubles: Troubles) {
    this.#clock = clock;
    this.#chance = chance;
    this.troubles = troubles;
  }

  /** Why it takes an amount: it takes all. */
  refuses(_money: Money): string | undefined {
    return undefined;
  }

  async open({ payment_id }: Pick<WantedPayment, 'payment_id'>): Promise<OpenedPayment> {
    this.#perhapsSilent();
    return { reference: `session_${payment_id}`, url: `https://pay.example/${payment_id}` };
  }

  async charge(wanted: WantedPayment & { readonly agreement: string }): Promise<ChargeOutcome> {
    this.asked.charges += 1;
    this.#perhapsSilent();
    const { payment_id } = wanted;
    const answer = this.#answers.get(payment_id) ?? this.#charged(wanted);
    this.#answers.set(payment_id, answer);
    this.#perhapsSilent();
    return answer;
  }

  async refund({ payment_id, refund_id, amount, ...about }: WantedRefund): Promise<RefundOutcome> {
    this.asked.refunds += 1;
    this.#perhapsSilent();
    const known = this.#refunds.get(refund_id);
    if (known) return known;
    const entry = this.books.get(payment_id);
    if (!entry || entry.refunded + amount > entry.amount)
      throw new Error(`more is to go back than came: ${payment_id}`);
    entry.refunded += amount;
    const at = isoTime(this.#clock.now());
    const done: RefundOutcome = { state: 'done', event_id: `refunded_${refund_id}`, at };
    const isSlow = this.#chance() < this.troubles.slow;
    this.#refunds.set(refund_id, isSlow ? { state: 'pending' } : done);
    const { school, order_id, reference, currency } = about;
    const notice = { school, order_id, reference, currency, payment_id, refund_id, amount, at };
    if (isSlow) this.#tell({ ...notice, event_id: done.event_id, kind: 'refunded' }, this.#later());
    this.#perhapsSilent();
    return isSlow ? { state: 'pending' } : done;
  }

  async cancel(): Promise<void> {
    this.#perhapsSilent();
  }

  async look(_payment: PaymentReference): Promise<readonly PaymentNotice[]> {
    this.#perhapsSilent();
    return [];
  }

  async lookFor({ payment_id }: Pick<PaymentReference, 'payment_id'>): Promise<readonly PaymentNotice[]> {
    this.#perhapsSilent();
    const answer = this.#answers.get(payment_id);
    return answer?.state === 'captured' ? [answer.notice] : [];
  }

  /** A person pays on the provider's page, and agrees to later charges. */
  pay(wanted: Omit<PaymentNotice, 'event_id' | 'kind' | 'at'> & { readonly agreement: string }): void {
    const { payment_id, order_id, amount } = wanted;
    if (this.books.has(payment_id)) return;
    this.books.set(payment_id, { order_id, amount, refunded: 0 });
    const at = isoTime(this.#clock.now());
    this.#tell({ ...wanted, event_id: `${payment_id}:captured`, kind: 'captured', at }, this.#clock.now());
  }

  /** What is told by now. */
  hear(now: number): readonly PaymentNotice[] {
    const ready = this.#told.filter(({ at }) => at <= now).toSorted((one, other) => one.at - other.at);
    this.#told = this.#told.filter(({ at }) => at > now);
    return ready.map(({ notice }) => notice);
  }

  #charged(wanted: WantedPayment & { readonly agreement: string }): ChargeOutcome {
    const { school, order_id, payment_id, amount, currency, agreement } = wanted;
    const isDeclined = this.#chance() < this.troubles.declines(agreement);
    if (!isDeclined) this.books.set(payment_id, { order_id, amount, refunded: 0 });
    const at = isoTime(this.#clock.now());
    const reference = `charge_${payment_id}`;
    const about = { school, order_id, payment_id, reference, amount, currency, at };
    const notice: PaymentNotice = isDeclined
      ? { ...about, event_id: `${payment_id}:failed`, kind: 'failed' }
      : { ...about, event_id: `${payment_id}:captured`, kind: 'captured', agreement };
    if (this.#chance() < this.troubles.slow) {
      this.#tell(notice, this.#later());
      return { state: 'pending', reference };
    }
    if (this.#chance() < this.troubles.repeated) this.#tell(notice, this.#later());
    return isDeclined ? { state: 'failed', reason: 'declined' } : { state: 'captured', notice };
  }

  #tell(notice: PaymentNotice, at: number): void {
    this.#told.push({ notice, at });
    if (this.#chance() < this.troubles.repeated) this.#told.push({ notice, at: at + 3_600_000 });
  }

  #later = (): number => this.#clock.now() + this.#chance() * 86_400_000;

  #perhapsSilent(): void {
    this.passing();
    if (this.#chance() >= this.troubles.silent) return;
    this.asked.silences += 1;
    throw new Interrupted('the provider gives no answer');
  }
}
