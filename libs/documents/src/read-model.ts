import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, systemClock } from '@lyceum/kernel';
import { BuildRegister, type Keeping, completeBuild, keeping } from './build-register.ts';
import { builder } from './builder.ts';
import type { IncomingCommit } from './incoming.ts';
import type { Redriven } from './lane-projector.ts';
import { covers, storedOf } from './live-documents.ts';
import type { Parked } from './parked.ts';
import { type Build, type Pointer, Pointers, collectionOf } from './pointers.ts';
import type { Documents } from './port.ts';
import type { Projection } from './projection.ts';
import { type Projector, projector } from './projector.ts';
import type { ProjectorOptions } from './projector-options.ts';

/** Something that is fed with events. */
export interface Fed {
  /** Resolves when all that the source had at the time of the call has been handled. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/** Feeds commits of every lane, in order, from where `from` says, for ever; a throw is tried again with backoff. */
export type Feed = (options: {
  readonly from: (lane: number) => Promise<number>;
  readonly handle: (lane: number, batch: readonly IncomingCommit[]) => Promise<void>;
  /** Commits at a time, about. */
  readonly batch: number;
  /** Names the build that is fed, and whether it is live: different for two feeds at the same time. */
  readonly name: string;
}) => Fed;

/** What a read model runs on. */
export interface ReadModelOptions extends Pick<ProjectorOptions, 'history' | 'tries' | 'onParked'> {
  readonly documents: Documents;
  readonly projection: Projection;
  /** The projection of the version before, to keep its documents fresh while this one is built. */
  readonly previous?: Projection;
  readonly source: string;
  readonly feed: Feed;
  /** Names this process among all that use the documents. */
  readonly owner: string;
  readonly clock?: Clock;
  /** Part of the time that a rebuild may take while readers use another build; 0.5 when not given. */
  readonly share?: number;
  readonly keep?: Keeping;
  /** Hears of a build that failed and is begun again. Must not throw. */
  readonly onError?: (error: unknown) => void;
}

/** A read model that is kept up to date, and can be built anew while it is read. */
export interface ReadModel extends Fed {
  readonly name: string;
  readonly version: number;
  readonly source: string;
  /** Whether a build is being made in this process. */
  readonly isBuilding: boolean;
  /** Position of the source's lane up to which this version's complete build goes; 0 while there is none. */
  position(lane: number): Promise<number>;
  /**
   * Resolves when readers get all that the source had at the time of the call; at once while they read an older version
   * that serves until this one is built.
   */
  caughtUp(): Promise<void>;
  /** Resolves when this version is complete and readers get it. Rejects when closed before. */
  built(): Promise<void>;
  /** Builds it anew beside the live one; resolves when readers get the new build. A second call joins the first. */
  rebuild(): Promise<void>;
  parked(): Promise<readonly Parked[]>;
  redrive(stream: Pick<Parked, 'lane' | 'tenant' | 'stream'>): Promise<Redriven>;
}

/** The read model was closed before its build was complete. */
class BuildAbandoned extends Error {
  override readonly name = 'BuildAbandoned';
}

const buildBatch = 1024;
const liveBatch = 256;
const pollEvery = 500;
const beatEvery = 5_000;
const longestPause = 5_000;

interface Followed extends Fed {
  readonly run: Projector;
}

class RunningReadModel implements ReadModel {
  readonly name: string;
  readonly version: number;
  readonly source: string;
  readonly #options: ReadModelOptions;
  readonly #register: BuildRegister;
  readonly #followed = new Map<number, Followed>();
  readonly #closing = new AbortController();
  readonly #watch: Promise<void>;
  #own: number | undefined;
  #building: Promise<void> | undefined;

