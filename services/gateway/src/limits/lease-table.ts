import type { Taken } from '@lyceum/ephemeral';
import { ExpiringMap } from './expiring-map.ts';
import { type Lease, type Quota, newLease, receive, unitsToAsk, useLease, useOwn } from './lease.ts';
import type { Quotas } from './quota-table.ts';
import { type SharedQuotaOptions, SharedQuotas } from './shared-quotas.ts';

/** A lease in use. */
interface Account {
  readonly lease: Lease;
  readonly quota: Quota;
  /** Requests that wait for units. */
  waiting: number;
  /** The call for more, while it runs. */
  asking: Promise<void> | undefined;
}

/**
 * Quotas that several processes share by leases: each process takes units in batches and uses them at once, one by one;
 * when half of a batch is used it asks for more behind the requests. Only a request that finds nothing waits for the
 * store. All processes together use at most the quota and one batch for each of them; a key that comes to one process
 * only has its whole quota there. While the store is away each process counts by itself, and no request waits. A key that
 * nothing came for in a whole window is forgotten with what was held.
 */
export class LeaseTable implements Quotas {
  readonly #options: SharedQuotaOptions;
  readonly #window: number;
  readonly #shared: SharedQuotas;
  readonly #accounts: ExpiringMap<Account>;

  /** `window` in milliseconds; counts at most twice `most` keys. Keys begin with the tenant. */
  constructor(options: SharedQuotaOptions, window: number, most = 100_000) {
    this.#options = options;
    this.#window = window;
    this.#shared = new SharedQuotas(options);
    this.#accounts = new ExpiringMap(window, most, options.clock.now());
  }

  take(key: string, quota: number): Taken | undefined | Promise<Taken | undefined> {
    const now = this.#options.clock.now();
    const account = this.#accounts.get(key, now) ?? this.#newAccount(now, quota);
    if (!this.#accounts.put(key, account)) return undefined;
    if (this.#shared.isAway) {
      if (this.#shared.isAttemptDue(now)) void this.#ask(key, account);
      return useOwn(account.lease, now, account.quota);
    }
    const used = useLease(account.lease, now, account.quota);
    if (!used) return this.#wait(key, account);
    if (used.taken && !account.asking && unitsToAsk(account.lease, now, account.quota, 0) > 0)
      void this.#ask(key, account);
    return used;
  }

  #newAccount(now: number, units: number): Account {
    return { lease: newLease(now), quota: { units, window: this.#window }, waiting: 0, asking: undefined };
  }

  /** Tries again after the call for more, which the others who wait share. */
  async #wait(key: string, account: Account): Promise<Taken | undefined> {
    account.waiting += 1;
    await this.#ask(key, account);
    account.waiting -= 1;
    return this.take(key, account.quota.units);
  }

  #ask(key: string, account: Account): Promise<void> {
    account.asking ??= this.#request(key, account).finally(() => {
      account.asking = undefined;
    });
    return account.asking;
  }

  async #request(key: string, { lease, quota, waiting }: Account): Promise<void> {
    const { clock } = this.#options;
    const units = Math.max(1, unitsToAsk(lease, clock.now(), quota, waiting));
    const taken = await this.#shared.take(key, units, quota.units, quota.window);
    if (taken) receive(lease, clock.now(), quota, taken);
  }
}
