import { InMemoryServerEventBus, type McpHttpHandler } from '@modelcontextprotocol/server';

/** Streams that are open at once: of a school, and of all schools together. */
const mostOfSchool = 200;
const mostOfAll = 2_000;

interface Audience {
  readonly bus: InMemoryServerEventBus;
  readonly handler: McpHttpHandler;
}

/**
 * Who listens for changes, school by school: the addresses of resources are the same in every school, so no two schools
 * may share a bus. A school whose last stream has ended is forgotten.
 */
export class Streams {
  readonly #audiences = new Map<string, Audience>();
  readonly #open: (bus: InMemoryServerEventBus, most: number) => McpHttpHandler;
  #count = 0;

  constructor(open: (bus: InMemoryServerEventBus, most: number) => McpHttpHandler) {
    this.#open = open;
  }

  /** The handler of a school's streams; undefined when too many are open. */
  of(school: string): McpHttpHandler | undefined {
    if (this.#count >= mostOfAll) return undefined;
    let audience = this.#audiences.get(school);
    if (!audience) {
      const bus = new InMemoryServerEventBus();
      audience = { bus, handler: this.#open(bus, mostOfSchool) };
      this.#audiences.set(school, audience);
    }
    return audience.handler;
  }

  /** Counts a stream from its beginning; the returned function counts its end. */
  began(school: string): () => void {
    this.#count += 1;
    return () => {
      this.#count -= 1;
      const audience = this.#audiences.get(school);
      if (!audience || audience.bus.listenerCount > 0) return;
      this.#audiences.delete(school);
      void audience.handler.close();
    };
  }

  /** Tells those who listen at a school that resources have changed. */
  changed(school: string, uris: readonly string[]): void {
    const audience = this.#audiences.get(school);
    for (const uri of uris) audience?.handler.notify.resourceUpdated(uri);
  }

  /** Ends every stream. */
  async close(): Promise<void> {
    const all = [...this.#audiences.values()];
    this.#audiences.clear();
    await Promise.all(all.map(({ handler }) => handler.close()));
  }
}
