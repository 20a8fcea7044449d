import { erasedSubject, erasureStream } from '@lyceum/kernel';
import type { Plan } from '../plan.ts';
import { type ServiceName, type World, serviceNames } from '../world.ts';
import { type Ledger, partsOf } from './ledger.ts';
import type { Missing, TrueEvent } from './truth.ts';

/** The people who are erased at the end, and what may be left of them. A person is named `<tenant>\0<subject>`. */
export class Erasures {
  readonly #world: World;
  readonly #plan: Plan;
  readonly #ledger: Ledger;
  /** The people whose erasure stands in the log of each service. */
  readonly #erased: Readonly<Record<ServiceName, ReadonlySet<string>>>;

  constructor(world: World, plan: Plan, ledger: Ledger, events: Readonly<Record<ServiceName, readonly TrueEvent[]>>) {
    this.#world = world;
    this.#plan = plan;
    this.#ledger = ledger;
    this.#erased = { school: erasedIn(events.school), notes: erasedIn(events.notes) };
  }

  /** An erasure that was acknowledged stands in the log and leaves no key; that of a destroyed key stands there, too. */
  async check(missing: Missing): Promise<void> {
    for (const [person, { doneAt }] of this.#ledger.erasures)
      if (doneAt !== undefined && !this.#erased.school.has(person) && !this.#wasLost(person))
        missing(`the log has no erasure of ${person}`);
    for (const service of serviceNames)
      for (const person of new Set([...this.#erased.school, ...this.#ledger.erasures.keys()])) {
        const [tenant, subject] = partsOf(person);
        const key = await this.#world.servers[service].keys.engine.get({ tenant, subject });
        if (key?.wrapped && this.#isErased(service, person))
          missing(`${service} still has the key of ${person}, who is erased`);
        if (key?.wrapped === null && !this.#isErased(service, person) && !this.#wasLost(person))
          missing(`${service} has destroyed the key of ${person}, and published no erasure`);
      }
  }

  /** What may stand in a read model where the text of a person stood. */
  texts(service: ServiceName, tenant: string, subject: string, text: string | null): readonly (string | null)[] {
    const person = `${tenant}\0${subject}`;
    if (this.#isErased(service, person)) return [null];
    if (!this.#ledger.erasures.has(person)) return [text];
    // Of an erasure that was begun, what was known of it may be gone with a store that was put back.
    const isForgotten = this.#plan.faults.has('restore-keys') || this.#wasLost(person);
    return isForgotten ? [text, null] : [text];
  }

  #isErased(service: ServiceName, person: string): boolean {
    if (this.#erased.school.has(person) || this.#erased[service].has(person)) return true;
    // Of an erasure that the log lost, other services need not know.
    return service === 'school' && this.#ledger.erasures.get(person)?.doneAt !== undefined;
  }

  /** The log was put back to before the erasure. */
  #wasLost(person: string): boolean {
    const [tenant, subject] = partsOf(person);
    return this.#world.lost.streams.has(`${tenant}\0${erasureStream(subject)}`);
  }
}

const erasedIn = (events: readonly TrueEvent[]): ReadonlySet<string> =>
  new Set(
    events.flatMap((event) => {
      const subject = erasedSubject(event);
      return subject === undefined ? [] : [`${event.tenant}\0${subject}`];
    }),
  );
