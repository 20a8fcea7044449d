import { randomUUID } from 'node:crypto';
import { LaneSet } from '@lyceum/eventlog';
import { nextMoment } from '@lyceum/kernel';
import { DocumentContender } from './document-contender.ts';
import { KeptTable } from './kept-table.ts';
import { LeaseCounters } from './lease-counters.ts';
import type { LeaseOptions } from './lease-times.ts';
import type { Sharing, Work } from '../leases.ts';
import { Membership, counterOf } from './membership.ts';
import { SilentMembers } from './silent-members.ts';
import { type ShareTable, changedBy, lanesHeld, quotaOf, without } from './share-table.ts';

/**
 * Takes part in work that processes share. Each is a member of one table, which says who has which lanes, and moves a counter of
 * its own: whoever is silent for a lifetime is struck off by the others. A process that has more than its part ends it before it
 * says so in the table, so that lanes change hands with nothing in flight.
 *
 * One of them holds the lease of the whole work besides. Releases that do not share hold it as well, and do everything then: so
 * the lanes are worked on only while the table names a member that has it.
 */
export class DocumentSharer<W extends Work> {
  readonly #options: LeaseOptions;
  readonly #sharing: Sharing<W>;
  readonly #counters: LeaseCounters;
  readonly #kept: KeptTable;
  readonly #silent: SilentMembers;
  readonly #lanes = new LaneSet();
  readonly #whole: DocumentContender<Work>;
  readonly #done: Promise<void>;
  #member: Membership | undefined;
  #leads = false;
  /** When the table named a leader last. */
  #led = -Infinity;
  #isClosed = false;
  #isRung = false;
  #pause: AbortController | undefined;
  work: W | undefined;

  constructor(options: LeaseOptions, sharing: Sharing<W>) {
    const name = `${options.name} shares`;
    this.#options = options;
    this.#sharing = sharing;
    this.#counters = new LeaseCounters(options.documents, name);
    this.#kept = new KeptTable(options.documents, name);
    this.#silent = new SilentMembers(options.times.lifetime);
    this.#whole = new DocumentContender(options, () => this.#lead());
    this.#done = this.#run();
  }

  has(lane: number): boolean {
    return this.work !== undefined && this.#lanes.has(lane);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#ring();
    await Promise.all([this.#whole.close(), this.#done]);
  }

  /** Begins what one process does for all lanes. */
  async #lead(): Promise<Work> {
    const leading = await this.#sharing.lead?.();
    this.#leads = true;
    this.#ring();
    return {
      close: async () => {
        this.#leads = false;
        this.#ring();
        await leading?.close();
      },
    };
  }

  async #run(): Promise<void> {
    const { times, aside, onError } = this.#options;
    while (!this.#isClosed)
      try {
        if (aside.isNow) await this.#leave();
        else await this.#takeTurn();
        // The leader asks when its leases beat. Others look for a free lease more often anyway.
        await this.#rest(this.#leads ? times.beat : times.look);
      } catch (error) {
        onError(error);
        if (this.#member?.isSilent) await this.#stop();
        await this.#rest(times.beat);
      }
    await this.#leave().catch(onError);
  }

  async #takeTurn(): Promise<void> {
    const member = (this.#member ??= await this.#join());
    const [table] = await Promise.all([this.#kept.read(), this.#look(member)]);
    // Others took this process for dead: it begins anew.
    if (member.isLost || !(member.id in table.members)) return this.#leave().finally(() => this.#ring());
    if (member.isSilent) return this.#stop();
    const left = await this.#handOver(member, table);
    const now = await this.#kept.change((before) =>
      member.id in before.members ? changedBy(before, this.#wanted(member.id, left)) : before,
    );
    if (member.id in now.members) await this.#goOn(member, now);
  }

  async #join(): Promise<Membership> {
    await this.#counters.open();
    const id = randomUUID();
    const { members } = await this.#kept.change((table) => changedBy(table, this.#wanted(id, [])));
    const { seat } = members[id]!;
    const at = await this.#counters.read(counterOf(seat));
    const { times, onError } = this.#options;
    return new Membership(id, seat, at, { counters: this.#counters, times, onError });
  }

  #wanted(id: string, left: readonly number[]) {
    const { form, lanes } = this.#sharing;
    const { hasStepped: isReserve } = this.#options.aside;
    const wanted = { id, form: `${form} ${lanes}`, isReserve, leads: this.#leads, lanes, left };
    return { ...wanted, gone: this.#silent.gone };
  }

  /** Looks whether the other members live. */
  async #look({ id }: Membership): Promise<void> {
    const others = Object.entries(this.#kept.table.members).filter(([each]) => each !== id);
    const signs = others.map(async ([each, { seat }]) => [each, await this.#counters.read(counterOf(seat))] as const);
    this.#silent.seen(await Promise.all(signs));
  }

  /** Ends what is beyond this process's part. Gives the lanes in which it has ended it. */
  async #handOver({ id }: Membership, table: ShareTable): Promise<readonly number[]> {
    const held = lanesHeld(table, id);
    const quota = quotaOf(table, id);
    const staying = held.slice(0, quota).filter((lane) => this.#lanes.has(lane));
    if (held.length > quota) await this.#lanes.change(staying);
    return held.slice(quota);
  }

  /** Works on the lanes that the table gives to this process. */
  async #goOn({ id }: Membership, table: ShareTable): Promise<void> {
    if (table.leader !== null) this.#led = performance.now();
    // The next leader may be a moment away. A release that does not share works beside this one for no longer than that.
    const isLed = performance.now() - this.#led < this.#options.times.lifetime;
    const lanes = isLed ? lanesHeld(table, id) : [];
    if (lanes.length === 0) return this.#stop();
    await this.#lanes.change(lanes);
    if (this.work) return;
    try {
      this.work = await this.#sharing.begin(this.#lanes);
    } catch (error) {
      // Another process may be able to.
      await this.#leave();
      throw error;
    }
  }

  async #stop(): Promise<void> {
    await this.work?.close();
    this.work = undefined;
    await this.#lanes.change([]);
  }

  /** Leaves its part to others. */
  async #leave(): Promise<void> {
    await this.#stop();
    const member = this.#member;
    if (!member) return;
    await member.end();
    this.#member = undefined;
    await this.#kept.change((table) => (member.id in table.members ? without(table, member.id) : table));
  }

  #ring(): void {
    this.#isRung = true;
    this.#pause?.abort();
  }

  /** Waits for the next of the moments that all leases have in common, or until it is rung. */
  async #rest(period: number): Promise<void> {
    this.#pause = new AbortController();
    const { signal } = this.#pause;
    if (!this.#isRung) await nextMoment(period, signal);
    this.#isRung = false;
  }
}
