import { isObject } from '@lyceum/kernel';
import { copyOf } from '../running/copy.ts';
import type { Wire } from './wire.ts';

type Call = readonly [name: string, given: readonly unknown[]];

/**
 * A store on a server of its own: the engine in memory that the project has anyway, behind a wire. What changed it is kept,
 * so that an older copy can be put in its place.
 */
export class KeptStore<Port extends object> {
  readonly wire: Wire;
  readonly #make: () => Port;
  readonly #reads: readonly string[];
  readonly #changes: Call[] = [];
  #engine: Port;

  constructor(make: () => Port, reads: readonly string[], wire: Wire) {
    this.#make = make;
    this.#engine = make();
    this.#reads = reads;
    this.wire = wire;
  }

  /** The engine, without the way to it: for checks. */
  get engine(): Port {
    return this.#engine;
  }

  /** How often it was changed so far. */
  get changes(): number {
    return this.#changes.length;
  }

  /** How often it had been changed right after the last change of this kind. */
  lastOf(name: string): number {
    return this.#changes.findLastIndex(([each]) => each === name) + 1;
  }

  /** The store as a process sees it. `own`: what is not asked of the server, or in another way; undefined: not there. */
  client(own: Partial<Record<keyof Port, unknown>>): Port {
    return new Proxy(this.#engine, {
      get: (target, name) => {
        if (Object.hasOwn(own, name)) return Reflect.get(own, name);
        if (typeof name !== 'string' || typeof Reflect.get(target, name) !== 'function') return undefined;
        return (...given: unknown[]) => this.ask(name, given);
      },
      has: (target, name) => (Object.hasOwn(own, name) ? Reflect.get(own, name) !== undefined : name in target),
    });
  }

  /** Asks the server for one call of the engine. */
  ask(name: string, given: readonly unknown[]): Promise<unknown> {
    // What is on its way no longer follows what the caller does with the same objects.
    const sent = this.#reads.includes(name) ? given : copyOf(given);
    return this.wire.ask(`${name} ${nameOf(sent[0])}`, async () => {
      const answer = await called(this.#engine, name, sent);
      if (!this.#reads.includes(name)) this.#changes.push([name, sent]);
      return answer;
    });
  }

  /** Puts the copy in its place that was made after so many changes; changes of the kinds in `kept` stay all the same. */
  async restore(changes: number, kept: readonly string[] = []): Promise<void> {
    const engine = this.#make();
    const copied = this.#changes.filter(([name], index) => index < changes || kept.includes(name));
    for (const [name, given] of copied) await called(engine, name, given);
    this.#changes.splice(0, Infinity, ...copied);
    this.#engine = engine;
  }
}

function called(engine: object, name: string, given: readonly unknown[]): unknown {
  return Reflect.apply(Reflect.get(engine, name), engine, given);
}

/** The collection that a call is about, if it is. */
function nameOf(first: unknown): string {
  const { name, version } = isObject(first) ? first : {};
  return typeof name === 'string' ? `${name}@${String(version)}` : '';
}
