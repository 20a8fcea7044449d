/** A piece of work that a pool does. */
export interface Work {
  readonly tenant: string;
  /** Work of one tenant and key is done one after the other, in the order in which it came. */
  readonly key: string;
  /**
   * Does it once. Resolves to milliseconds when it is to be done again after so long, during which only its own key
   * waits; to undefined when it is over. Never rejects.
   */
  run(): Promise<number | undefined>;
}

/** How much a pool does at a time. */
export interface PoolLimits {
  readonly inAll: number;
  readonly perTenant: number;
  /** Adding work waits while there is more than this. */
  readonly waiting: number;
}

const usualLimits: PoolLimits = { inAll: 32, perTenant: 4, waiting: 100_000 };

/** The work of one key: the first is being done, waits for its next try, or for its turn. */
interface Chain {
  readonly id: string;
  readonly tenant: string;
  readonly work: Work[];
  /** Set while the first waits for its next try. */
  pause?: NodeJS.Timeout;
}

interface Tenant {
  readonly ready: Set<Chain>;
  running: number;
}

const idOf = (tenant: string, key: string): string => JSON.stringify([tenant, key]);

/**
 * Does work side by side, so much at a time of one tenant and so much in all. Tenants take turns: one that has ten
 * thousand things to do, or waits for a receiver that never answers, delays nothing of another.
 */
export class WorkPool {
  readonly #limits: PoolLimits;
  readonly #chains = new Map<string, Chain>();
  readonly #tenants = new Map<string, Tenant>();
  /** Tenants that have something to do and may; the first has its turn next. */
  readonly #turns = new Set<string>();
  readonly #inHand = new Set<Promise<void>>();
  #size = 0;
  #closed = false;
  #waiters: (() => void)[] = [];

  constructor(limits: Partial<PoolLimits> = {}) {
    this.#limits = { ...usualLimits, ...limits };
  }

  /** How much there is to do, with what is being done. */
  get size(): number {
    return this.#size;
  }

  /** Puts work behind what its key has already. A closed pool forgets it. */
  add(work: Work): void {
    if (this.#closed) return;
    const { tenant } = work;
    const id = idOf(tenant, work.key);
    const chain = this.#chains.get(id);
    this.#size += 1;
    if (chain) return void chain.work.push(work);
    const begun: Chain = { id, tenant, work: [work] };
    this.#chains.set(id, begun);
    this.#ready(begun);
    this.#go();
  }

  /** What a key has to do, in order. */
  of(tenant: string, key: string): readonly Work[] {
    return this.#chains.get(idOf(tenant, key))?.work ?? [];
  }

  /** Has the next try of a key at once. */
  hurry(tenant: string, key: string): void {
    const chain = this.#chains.get(idOf(tenant, key));
    if (chain?.pause) this.#resume(chain);
  }

  /** Resolves when there is room for more, or the pool is closed. */
  async room(): Promise<void> {
    while (this.#size >= this.#limits.waiting && !this.#closed)
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  /** Begins nothing more; resolves when what is being done has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { pause } of this.#chains.values()) clearTimeout(pause);
    this.#wake();
    await Promise.all(this.#inHand);
  }

  #ready(chain: Chain): void {
    const { tenant } = chain;
    const known = this.#tenants.get(tenant) ?? { ready: new Set<Chain>(), running: 0 };
    this.#tenants.set(tenant, known);
    known.ready.add(chain);
    this.#queue(tenant, known);
  }

  /** Gives a tenant a turn, behind the others, if it has any use for one. */
  #queue(tenant: string, { ready, running }: Tenant): void {
    if (ready.size > 0 && running < this.#limits.perTenant) this.#turns.add(tenant);
  }

  #go(): void {
    for (const name of this.#turns) {
      if (this.#closed || this.#inHand.size >= this.#limits.inAll) return;
      this.#turns.delete(name);
      const tenant = this.#tenants.get(name)!;
      const [chain] = tenant.ready as Iterable<Chain> as [Chain];
      tenant.ready.delete(chain);
      tenant.running += 1;
      this.#queue(name, tenant);
      const inHand: Promise<void> = this.#run(chain).then((pause) => {
        this.#inHand.delete(inHand);
        this.#ended(chain, tenant, pause);
      });
      this.#inHand.add(inHand);
    }
  }

  #run({ work }: Chain): Promise<number | undefined> {
    return work[0]!.run();
  }

  #ended(chain: Chain, tenant: Tenant, pause: number | undefined): void {
    tenant.running -= 1;
    if (pause === undefined) this.#over(chain);
    else if (!this.#closed) chain.pause = setTimeout(() => this.#resume(chain), pause);
    this.#queue(chain.tenant, tenant);
    if (tenant.running === 0 && tenant.ready.size === 0) this.#tenants.delete(chain.tenant);
    this.#go();
  }

  #over(chain: Chain): void {
    chain.work.shift();
    this.#size -= 1;
    if (this.#size < this.#limits.waiting) this.#wake();
    if (chain.work.length > 0) this.#ready(chain);
    else this.#chains.delete(chain.id);
  }

  #resume(chain: Chain): void {
    clearTimeout(chain.pause);
    delete chain.pause;
    this.#ready(chain);
    this.#go();
  }

  #wake(): void {
    for (const resolve of this.#waiters.splice(0)) resolve();
  }
}
