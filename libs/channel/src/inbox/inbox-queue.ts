import type { Message } from '../port.ts';

/** Messages that wait in memory; beyond, they are forgotten and read from the owner's history instead. */
const mostWaiting = 1_000;

/** What came from the transport and is not handled yet, and the rest of those who wait for more. */
export class InboxQueue {
  readonly messages: Message[] = [];
  #received = 0;
  #wake: () => void = () => undefined;

  /** How many came so far. */
  get received(): number {
    return this.#received;
  }

  /** False when there was no room: then all that waited is forgotten. */
  add(message: Message): boolean {
    this.#received += 1;
    const isFull = this.messages.length >= mostWaiting;
    if (isFull) this.messages.length = 0;
    else this.messages.push(message);
    return !isFull;
  }

  /** The first so many are done with, unless the queue was emptied since they were looked at. */
  done(first: Message | undefined, count: number): void {
    if (this.messages[0] === first) this.messages.splice(0, count);
  }

  /** Something happened. */
  wake(): void {
    this.#wake();
  }

  /** Whether so many milliseconds went by and nothing happened; without a number it waits for that. */
  async silence(milliseconds: number | undefined): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const isSilent = await new Promise<boolean>((resolve) => {
      this.#wake = () => resolve(false);
      if (milliseconds !== undefined) timer = setTimeout(resolve, milliseconds, true);
    });
    clearTimeout(timer);
    return isSilent;
  }
}
