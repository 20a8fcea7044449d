import { ConcurrencyConflict, Erased, Unavailable, execute } from '@lyceum/eventlog';
import {
  type Decider,
  type DomainEvent,
  isRejection,
  isoTime,
  subjectOfStream,
  uuidv5,
  type Rejection,
} from '@lyceum/kernel';
import type { Asked, Known, Ledger } from './checks/ledger.ts';
import type { Node, Serving } from './node.ts';
import { note } from './services/notes.ts';
import { ownTime } from './running/globals.ts';
import { type PersonCommand, badge, oldPerson, person, school } from './services/school.ts';
import type { Plan } from './plan.ts';
import type { Reads } from './checks/reads.ts';
import type { ServiceName, World } from './world.ts';

/** A decider with what it is asked. */
interface Command {
  readonly service: ServiceName;
  readonly tenant: string;
  readonly stream: string;
  readonly decider: (release: number) => Decider<never, never, DomainEvent, string>;
  readonly command: unknown;
  readonly text?: string;
}

const meta = { actor: 'client' };

/** Tries of one command at most. */
const tries = 4;

/** Clients of all schools: they command, read, and try again under the same id when they do not know. */
export class Clients {
  readonly #world: World;
  readonly #plan: Plan;
  readonly #reads: Reads;
  readonly ledger: Ledger;
  #count = 0;
  #began = 0;

  constructor(world: World, plan: Plan, ledger: Ledger, reads: Reads) {
    this.#world = world;
    this.#plan = plan;
    this.ledger = ledger;
    this.#reads = reads;
  }

  /** Opens the schools. */
  begin(): void {
    this.#began = this.#world.scheduler.now;
    for (const tenant of this.#plan.schools) this.#school(tenant, 'provision');
  }

  /** Does one thing that some client might do now. */
  act(): void {
    const { random } = this.#world;
    const tenant = random.pick(this.#plan.schools);
    const known = this.ledger.people.filter((each) => each.tenant === tenant);
    const kind = this.#isClosed() && known.length > 0 ? random.between(0.65, 1) : random.next();
    if (known.length === 0 || kind < 0.28) return this.#add(tenant);
    const someone = random.pick(known);
    if (kind < 0.4) return this.#person(someone, { do: 'rename', name: this.#next('name') });
    if (kind < 0.52) return this.#note(someone, false);
    if (kind < 0.6) return this.#write(someone);
    if (kind < 0.65) return this.#school(tenant, 'move');
    if (kind < 0.72) return this.#erase(someone);
    if (kind < 0.78) return this.#badge(someone);
    const { erasures } = this.ledger;
    const gone = known.filter(({ stream }) => erasures.has(`${tenant}\0${subjectOfStream(stream)}`));
    this.#reads.read(gone.length > 0 ? random.pick(gone) : someone);
  }

  /** Nobody gets a key any more: copies of keys that lack none may then be old enough to know nothing of an erasure. */
  #isClosed(): boolean {
    const { faults, duration } = this.#plan;
    return faults.has('restore-keys') && this.#world.scheduler.now - this.#began > duration / 2;
  }

  /** Many people whom no projection can take any more, at once. */
  poison(): void {
    const { random } = this.#world;
    const lane = random.pick(this.#plan.schools);
    for (const someone of this.ledger.people.filter(({ tenant }) => tenant === lane).slice(0, 6))
      this.#note(someone, true);
  }

  /** Something happens in each school: a log that was put back grows beyond where it was. */
  stir(): void {
    for (const tenant of this.#plan.schools)
      this.#school(tenant, this.#world.random.chance(0.3) ? 'provision' : 'move');
  }

  /** Several people who are added at once. */
  crowd(tenant: string): void {
    for (let count = 0; count < 6; count += 1) this.#add(tenant);
  }

  #add(tenant: string): void {
    const stream = this.#next('person');
    const known = { tenant, stream };
    const name = this.#next('name');
    // Two may want the same handle.
    const handle = this.#world.random.chance(0.1) ? 'same' : stream;
    this.#person(known, { do: 'add', handle, name }, () => this.ledger.people.push(known));
  }

  #person({ tenant, stream }: Known, command: PersonCommand, done?: () => void): void {
    const decider = (release: number) => (release === 1 ? oldPerson : person) as never;
    const text = 'name' in command ? { text: command.name } : {};
    this.#command({ service: 'school', tenant, stream, decider, command, ...text }, done);
  }

  #note(someone: Known, poison: boolean): void {
    this.#person(someone, { do: 'note', poison });
  }

