import { Problem, addressPartition } from '@lyceum/web';

/** Streams that are open at once, at most: of one client for one person, or of a stranger's network, at a school. */
const mostOfClient = 5;
/** Of a person at a school over all clients: anybody can register those. */
const mostOfPerson = 20;
/** Of an address over all schools and persons: a household may share one. */
const mostOfAddress = 200;
const mostOfSchool = 500;
const mostOfAll = 2_000;

/** The reader of a stream. */
export interface Listener {
  readonly principal: { readonly client: string; readonly subject: string } | undefined;
  readonly address: string;
}

/** Counts the open streams of each client, person, address and school, and limits each. */
export class OpenStreams {
  readonly #open = new Map<string, number>();
  #all = 0;

  /** Counts a stream until the returned function is called. Throws `rate_limited` when there are too many. */
  enter(school: string, { principal, address }: Listener): () => void {
    const network = addressPartition(address);
    const quotas = new Map([
      [`school ${school}`, Math.min(mostOfSchool, mostOfAll - this.#all)],
      [`address ${network}`, mostOfAddress],
    ]);
    if (principal) {
      const { client, subject } = principal;
      quotas.set(`person ${school} ${subject}`, mostOfPerson);
      quotas.set(`client ${school} ${JSON.stringify([client, subject])}`, mostOfClient);
    } else quotas.set(`stranger ${school} ${network}`, mostOfClient);
    for (const [key, most] of quotas)
      if ((this.#open.get(key) ?? 0) >= most)
        throw new Problem('rate_limited', 'Too many streams are open', { headers: { 'Retry-After': '10' } });
    for (const key of quotas.keys()) this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    this.#all += 1;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#all -= 1;
      for (const key of quotas.keys()) this.#leave(key);
    };
  }

  #leave(key: string): void {
    const left = this.#open.get(key)! - 1;
    if (left === 0) this.#open.delete(key);
    else this.#open.set(key, left);
  }
}
