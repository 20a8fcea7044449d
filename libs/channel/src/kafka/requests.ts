import type { KafkaRecord } from './kafka-driver.ts';

/** Bytes of values that one request carries at most, of all lanes together, but for a single call that is larger. */
const requestBytes = 4 * 1024 * 1024;

interface Waiting {
  readonly records: readonly KafkaRecord[];
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Requests of one topic: what is asked for in the same turn of the event loop goes to Kafka as one request, whatever the
 * lanes, because a request costs more, here and there, than what is in it. When it fails, each goes alone, so that nobody
 * fails for another's reason; what Kafka had taken of it comes twice then, and is dropped by its position.
 */
export class KafkaRequests {
  readonly #send: (records: KafkaRecord[]) => Promise<void>;
  #waiting: Waiting[] = [];

  constructor(send: (records: KafkaRecord[]) => Promise<void>) {
    this.#send = send;
  }

  /** Resolves when Kafka has the records. Those of one lane must not be asked for before the ones before them are there. */
  add(records: readonly KafkaRecord[], bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#flush());
      this.#waiting.push({ records, bytes, resolve, reject });
    });
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    let [request, bytes]: [Waiting[], number] = [[], 0];
    for (const each of waiting) {
      if (request.length > 0 && bytes + each.bytes > requestBytes) {
        void this.#request(request);
        [request, bytes] = [[], 0];
      }
      request.push(each);
      bytes += each.bytes;
    }
    if (request.length > 0) void this.#request(request);
  }

  async #request(all: readonly Waiting[]): Promise<void> {
    try {
      await this.#send(all.flatMap(({ records }) => records));
      for (const { resolve } of all) resolve();
    } catch (error) {
      for (const each of all)
        if (all.length > 1) void this.#request([each]);
        else each.reject(error);
    }
  }
}
