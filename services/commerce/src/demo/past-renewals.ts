import { type Append, type Commit, type EventLog, forwarding } from '@lyceum/eventlog';
import { isoTime, uuidv5 } from '@lyceum/kernel';
import { SchoolTurns } from '../ordering/school-turns.ts';
import { isOrderId } from '../orders/order.ids.ts';
import { testProvider } from '../payments/test-provider.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import type { Reaction } from '../renewals/renewing.ts';
import { renewalProcess } from '../renewals/renewals.ts';

/** With what the past of a subscription is written: with a clock of its own, and no provider but the test provider. */
export type PastPorts = Pick<CommercePorts, 'log' | 'documents' | 'vault' | 'clock' | 'providers' | 'turns'>;

const meta = { actor: 'system' } as const;

/**
 * The process that keeps a subscription going, as it would have run: what follows from each commit, and from each timer at its
 * time. The process of this service gets the same events afterwards, and finds everything done.
 */
export class PastRenewals {
  readonly ports: PastPorts;
  readonly #school: string;
  readonly #subscription: string;
  readonly #timers = new Map<string, string>();
  readonly #orders = new Set<string>();
  #commits: Commit[] = [];
  #now: number;
  #commands = 0;

  constructor(
    { log, documents, vault }: Pick<CommercePorts, 'log' | 'documents' | 'vault'>,
    { school, subscription }: { readonly school: string; readonly subscription: string },
    began: string,
  ) {
    this.#school = school;
    this.#subscription = subscription;
    this.#now = Date.parse(began);
    const clock = { now: () => this.#now };
    const providers = new Map([['test', testProvider(clock)] as const]);
    this.ports = { log: this.#watched(log), documents, vault, clock, providers, turns: new SchoolTurns() };
  }

  /** The time that has come, RFC 3339 UTC. */
  get at(): string {
    return isoTime(this.#now);
  }

  /** The orders of the subscription so far, the oldest first. */
  get orders(): readonly string[] {
    return [...this.#orders];
  }

  /** Does all that follows until a time. */
  async until(at: string): Promise<void> {
    for (;;) {
      const [commit, ...others] = this.#commits;
      this.#commits = others;
      if (commit) {
        await this.#follow(commit);
        continue;
      }
      const [next] = [...this.#timers]
        .filter(([, due]) => due <= at)
        .toSorted(([, one], [, other]) => (one < other ? -1 : 1));
      if (!next) break;
      const [timer, due] = next;
      this.#timers.delete(timer);
      this.#now = Math.max(this.#now, Date.parse(due));
      await this.#do(renewalProcess.react({ kind: 'timer', timer }, null, this.at));
    }
    this.#now = Math.max(this.#now, Date.parse(at));
  }

  /** The log, which tells of every commit that is written to it, and of one that is found to be. */
  #watched(log: EventLog): EventLog {
    const seen = new Set<string>();
    const tell = (commit: Commit | undefined) => {
      if (!commit || seen.has(commit.commitId)) return;
      seen.add(commit.commitId);
      this.#commits.push(commit);
    };
    return forwarding(log, {
      async append(append: Append) {
        const done = await log.append(append);
        tell(done.commit);
        return done;
      },
      async find(tenant, commitId) {
        const found = await log.find(tenant, commitId);
        tell(found);
        return found;
      },
    });
  }

  async #follow({ at, position, tenant, events }: Commit): Promise<void> {
    for (const recorded of events) {
      const event = { ...recorded, tenant, at, position };
      if (renewalProcess.correlate(event) !== this.#subscription) continue;
      if (isOrderId(event.stream)) this.#orders.add(event.stream);
      await this.#do(renewalProcess.react({ kind: 'event', event }, null, this.at));
    }
  }

  async #do({ set = {}, cancel = [], commands = [] }: Reaction): Promise<void> {
    for (const timer of cancel) this.#timers.delete(timer);
    for (const [timer, at] of Object.entries(set)) this.#timers.set(timer, at);
    for (const command of commands) {
      this.#commands += 1;
      const commitId = uuidv5('demo-renewals', this.#school, this.#subscription, this.#commands);
      const of = { tenant: this.#school, correlation: this.#subscription, commitId, at: this.at, meta };
      await renewalProcess.carryOut(command, of, this.ports);
    }
  }
}
