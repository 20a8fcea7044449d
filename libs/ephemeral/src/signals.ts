import type { Hearing } from './port.ts';

/** Who listens to which topic in this process. A listener that throws stops neither the sender nor the others. */
export class SignalListeners {
  readonly #topics = new Map<string, Set<(text: string) => void>>();

  get topics(): readonly string[] {
    return [...this.#topics.keys()];
  }

  /** Returns the way to stop listening. */
  add(topic: string, heard: (text: string) => void): Hearing['close'] {
    const listeners = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, listeners);
    // A listener that is given twice is called twice, and removed once.
    const own = (text: string): void => heard(text);
    listeners.add(own);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#topics.get(topic) === listeners) this.#topics.delete(topic);
    };
  }

  tell(topic: string, text: string): void {
    for (const heard of this.#topics.get(topic) ?? [])
      try {
        heard(text);
      } catch {
        continue;
      }
  }

  clear(): void {
    this.#topics.clear();
  }
}