  constructor(options: ReadModelOptions, register: BuildRegister, pointer: Pointer) {
    const { collection } = options.projection;
    this.name = collection.name;
    this.version = collection.version;
    this.source = options.source;
    this.#options = options;
    this.#register = register;
    this.#adopt(pointer);
    if (this.#own === undefined) this.#build(this.#fallback(pointer) ? (options.share ?? 0.5) : 1);
    this.#watch = this.#keepWatch();
  }

  get isBuilding(): boolean {
    return this.#building !== undefined;
  }

  async position(lane: number): Promise<number> {
    return (await this.#current()?.run.from(lane)) ?? 0;
  }

  async caughtUp(): Promise<void> {
    const old = this.#own === undefined ? this.#fallback(await this.#register.read()) : undefined;
    if (old) return this.#followed.get(old.build)?.caughtUp();
    await this.built();
    await this.#followed.get(this.#own!)!.caughtUp();
  }

  async built(): Promise<void> {
    if (this.#own === undefined) await this.#building;
  }

  rebuild(): Promise<void> {
    return this.#build(this.#options.share ?? 0.5);
  }

  async parked(): Promise<readonly Parked[]> {
    return (await this.#current()?.run.parked()) ?? [];
  }

  async redrive(stream: Pick<Parked, 'lane' | 'tenant' | 'stream'>): Promise<Redriven> {
    await this.built();
    return this.#current()!.run.redrive(stream);
  }

  async close(): Promise<void> {
    this.#closing.abort(new BuildAbandoned(`${this.name} was closed`));
    await this.#building?.catch(() => undefined);
    await this.#watch;
    await Promise.all(Array.from(this.#followed.values(), (each) => each.close()));
  }

  #current(): Followed | undefined {
    return this.#own === undefined ? undefined : this.#followed.get(this.#own);
  }

  /** An older live build that the present readers can read. */
  #fallback({ live }: Pointer): Build | undefined {
    return live && covers(live.fields, this.#options.projection.collection.fields) ? live : undefined;
  }

  /** Follows the builds that need it: the complete one of this version, and the live one of the version before. */
  #adopt(pointer: Pointer): void {
    const { projection, previous } = this.#options;
    const own = completeBuild(pointer, this.version);
    if (own) this.#follow(own, projection);
    if (own) this.#own = own.build;
    const { live } = pointer;
    if (live && previous?.collection.version === live.version) this.#follow(live, previous);
    const there = [live, ...pointer.kept].map((build) => build?.build);
    for (const [build, followed] of this.#followed)
      if (!there.includes(build) && build !== this.#own && build !== pointer.building?.build) {
        this.#followed.delete(build);
        void followed.close();
      }
  }

  #follow(build: Build, projection: Projection): Followed {
    const known = this.#followed.get(build.build);
    if (known) return known;
    const { feed, documents } = this.#options;
    const collection = collectionOf(this.name, build);
    const run = projector({ ...this.#options, projection: { ...projection, collection } });
    const opened = documents.open(collection);
    opened.catch(() => undefined);
    const from = async (lane: number) => opened.then(() => run.from(lane));
    const fed = feed({ from, handle: run.handle, batch: liveBatch, name: collection.name });
    const followed: Followed = { run, caughtUp: () => fed.caughtUp(), close: () => fed.close() };
    this.#followed.set(build.build, followed);
    return followed;
  }

  #build(share: number): Promise<void> {
    if (this.#building) return this.#building;
    const building = this.#buildUntilDone(share).finally(() => (this.#building = undefined));
    building.catch(() => undefined);
    return (this.#building = building);
  }

  async #buildUntilDone(share: number): Promise<void> {
    const before = this.#own;
    for (let failures = 0; ;) {
      this.#closing.signal.throwIfAborted();
      try {
        const build = await this.#register.claim();
        if (build) return await this.#buildOnce(build, share);
        // Another process builds it; when that is complete, it is ours too.
        await this.#wait(pollEvery);
        this.#adopt(await this.#register.read());
        if (this.#own !== undefined && this.#own !== before) return;
      } catch (error) {
        if (this.#closing.signal.aborted) throw error;
        this.#options.onError?.(error);
        failures += 1;
        await this.#wait(Math.min(50 * 2 ** failures, longestPause));
      }
    }
  }

  async #buildOnce(build: Build, share: number): Promise<void> {
    const { projection, feed, clock } = this.#options;
    const collection = collectionOf(this.name, build);
    const work = builder({
      ...this.#options,
      projection: { ...projection, collection },
      share,
      ...(clock ? { clock } : {}),
    });
    const beating = setInterval(() => void this.#register.beat(build).catch(() => undefined), beatEvery);
    const fed = feed({ from: work.from, handle: work.handle, batch: buildBatch, name: `${collection.name}.building` });
    try {
      await this.#unlessClosed(Promise.race([fed.caughtUp(), work.failed]));
      await this.#unlessClosed(work.flush());
    } finally {
      clearInterval(beating);
      await fed.close().catch(() => undefined);
    }
    await this.#unlessClosed(work.flush());
    const followed = this.#follow(build, projection);
    await this.#unlessClosed(followed.caughtUp());
    if (!(await this.#register.publish(build))) throw new Error(`another process took over building ${this.name}`);
    this.#own = build.build;
  }

  #unlessClosed<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#closing;
    return new Promise<T>((resolve, reject) => {
      const stop = () => reject(signal.reason as Error);
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
  }

  #wait(milliseconds: number): Promise<unknown> {
    return pause(milliseconds, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }

  /** Follows the pointer that other processes move, and drops what nobody needs any more. */
  async #keepWatch(): Promise<void> {
    const every = Math.min(this.#options.keep?.sameVersion ?? pollEvery * 4, pollEvery * 4);
    while (!this.#closing.signal.aborted) {
      await pause(every, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
      if (this.#closing.signal.aborted) return;
      try {
        const pointer = await this.#register.read();
        if (!this.#building) this.#adopt(pointer);
        if (pointer.kept.length > 0) await this.#register.sweep((build) => this.#leave(build));
      } catch (error) {
        this.#options.onError?.(error);
      }
    }
  }

  async #leave(build: number): Promise<void> {
    await this.#followed.get(build)?.close();
    this.#followed.delete(build);
  }
}

/**
 * Keeps a read model up to date. Its first build, and that of a new version, is made from the beginning of the source;
 * readers (see `liveDocuments`) get it once it has caught up, and until then what was there before.
 */
export async function readModel(given: ReadModelOptions): Promise<ReadModel> {
  // A build is one collection; a reader's redirection would mix two.
  const options = { ...given, documents: storedOf(given.documents) };
  const { documents, projection, owner, clock = systemClock } = options;
  const wanted = options.keep ?? keeping;
  // Nobody takes erased persons out of a build that is not followed any more, so such builds do not stay.
  const keep = projection.erase ? { ...wanted, otherVersion: wanted.sameVersion } : wanted;
  const pointers = await Pointers.open(documents);
  const register = new BuildRegister({ documents, pointers, collection: projection.collection, owner, clock, keep });
  await register.sweep(async () => undefined);
  return new RunningReadModel(options, register, await register.read());
}
