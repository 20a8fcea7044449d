import type { Authority } from './authority.ts';
import { HostTable } from './host-table.ts';
import type { School } from './school.ts';

/**
 * The table of hosts that requests see, in the present epoch of the schools' log. When that log is restored or replaced,
 * another table is built beside the one that serves, and replaces it as a whole, once every lane of the log is in it: no
 * request sees a table of two epochs.
 */
export class CurrentHostTable {
  #serving = new HostTable();
  #epoch: string | undefined;
  readonly #epochOfLane = new Map<number, string | undefined>();
  #isKnown = false;
  /** As it was kept before this start, until the log has been read to its end. */
  #recalled: { readonly hosts: HostTable; readonly counts: () => boolean } | undefined;
  #next: { readonly epoch: string | undefined; readonly hosts: HostTable } | undefined;

  at(authority: Authority): School | undefined {
    return this.#serving.at(authority) ?? this.#kept?.at(authority);
  }

  isCustom(authority: Authority): boolean {
    return (this.#serving.at(authority) ? this.#serving : (this.#kept ?? this.#serving)).isCustom(authority);
  }

  byId(id: string): School | undefined {
    return this.#serving.byId(id);
  }

  /** What was kept serves for as long as it counts, until every school of the log is known. */
  recall(hosts: HostTable, counts: () => boolean): void {
    if (!this.#isKnown) this.#recalled = { hosts, counts };
  }

  /** The table, once every school of the log is in it. */
  get whole(): HostTable | undefined {
    return this.#isKnown ? this.#serving : undefined;
  }

  get #kept(): HostTable | undefined {
    return this.#recalled?.counts() ? this.#recalled.hosts : undefined;
  }

  /** A lane is read from its beginning, in this epoch of the log. True when that makes another table necessary. */
  begin(lane: number, epoch: string | undefined): boolean {
    if (this.#epochOfLane.size === 0) this.#epoch = epoch;
    this.#epochOfLane.set(lane, epoch);
    if (epoch === this.#epoch) return false;
    if (this.#next?.epoch !== epoch) this.#next = { epoch, hosts: new HostTable() };
    return true;
  }

  /** The table that the facts of a lane belong to; undefined when they are of an epoch that is over. */
  of(lane: number): HostTable | undefined {
    const epoch = this.#epochOfLane.get(lane);
    if (epoch === this.#epoch) return this.#serving;
    return epoch === this.#next?.epoch ? this.#next?.hosts : undefined;
  }

  /** Whether every school of the log was in the table at some time since the start. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** What was in the log is in the tables: the next one serves from now on, if all lanes are in it. */
  caughtUp(): void {
    const next = this.#next;
    this.#isKnown = true;
    this.#recalled = undefined;
    if (!next || ![...this.#epochOfLane.values()].every((epoch) => epoch === next.epoch)) return;
    [this.#serving, this.#epoch, this.#next] = [next.hosts, next.epoch, undefined];
  }
}
