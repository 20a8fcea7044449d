import type { Part } from '../records.ts';
import type { Fact, Message } from '../../port.ts';

/** Puts the records of one partition together to messages again. */
export class Assembler {
  #envelope: Part['envelope'] | undefined;
  #facts: Fact[] = [];
  #next = 0;

  /**
   * The message that the part completes, if it does; `broken` when parts before it are missing. A commit that was cut
   * short is forgotten when another begins: the chain of positions shows the receiver the loss.
   */
  add({ envelope, index, last, fact }: Part): Message | 'broken' | undefined {
    if (index === 0) this.reset();
    else if (index !== this.#next || this.#envelope?.position !== envelope.position) {
      this.reset();
      return 'broken';
    }
    this.#envelope = envelope;
    this.#next = index + 1;
    if (fact) this.#facts.push(fact);
    if (!last) return undefined;
    const message = { ...envelope, facts: this.#facts };
    this.reset();
    return message;
  }

  /** Forgets what is unfinished. */
  reset(): void {
    this.#envelope = undefined;
    this.#facts = [];
    this.#next = 0;
  }
}
