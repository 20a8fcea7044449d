import type { Clients } from './clients.ts';
import type { Node } from './node.ts';
import type { FaultKind, Plan } from './plan.ts';
import type { Reads } from './checks/reads.ts';
import { type Release, firstRelease, secondRelease } from './services/releases.ts';
import { type ServiceName, type World, serviceNames } from './world.ts';

/** A copy is put back when there is something that it lacks. */
const earliest = (kind: FaultKind): number => (kind.startsWith('restore') ? 0.5 : 0);

/** Makes things go wrong, each at a time of the seed's own. */
export class Faults {
  readonly #world: World;
  readonly #plan: Plan;
  readonly #clients: Clients;
  readonly #reads: Reads;
  #isOver = false;

  constructor(world: World, plan: Plan, clients: Clients, reads: Reads) {
    this.#world = world;
    this.#plan = plan;
    this.#clients = clients;
    this.#reads = reads;
  }

  /** The release that processes have at first. */
  get release(): Release {
    return this.#plan.faults.has('upgrade') ? firstRelease : secondRelease;
  }

  skew(): number {
    return this.#plan.faults.has('skew') ? this.#world.random.between(-15_000, 15_000) : 0;
  }

  /** Plans all of it, from now on. */
  begin(duration: number): void {
    const { random, scheduler } = this.#world;
    for (const kind of this.#plan.faults)
      for (let times = 1 + random.below(3); times > 0; times -= 1)
        scheduler.after(
          random.between(earliest(kind), 1) * duration,
          () => void (this.#isOver || this.#happen(kind)),
          undefined,
        );
    if (this.#plan.faults.has('upgrade')) this.#upgrade(duration);
  }

  /** Nothing goes wrong any more, and whoever was stopped or is away comes back. */
  end(): void {
    this.#isOver = true;
    const { servers, broker, mail, topics, nodes } = this.#world;
    const wires = serviceNames.flatMap((name) => [
      servers[name].log.wire,
      servers[name].documents.wire,
      servers[name].keys.wire,
    ]);
    for (const { trouble } of [...wires, broker, mail.wire])
      Object.assign(trouble, { down: false, loseAnswer: 0, loseRequest: 0, late: 0, latency: 4 });
    for (const service of serviceNames) {
      for (const lane of servers[service].log.lanes) lane.hidden = 0;
      servers[service].documents.wire.slowness = () => 0;
    }
    Object.assign(topics.transport, { drop: 0, duplicate: 0, delay: 0 });
    mail.recover();
    for (const node of nodes) if (node.stopped) this.#world.scheduler.wake(node);
    topics.look();
  }

  #happen(kind: FaultKind): void {
    const { random } = this.#world;
    const service = random.pick(serviceNames);
    const apart: Partial<Record<FaultKind, () => void>> = {
      election: () => this.#election(service),
      outage: () => this.#outage(service),
      'lost-answers': () => this.#unsure(service, { loseAnswer: 0.1, loseRequest: 0.05 }),
      'late-writes': () => this.#unsure(service, { late: 0.1 }),
      transport: () => this.#transport(),
      pause: () => this.#pause(service),
      crash: () => this.#crash(service),
      'restore-documents': () => void this.#restore(service, 'documents'),
      'restore-keys': () => void this.#restore(service, 'keys'),
      'restore-log': () => void this.#restore('school', 'log'),
      poison: () => this.#clients.poison(),
      'slow-receiver': () => this.#slowReceiver(),
    };
    apart[kind]?.();
  }

  #for(milliseconds: number, what: string, end: () => void): void {
    const { scheduler } = this.#world;
    this.#world.note(what);
    scheduler.after(milliseconds, end, undefined);
  }

  /** Another primary: first none, then one that shows less than was acknowledged, for a while. */
  #election(service: ServiceName): void {
    const { random, servers, scheduler } = this.#world;
    const { log } = servers[service];
    const away = random.between(50, 1_500);
    // A primary that steps down closes its connections, and what comes afterwards is asked on new ones.
    const breakConnections = (): void =>
      log.breakConnections((owner, listener) => void scheduler.after(0, listener, owner));
    log.wire.trouble.down = true;
    this.#for(away, `election of ${service}`, () => {
      log.wire.trouble.down = false;
      breakConnections();
      for (const lane of log.lanes) lane.hidden = Math.min(lane.all.length, random.below(4));
      const hidden = random.between(200, 6_000);
      this.#for(hidden, `${service} hides ${log.lanes.map((lane) => lane.hidden).join(', ')}`, () => {
        for (const lane of log.lanes) lane.hidden = 0;
      });
    });
    breakConnections();
  }

  #outage(service: ServiceName): void {
    const { random, servers } = this.#world;
    const part = random.pick(['log', 'documents', 'keys'] as const);
    const { wire } = servers[service][part];
    wire.trouble.down = true;
    this.#for(random.between(100, 4_000), `${part} of ${service} are away`, () => void (wire.trouble.down = false));
  }

  #unsure(service: ServiceName, given: { loseAnswer?: number; loseRequest?: number; late?: number }): void {
    const { random, servers } = this.#world;
    const part = random.pick(['log', 'documents', 'keys'] as const);
    const { trouble } = servers[service][part].wire;
    Object.assign(trouble, given);
    const none = { loseAnswer: 0, loseRequest: 0, late: 0 };
    this.#for(random.between(500, 6_000), `${part} of ${service} answer unsurely`, () => Object.assign(trouble, none));
  }

  #transport(): void {
    const { random, topics, broker } = this.#world;
    Object.assign(topics.transport, { drop: 0.2, duplicate: 0.2, delay: 0.3 });
    if (random.chance(0.3)) broker.trouble.down = true;
    this.#for(random.between(500, 8_000), 'the broker loses, repeats and delays', () => {
      broker.trouble.down = false;
      Object.assign(topics.transport, { drop: 0, duplicate: 0, delay: 0 });
    });
  }

  #pause(service: ServiceName): void {
    const { random, scheduler } = this.#world;
    const nodes = this.#world.serving(service);
    if (nodes.length === 0) return;
    const node = random.pick(nodes);
    node.stopped = true;
    this.#for(random.between(500, 12_000), `${node.name} is stopped`, () => {
      if (node.stopped) this.#world.note('wakes', node);
      if (node.stopped) scheduler.wake(node);
    });
  }

  #crash(service: ServiceName): void {
    const nodes = this.#world.alive(service);
    if (nodes.length > 0) this.#again(this.#world.random.pick(nodes), (node) => node.release);
  }

  /** Ends a process, and starts another in its place. */
  #again(node: Node, release: (node: Node) => Release): void {
    if (node.dead) return;
    const { random } = this.#world;
    node.stopped = false;
    this.#world.crash(node);
    const { service } = node;
    this.#for(random.between(50, 3_000), `${node.name} is started again soon`, () => {
      this.#world.start(service, release(node), this.skew());
    });
  }

  #upgrade(duration: number): void {
    const { scheduler, random, nodes, servers } = this.#world;
    if (this.#plan.faults.has('slow-build')) {
      const isBuild = /^(apply|query) people.*@2$/;
      servers.school.documents.wire.slowness = (what) => (isBuild.test(what) ? 4_000 : 0);
    }
    for (const { service } of nodes)
      scheduler.after(
        random.between(0.1, 0.9) * duration,
        () => void (this.#isOver || this.#upgradeOne(service)),
        undefined,
      );
  }

  #upgradeOne(service: ServiceName): void {
    const old = this.#world.alive(service).filter(({ release }) => release.number === 1);
    if (old.length > 0) this.#again(this.#world.random.pick(old), () => secondRelease);
  }

  /** As an operator does: the processes of the service are ended, a part is put back, and they are started. */
  async #restore(service: ServiceName, part: 'documents' | 'keys' | 'log'): Promise<void> {
    const { random } = this.#world;
    if (!this.#canRestore(service, part)) return;
    this.#reads.isRestored = true;
    const gone = this.#world.alive(service);
    for (const node of gone) this.#world.crash(node);
    await this.#put(service, part);
    this.#for(random.between(10, 1_000), `${service} is started again`, () => {
      for (const { release } of gone) this.#world.start(service, release, this.skew());
    });
  }

  #canRestore(service: ServiceName, part: 'documents' | 'keys' | 'log'): boolean {
    return (
      part !== 'keys' || this.#world.servers[service].keys.changes > this.#world.servers[service].keys.lastOf('add')
    );
  }

  async #put(service: ServiceName, part: 'documents' | 'keys' | 'log'): Promise<void> {
    const { random, servers } = this.#world;
    const { documents, keys, log } = servers[service];
    for (const { wire } of [documents, keys, log]) wire.life += 1;
    this.#world.note(`${part} of ${service} are put back`);
    if (part === 'documents') return documents.restore(random.below(documents.changes));
    // A key that the copy does not have would be lost: that is no case that anything could be right in.
    const least = keys.lastOf('add');
    const kept = this.#world.mutations.has('A3') ? ['saveSearched'] : [];
    if (part === 'keys') return keys.restore(least + random.below(keys.changes - least), kept);
    this.#world.cutLog(service, !random.chance(0.5));
  }

  #slowReceiver(): void {
    const { random, mail } = this.#world;
    const tenant = random.pick(this.#plan.schools);
    mail.slow.set(tenant, 5_000);
    this.#clients.crowd(tenant);
    this.#world.note(`the receiver of ${tenant} is slow`);
  }
}
