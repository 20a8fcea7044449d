import type { Database } from '@lyceum/sqlite';

interface Waiting {
  readonly work: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Transactions of one database. What is asked for in the same turn of the event loop shares one, because ending a
 * transaction costs more than writing a document. When one of them fails, each is tried alone, so that nobody fails for
 * another's reason.
 */
export class Transactions {
  readonly #database: Pick<Database, 'transaction'>;
  /** What was remembered of the work that was undone is wrong now. */
  readonly #undone: () => void;
  #waiting: Waiting[] = [];

  constructor(database: Pick<Database, 'transaction'>, undone: () => void) {
    this.#database = database;
    this.#undone = undone;
  }

  /** Does the work in a transaction, soon. Rejects with what the work or the engine threw: then nothing of it is stored. */
  run(work: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.flush());
    });
  }

  /** Does now what waits. */
  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length > 1 && this.#tried(waiting) === undefined) return;
    for (const each of waiting) {
      const failed = this.#tried([each]);
      if (failed) each.reject(failed.error);
    }
  }

  #tried(waiting: readonly Waiting[]): { readonly error: unknown } | undefined {
    try {
      this.#database.transaction(() => {
        for (const { work } of waiting) work();
      });
    } catch (error) {
      this.#undone();
      return { error };
    }
    for (const { resolve } of waiting) resolve();
    return undefined;
  }
}
