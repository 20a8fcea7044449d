import { type Documents, type Incoming, type Projection, memoryDocuments } from '@lyceum/documents';
import { type EventLog, fold, memoryEventLog } from '@lyceum/eventlog';
import type { ModulePorts } from '@lyceum/service';
import { enrollmentDecider } from '../../enrollments/enrollment.ts';
import { accessStream, changeGrant } from '../../granting/granting.ts';
import type { Grant, Item } from '../../grants/grant.ts';
import { memberProjection } from '../../members/known-members.ts';
import { productAccessDecider } from '../../product-access/product-access.ts';
import { planAccessReactions } from '../plan-access.reactions.ts';
import { planAccessProjection } from '../plan-access.rows.ts';
import { publicItemsProjection } from '../public-items.ts';

const school = 'school_1';
const at = '2026-01-05T08:00:00.000Z';

/** An integration event, as the test makes it. */
export interface Fact {
  readonly source: 'commerce' | 'catalog';
  readonly stream: string;
  readonly type: string;
  readonly data: object;
}

/**
 * Plan access on engines in memory, where the test decides when read models and reactions get what was published: read
 * models in the order of each service, reactions in any order after that, as often as it likes, side by side.
 */
export class PlanWorld {
  readonly #log = memoryEventLog({ lanes: 1 });
  readonly #documents = memoryDocuments();
  readonly #published: Record<Fact['source'], Incoming[]> = { commerce: [], catalog: [] };
  readonly #projected: Record<Fact['source'], number> = { commerce: 0, catalog: 0 };
  readonly #versions = new Map<string, number>();
  /** What read models have, and reactions may get. */
  readonly known: Incoming[] = [];
  /** What no reaction has got yet. */
  readonly owed = new Set<Incoming>();
  readonly #running: Promise<void>[] = [];
  readonly #slowness: readonly number[];
  #reads = 0;

  /** `slowness`: how long each read of a read model takes a reaction, in turn: so many turns of others. */
  constructor(slowness: readonly number[]) {
    this.#slowness = slowness;
  }

  async open(): Promise<void> {
    for (const { collection } of [planAccessProjection, publicItemsProjection, memberProjection])
      await this.#documents.open(collection);
  }

  publish({ source, stream, type, data }: Fact): void {
    const all = this.#published[source];
    const version = (this.#versions.get(stream) ?? 0) + 1;
    this.#versions.set(stream, version);
    all.push({ tenant: school, stream, type, schema: 1, version, at, position: all.length + 1, data });
  }

  /** Read models get so much more of a service, in order. */
  async project(source: Fact['source'], count = Infinity): Promise<void> {
    const projection = source === 'commerce' ? planAccessProjection : publicItemsProjection;
    for (let left = count; left > 0; left -= 1) {
      const event = this.#published[source][this.#projected[source]];
      if (!event) return;
      this.#projected[source] += 1;
      await this.#apply(projection, event);
      this.known.push(event);
      this.owed.add(event);
    }
  }

  /** The reaction to an event begins, once more where it has happened already. */
  react(event: Incoming): void {
    this.owed.delete(event);
    const log: EventLog = this.#log;
    const documents: Documents = {
      ...bound(this.#documents),
      get: async (...asked) => {
        await this.#slow();
        return this.#documents.get(...asked);
      },
    };
    const ports: Pick<ModulePorts, 'log' | 'documents' | 'clock'> = {
      log,
      documents,
      clock: { now: () => Date.parse(at) },
    };
    for (const { events, perform } of planAccessReactions)
      if (events.includes(event.type))
        this.#running.push(perform(event, ports as ModulePorts, new AbortController().signal));
  }

  /** Resolves when all reactions that began are over. */
  async rest(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Somebody buys an item for good. */
  buy(member_id: string, item: Item): Promise<void> {
    const source = { source_type: 'order_line', source_id: `order_1.1` } as const;
    const command = { type: 'GrantAccess', ...source, starts_at: at, expires_at: null } as const;
    const commit = { tenant: school, at, meta: { actor: 'test' }, commitId: 'bought' };
    return changeGrant(this.#log, { ...commit, ...item, member_id, command });
  }

  /** The grants that somebody has of an item. */
  async grantsOf(member: string, item: Item): Promise<readonly Grant[]> {
    const stream = accessStream(item, member);
    const { state } =
      item.item_type === 'course'
        ? await fold(this.#log, enrollmentDecider, school, stream)
        : await fold(this.#log, productAccessDecider, school, stream);
    return state?.grants ?? [];
  }

  #slow(): Promise<void> {
    this.#reads += 1;
    return turns(this.#slowness[this.#reads % this.#slowness.length] ?? 0);
  }

  async #apply({ collection, key, project }: Projection, event: Incoming): Promise<void> {
    const id = key(event);
    if (id === undefined) return;
    const before = await this.#documents.get(collection, school, id);
    const body = project(event, before);
    await this.#documents.apply(collection, 'test', 0, 0, 0, [{ tenant: school, id, body }]);
  }
}

/** Lets others go on. */
export async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await Promise.resolve();
}

/** The documents with what reactions use beside reads. */
const bound = (documents: Documents): Documents => ({
  ...documents,
  open: (...asked) => documents.open(...asked),
  apply: (...asked) => documents.apply(...asked),
  query: (...asked) => documents.query(...asked),
});
