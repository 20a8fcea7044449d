import { type Mail, type Message } from '@lyceum/mail';
import type { Scheduler } from '../running/scheduler.ts';
import type { Wire } from './wire.ts';

/** A mail that arrived: its key, when first, and how often. */
export interface Receipt {
  readonly key: string;
  readonly to: string;
  readonly at: number;
  times: number;
}

/** Receives all mail. The part of an address after the @ is a school: each has a receiver of its own. */
export class MailServer {
  readonly receipts = new Map<string, Receipt>();
  readonly wire: Wire;
  readonly #scheduler: Scheduler;
  /** Milliseconds that the receiver of a school takes for each mail. */
  readonly slow = new Map<string, number>();
  /** When receivers that were slow stopped to be. */
  readonly #recovered = new Map<string, number>();

  constructor(scheduler: Scheduler, wire: Wire) {
    this.#scheduler = scheduler;
    this.wire = wire;
    wire.slowness = (school) => this.slow.get(school) ?? 0;
  }

  client(): Mail {
    return {
      send: (message) => this.wire.ask(message.to.split('@')[1]!, () => this.#take(message)),
      close: async () => undefined,
    };
  }

  /** No receiver is slow any more. */
  recover(): void {
    for (const school of this.slow.keys()) this.#recovered.set(school, this.#scheduler.now);
    this.slow.clear();
  }

  /** Whether the receiver of a school was slow at some time since then. */
  wasSlowSince(school: string, time: number): boolean {
    return this.slow.has(school) || (this.#recovered.get(school) ?? -1) >= time;
  }

  #take({ idempotencyKey: key, to }: Message): void {
    const known = this.receipts.get(key);
    if (known) known.times += 1;
    else this.receipts.set(key, { key, to, at: this.#scheduler.now, times: 1 });
  }
}