  #write({ tenant, stream: author }: Known): void {
    const [stream, text] = [this.#next('note'), this.#next('text')];
    const command = { author: subjectOfStream(author), text };
    this.#command({ service: 'notes', tenant, stream, decider: () => note as never, command, text });
  }

  #school(tenant: string, what: 'provision' | 'move'): void {
    const command = { do: what, url: `https://${this.#next('host')}.example` };
    this.#command({ service: 'school', tenant, stream: 'school', decider: () => school as never, command });
  }

  /** Only processes of the second release can. */
  #badge({ tenant, stream: person }: Known): void {
    const nodes = this.#world.serving('school').filter(({ release }) => release.number === 2);
    if (nodes.length === 0) return;
    const stream = this.#next('badge');
    const command: Command = { service: 'school', tenant, stream, decider: () => badge as never, command: { person } };
    this.#try(command, this.#asked(command), 1, this.#world.random.pick(nodes));
  }

  #erase({ tenant, stream }: Known): void {
    const subject = subjectOfStream(stream);
    const nodes = this.#world.serving('school');
    if (nodes.length === 0) return;
    const node = this.#world.random.pick(nodes);
    const erasing = this.ledger.erasing(tenant, subject);
    this.#world.note(`erase ${tenant} ${subject}`, node);
    this.#within(node, ({ eraser }) =>
      eraser.erase(tenant, subject, meta).then(
        () => {
          this.#world.note(`erased ${tenant} ${subject}`, node);
          erasing.doneAt ??= this.#world.scheduler.now;
        },
        (error: Error) => this.#world.note(`not erased ${tenant} ${subject}: ${error.name}`, node),
      ),
    );
  }

  #command(command: Command, done?: () => void): void {
    const asked = this.#asked(command);
    const nodes = this.#world.serving(command.service);
    if (nodes.length > 0) this.#try(command, asked, 1, this.#world.random.pick(nodes), done);
  }

  #asked({ service, tenant, stream, text }: Command): Asked {
    return this.ledger.ask(service, tenant, stream, uuidv5('client', this.#plan.seed, (this.#count += 1)), text);
  }

  #try(command: Command, asked: Asked, attempt: number, node: Node, done?: () => void): void {
    const { tenant, stream } = command;
    const { commitId } = asked;
    asked.isOpen = true;
    const isOpenBefore = attempt > 1;
    this.#within(node, async ({ ports }) => {
      const request = { tenant, stream, at: isoTime(ownTime()), meta, commitId, command: command.command as never };
      const said = await execute(ports.log, command.decider(node.release.number), request).catch(
        (error: Error) => error,
      );
      this.#world.note(`${tenant} ${stream} ${JSON.stringify(command.command)} → ${outcomeOf(said)}`, node);
      if (!(said instanceof Error) && !isRejection(said)) {
        asked.isOpen = false;
        asked.ackedAt ??= this.#world.scheduler.now;
        asked.version = said.version;
        this.#reads.acknowledged(node, command, said.version);
        return done?.();
      }
      const isSure =
        !(said instanceof Error) || [Unavailable, ConcurrencyConflict, Erased].some((kind) => said instanceof kind);
      if (isSure && !isOpenBefore) asked.isOpen = false;
      if (said instanceof Error && !(said instanceof Erased) && attempt < tries)
        this.#later(command, asked, attempt, done);
    });
  }

  #later(command: Command, asked: Asked, attempt: number, done?: () => void): void {
    const { scheduler, random } = this.#world;
    const again = (): void => {
      const nodes = this.#world.serving(command.service);
      const able = command.stream.startsWith('badge') ? nodes.filter(({ release }) => release.number === 2) : nodes;
      if (able.length > 0) this.#try(command, asked, attempt + 1, random.pick(able), done);
    };
    scheduler.after(random.between(50, 1_500), again, undefined);
  }

  #within(node: Node, work: (serving: Serving) => Promise<unknown>): void {
    const { serving } = node;
    if (serving) this.#world.within(node, () => void work(serving));
  }

  #next(kind: string): string {
    return `${kind}-${(this.#count += 1)}`;
  }
}

function outcomeOf(said: Error | Rejection | { version: number; position?: number | undefined }): string {
  if (said instanceof Error) return `${said.name} ${said.message}`;
  return isRejection(said) ? String(said.rejected) : `version ${said.version} at ${said.position}`;
}
