import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { collectionKey } from '../collection/declaration.ts';
import { memoryDocuments } from '../memory/memory.ts';
import { type Collection, type Documents, DocumentsUnavailable } from '../port.ts';

/** Documents on servers that hold elections: right after one, reads may answer from before what was acknowledged. */
export interface HidingDocuments {
  /** The documents as another process sees them. */
  process(): Documents;
  /** Hides the newest changes, as many at most. Until they are shown again, nothing can be changed. */
  hide(changes: number): void;
  /** Everything is there again. */
  show(): void;
}

/** How a process reads. */
interface HidingOptions {
  /**
   * Whether a process never reads from before what it has read or written itself, as every engine of the port promises: it
   * waits, and in the end cannot read. Default: true; false shows what a test makes of engines that do not.
   */
  readonly isCausal?: boolean;
}

type Change = (store: Documents) => Promise<void>;

/** Changes that can be hidden at most. */
const mostHidden = 200;

/** Milliseconds that a process waits for what it has seen already. */
const patience = 300;

class Servers implements HidingDocuments {
  readonly #isCausal: boolean;
  readonly #all = memoryDocuments();
  /** Without the changes in `#newest`. */
  readonly #old = memoryDocuments();
  readonly #newest: Change[] = [];
  #made = 0;
  #isHiding = false;

  constructor(isCausal: boolean) {
    this.#isCausal = isCausal;
  }

  process(): Documents {
    const isCausal = this.#isCausal;
    const opened = new Set<string>();
    let seen = 0;
    let isClosed = false;
    const use = (collection: Collection): void => {
      if (isClosed) throw new DocumentsUnavailable('the documents are closed');
      if (!opened.has(collectionKey(collection))) throw new Error(`${collectionKey(collection)} is not open`);
    };
    const read = async <T>(collection: Collection, look: (store: Documents) => Promise<T>): Promise<T> => {
      use(collection);
      await turn();
      const isAhead = (): boolean => this.#isHiding && isCausal && seen > this.#shown;
      for (let waited = 0; isAhead(); waited += 10) {
        if (waited >= patience) throw new DocumentsUnavailable('no server has yet what was seen before');
        await pause(10);
      }
      const store = this.#isHiding ? this.#old : this.#all;
      if (this.#isHiding) seen = this.#shown;
      // Another process may have dropped it.
      await store.open(collection);
      const found = await look(store);
      // What another process changed meanwhile may be in it, and is counted by then.
      await turn();
      if (store === this.#all) seen = this.#made;
      return found;
    };
    const change = async (collection: Collection, make: Change): Promise<void> => {
      use(collection);
      await turn();
      if (this.#isHiding) throw new DocumentsUnavailable('no majority of the servers answers');
      await this.#all.open(collection);
      await make(this.#all);
      seen = this.#made += 1;
      this.#newest.push(make);
      if (this.#newest.length > mostHidden) this.#pass(this.#newest.shift()!);
    };
    const process: Documents = {
      open: async (collection) => {
        if (isClosed) throw new DocumentsUnavailable('the documents are closed');
        await Promise.all([this.#all.open(collection), this.#old.open(collection)]);
        opened.add(collectionKey(collection));
      },
      drop: async (collection) => {
        if (isClosed) throw new DocumentsUnavailable('the documents are closed');
        await Promise.all([this.#all.drop(collection), this.#old.drop(collection)]);
        opened.delete(collectionKey(collection));
      },
      apply: (collection, ...move) => change(collection, (store) => store.apply(collection, ...move)),
      checkpoint: (collection, ...of) => read(collection, (store) => store.checkpoint(collection, ...of)),
      checkpointOf: (collection, ...of) => read(collection, (store) => store.checkpointOf(collection, ...of)),
      get: (collection, ...of) => read(collection, (store) => store.get(collection, ...of)),
      query: (collection, ...of) => read(collection, (store) => store.query(collection, ...of)),
      tenants: (collection, after) => read(collection, (store) => store.tenants(collection, after)),
      async waitFor(collection, source, lane, position, timeout) {
        for (const end = performance.now() + timeout; ; await pause(10)) {
          if (isClosed) return false;
          if ((await process.checkpoint(collection, source, lane)) >= position) return true;
          if (performance.now() >= end) return false;
        }
      },
      close: async () => void (isClosed = true),
    };
    return process;
  }

  hide(changes: number): void {
    for (const change of this.#newest.splice(0, Math.max(0, this.#newest.length - changes))) this.#pass(change);
    this.#isHiding = true;
  }

  show(): void {
    this.#isHiding = false;
  }

  get #shown(): number {
    return this.#made - this.#newest.length;
  }

  /** An election cannot hide the change any more. It may be one of what was dropped since. */
  #pass(change: Change): void {
    change(this.#old).catch(() => undefined);
  }
}

/**
 * Read models in memory, shared by processes, on servers that hold elections: for a while they answer from before what was
 * acknowledged, then it is there again.
 */
export const hidingDocuments = ({ isCausal = true }: HidingOptions = {}): HidingDocuments => new Servers(isCausal);
