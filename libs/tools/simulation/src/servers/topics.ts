import type { Message } from '@lyceum/channel';
import { storedJson } from '@lyceum/kernel';
import type { Random } from '../running/random.ts';
import type { Scheduler } from '../running/scheduler.ts';
import type { Owner } from '../running/task-queue.ts';

/** What happens to messages on their way. Each from 0 to 1. */
export interface Transport {
  drop: number;
  duplicate: number;
  delay: number;
}

/** A subscription of a process, as the transport knows it. */
export interface Subscriber {
  readonly owner: Owner | undefined;
  readonly source: string;
  /** Those who divide the lanes of a source among themselves; undefined: this one has them all. */
  readonly group: string | undefined;
  receive(message: Message): void;
  /** The lanes that it has from now on. */
  assign(lanes: readonly number[]): void;
}

/** Milliseconds that a member of a group may be silent. */
const session = 3_000;

/** The broker: carries messages to subscribers, and divides the lanes of a source among the members of a group. */
export class Topics {
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #lanes: number;
  readonly #subscribers = new Set<Subscriber>();
  readonly #assigned = new Map<Subscriber, string>();
  readonly transport: Transport = { drop: 0, duplicate: 0, delay: 0 };

  constructor(scheduler: Scheduler, random: Random, lanes: number) {
    this.#scheduler = scheduler;
    this.#random = random;
    this.#lanes = lanes;
  }

  join(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber);
    this.#soon(() => this.#divide());
  }

  leave(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    this.#assigned.delete(subscriber);
    this.#soon(() => this.#divide());
  }

  /** Tells the broker to look who is still there. */
  look(): void {
    for (const subscriber of this.#subscribers)
      if (subscriber.owner?.dead) {
        this.#subscribers.delete(subscriber);
        this.#assigned.delete(subscriber);
      }
    this.#scheduler.after(session, () => this.#divide(), undefined);
  }

  publish(messages: readonly Message[]): void {
    for (const message of messages)
      for (const subscriber of this.#subscribers)
        if (subscriber.source === message.source) this.#carry(subscriber, message);
  }

  #carry(subscriber: Subscriber, message: Message): void {
    const { drop, duplicate, delay } = this.transport;
    if (this.#random.chance(drop)) return;
    const copies = this.#random.chance(duplicate) ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      const wait = this.#random.chance(delay) ? this.#random.between(100, 6_000) : this.#random.between(1, 20);
      const text = JSON.stringify(message);
      this.#scheduler.after(wait, () => subscriber.receive(storedJson(text)), subscriber.owner);
    }
  }

  #divide(): void {
    const there = [...this.#subscribers].filter(({ owner }) => !owner?.dead && !owner?.stopped);
    for (const group of new Set(there.flatMap(({ group }) => group ?? []))) {
      const members = there.filter((each) => each.group === group);
      members.forEach((member, index) => {
        const lanes = Array.from({ length: this.#lanes }, (_, lane) => lane);
        const own = lanes.filter((lane) => lane % members.length === index);
        if (this.#assigned.get(member) === own.join()) return;
        this.#assigned.set(member, own.join());
        this.#soon(() => member.assign(own), member.owner);
      });
    }
    // Whoever was thought to be gone learns when it is back that others have its lanes.
    for (const member of this.#subscribers) if (!there.includes(member)) this.#assigned.delete(member);
  }

  #soon(work: () => void, owner?: Owner): void {
    this.#scheduler.after(this.#random.between(1, 30), work, owner);
  }
}
