import { type Plan, isCalm } from '../plan.ts';
import type { Ledger } from './ledger.ts';
import { newPeople } from '../services/school.view.ts';
import { eventsOf } from './truth.ts';
import type { World } from '../world.ts';

/** Milliseconds that a school waits at most for what others do not concern, when nothing else goes wrong. */
const bound = 8_000;

/** Milliseconds between two looks. */
const every = 1_000;

/** Sees to it that no school waits for another: neither for its lists nor for its mails. */
export class Tenants {
  readonly #world: World;
  readonly #plan: Plan;
  readonly #ledger: Ledger;

  constructor(world: World, plan: Plan, ledger: Ledger) {
    this.#world = world;
    this.#plan = plan;
    this.#ledger = ledger;
  }

  begin(end: number): void {
    if (!isCalm(this.#plan)) return;
    const { scheduler } = this.#world;
    const look = (): void => {
      void this.#look();
      if (scheduler.now < end + bound) scheduler.after(every, look, undefined);
    };
    scheduler.after(every, look, undefined);
  }

  async #look(): Promise<void> {
    const { scheduler, servers, mail } = this.#world;
    const models = servers.school.documents.engine;
    const poisoned = new Set(
      eventsOf(this.#world, 'school').flatMap(({ data, stream }) => (data['poison'] ? [stream] : [])),
    );
    const receipts = new Set(Array.from(mail.receipts.values(), ({ to }) => to));
    for (const { service, tenant, stream, ackedAt, version } of this.#ledger.asked.values()) {
      if (service !== 'school' || !stream.startsWith('person-') || ackedAt === undefined) continue;
      const waited = scheduler.now - ackedAt;
      if (waited < bound || waited > bound + 2 * every) continue;
      if (!poisoned.has(stream)) {
        const view = await models.get(newPeople.collection, tenant, stream).catch(() => undefined);
        if (!view || Number(view['count']) < version!)
          this.#world.fail(`${tenant} ${stream} waits for the people for ${waited.toFixed(0)} ms`);
      }
      if (version === 1 && !mail.wasSlowSince(tenant, ackedAt) && !receipts.has(`${stream}@${tenant}`))
        this.#world.fail(`${tenant} ${stream} waits for a mail for ${waited.toFixed(0)} ms`);
    }
  }
}
