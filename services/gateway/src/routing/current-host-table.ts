import type { Authority } from './authority.ts';
import { HostTable } from './host-table.ts';
import type { School } from './school.ts';

/**
 * The table of hosts that requests see, in the present life of the log that tells of schools. When that log is restored or
 * replaced, another table is built beside the one that serves, and takes its place whole, once every lane of the log is
 * in it: nobody sees a table of which half is from the life before.
 */
export class CurrentHostTable {
  #serving = new HostTable();
  #life: string | undefined;
  readonly #lives = new Map<number, string | undefined>();
  #isKnown = false;
  /** As it was kept before this start, while the log has told nothing that is whole. */
  #recalled: { readonly hosts: HostTable; readonly counts: () => boolean } | undefined;
  #next: { readonly life: string | undefined; readonly hosts: HostTable } | undefined;

  at(authority: Authority): School | undefined {
    return this.#serving.at(authority) ?? this.#kept?.at(authority);
  }

  isCustom(authority: Authority): boolean {
    return (this.#serving.at(authority) ? this.#serving : (this.#kept ?? this.#serving)).isCustom(authority);
  }

  byId(id: string): School | undefined {
    return this.#serving.byId(id);
  }

  /** What was kept serves for as long as it counts, until the log has told of every school. */
  recall(hosts: HostTable, counts: () => boolean): void {
    if (!this.#isKnown) this.#recalled = { hosts, counts };
  }

  /** The table, once every school that the log told of is in it. */
  get whole(): HostTable | undefined {
    return this.#isKnown ? this.#serving : undefined;
  }

  get #kept(): HostTable | undefined {
    return this.#recalled?.counts() ? this.#recalled.hosts : undefined;
  }

  /** A lane begins from its beginning, in this life of the log. True when that makes another table necessary. */
  begin(lane: number, life: string | undefined): boolean {
    if (this.#lives.size === 0) this.#life = life;
    this.#lives.set(lane, life);
    if (life === this.#life) return false;
    if (this.#next?.life !== life) this.#next = { life, hosts: new HostTable() };
    return true;
  }

  /** The table that the facts of a lane belong to; undefined when they are of a life that is over. */
  of(lane: number): HostTable | undefined {
    const life = this.#lives.get(lane);
    if (life === this.#life) return this.#serving;
    return life === this.#next?.life ? this.#next?.hosts : undefined;
  }

  /** Whether every school that the log told of at some time since the start is in the table. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** What was in the log is in the tables: the next one serves from now on, if all lanes are in it. */
  caughtUp(): void {
    const next = this.#next;
    this.#isKnown = true;
    this.#recalled = undefined;
    if (!next || ![...this.#lives.values()].every((life) => life === next.life)) return;
    [this.#serving, this.#life, this.#next] = [next.hosts, next.life, undefined];
  }
}
