import { copyOf } from './running/copy.ts';
import type { Message } from '@lyceum/channel';
import { type Documents, DocumentsUnavailable, memoryDocuments } from '@lyceum/documents';
import { type KeyStore, Unavailable, memoryKeyStore } from '@lyceum/eventlog';
import { MailUnavailable } from '@lyceum/mail';
import type { Reach } from './servers/channel-client.ts';
import { setNature } from './running/globals.ts';
import { KeptStore } from './servers/kept-store.ts';
import type { LaneRecord } from './servers/log-lane.ts';
import { LogServer } from './servers/log-server.ts';
import { MailServer } from './servers/mail-server.ts';
import { Node, boot } from './node.ts';
import { Random } from './running/random.ts';
import type { Release } from './services/releases.ts';
import { Scheduler } from './running/scheduler.ts';
import { Topics } from './servers/topics.ts';
import { Wire } from './servers/wire.ts';

/** The services of the installation. */
export const serviceNames = ['school', 'notes'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The servers that keep what a service has. */
export interface Servers {
  readonly log: LogServer;
  readonly documents: KeptStore<Documents>;
  readonly keys: KeptStore<KeyStore>;
}

/** Something that must never be. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

/** Milliseconds until somebody who asks another process gives up. */
const patience = 3_000;

const documentReads = ['checkpoint', 'checkpointOf', 'get', 'query', 'close'];
const keyReads = ['get', 'schools', 'subjects', 'unreported', 'searched', 'close'];

const wired = (unsent: () => Error, unknown: () => Error = unsent) => ({ unsent, unknown });
const driver = (name: string) => () => Object.assign(new Error('simulated'), { name });

/** Everything there is in one simulation: servers, processes, and what was seen of them. */
export class World {
  readonly lanes = 2;
  readonly scheduler = new Scheduler();
  readonly random: Random;
  readonly servers: Readonly<Record<ServiceName, Servers>>;
  readonly topics: Topics;
  readonly mail: MailServer;
  readonly broker: Wire;
  readonly mutations: ReadonlySet<string>;
  readonly nodes: Node[] = [];
  /** What happened, for whoever looks into a failure. */
  readonly history: string[] = [];
  /** A log was put back. */
  wasRestored = false;
  /** ... and nobody said so: what process managers had written into it and is gone, they count as done. */
  isOldLife = false;
  /** What went with it, each after its tenant. */
  readonly lost = { commits: new Set<string>(), streams: new Set<string>() };
  /** The first thing that must never be. */
  broken: Broken | undefined;
  onStored: (service: ServiceName, lane: number, record: LaneRecord, before: LaneRecord | undefined) => void = () =>
    undefined;
  /** A log was cut: it has fewer commits now. */
  onCut: (service: ServiceName) => void = () => undefined;

  constructor(seed: number, mutations: ReadonlySet<string>) {
    this.random = new Random(seed);
    this.mutations = mutations;
    const { scheduler, random } = this;
    setNature({ scheduler, random: new Random(seed ^ 0x5bd1e995) });
    const wire = (failures: ReturnType<typeof wired>) => new Wire(scheduler, random, failures);
    const servers = (service: ServiceName): Servers => ({
      log: new LogServer(
        this.lanes,
        wire(wired(driver('MongoServerSelectionError'), driver('MongoNetworkError'))),
        (...stored) => this.onStored(service, ...stored),
      ),
      documents: new KeptStore(
        memoryDocuments,
        documentReads,
        wire(wired(() => new DocumentsUnavailable('simulated'))),
      ),
      keys: new KeptStore(memoryKeyStore, keyReads, wire(wired(() => new Unavailable('simulated')))),
    });
    this.servers = { school: servers('school'), notes: servers('notes') };
    this.topics = new Topics(scheduler, random, this.lanes);
    this.mail = new MailServer(scheduler, wire(wired(() => new MailUnavailable('simulated'))));
    this.broker = wire(wired(() => new Error('the broker is away')));
  }

  /** Says that something must never be. */
  fail(what: string): void {
    this.broken ??= new Broken(what);
    this.note(`BROKEN ${what}`);
  }

  note(what: string, node?: { readonly name: string }): void {
    this.history.push(`${this.scheduler.now.toFixed(0).padStart(7)} ${(node?.name ?? '').padEnd(10)} ${what}`);
  }

  /** Starts a process of a service. One whose start fails ends, and is started again by whoever looks after it. */
  start(service: ServiceName, release: Release, skew: number): Node {
    const node = new Node(`${service}-${this.nodes.length + 1}`, service, release, skew);
    this.nodes.push(node);
    this.note(`starts with release ${release.number}, its clock ${skew.toFixed(0)} ms ahead`, node);
    this.within(node, () => {
      boot(this, node).then(
        () => this.note('serves', node),
        (error: Error) => {
          this.note(`does not start: ${error.name} ${error.message}`, node);
          this.crash(node);
          this.scheduler.after(1_000, () => void this.start(service, release, skew), undefined);
        },
      );
    });
    return node;
  }

  /** Puts an older copy of a log in its place: each lane lacks a few of its newest commits. */
  cutLog(service: ServiceName, isOldLife: boolean): void {
    const { log } = this.servers[service];
    if (isOldLife) this.isOldLife = true;
    else log.beginEpoch();
    this.wasRestored = true;
    for (const lane of log.lanes)
      for (const { tenant, cid, streams } of lane.cut(Math.max(0, lane.all.length - this.random.below(6)))) {
        this.lost.commits.add(`${tenant}\0${cid}`);
        for (const { id } of streams) this.lost.streams.add(`${tenant}\0${id}`);
      }
    this.onCut(service);
  }

  crash(node: Node): void {
    if (node.dead) return;
    this.note('crashes', node);
    node.dead = true;
    node.serving = undefined;
    this.topics.look();
  }

  /** Has something happen in a process, soon. */
  within(node: Node | undefined, work: () => void): void {
    this.scheduler.after(0, work, node);
  }

  alive(service: ServiceName): readonly Node[] {
    return this.nodes.filter((node) => node.service === service && !node.dead);
  }

  serving(service: ServiceName): readonly Node[] {
    return this.alive(service).filter((node) => node.serving && !node.stopped);
  }

  /** How a process reaches the broker and other processes. */
  reachOf(node: Node): Reach {
    return {
      owner: node,
      lanes: this.lanes,
      topics: this.topics,
      publish: (messages: readonly Message[]) =>
        this.broker.ask('publish', () => this.topics.publish(messages)) as Promise<void>,
      ask: (source, question) => this.#ask(node, source as ServiceName, question),
    };
  }

  #ask<T>(from: Node, source: ServiceName, question: (history: never) => Promise<T>): Promise<T> {
    const { scheduler, random } = this;
    const others = this.alive(source).filter((node) => node.channel?.history(source));
    return new Promise((resolve, reject) => {
      const timer = scheduler.after(patience, () => reject(new Error(`${source} does not answer`)), from);
      const settle = (done: () => void): void => {
        timer.canceled = true;
        scheduler.after(random.between(1, 5), done, from);
      };
      if (others.length === 0) return settle(() => reject(new Error(`${source} is away`)));
      const asked = random.pick(others);
      const begin = (): void =>
        void question(asked.channel!.history(source) as never).then(
          (answer) => settle(() => resolve(copyOf(answer))),
          (error: Error) => settle(() => reject(error)),
        );
      scheduler.after(random.between(1, 5), begin, asked);
    });
  }
}
