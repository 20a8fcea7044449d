import { systemClock } from '@lyceum/kernel';
import { BuildStuck, buildAnew } from './build-anew.ts';
import { type BuildRegister, type Claimed, completeBuild, keeping } from './build-register.ts';
import { type Followed, Outlived, follow } from './followed.ts';
import type { Redriven } from '../projector/lane-projector.ts';
import { followErasures } from './following-erasures.ts';
import { Lifetime } from './lifetime.ts';
import { covers } from './live-documents.ts';
import type { Parked } from '../projector/parked.ts';
import { type Build, type Pointer, collectionOf } from './pointers.ts';
import type { ReadModel } from './read-model.ts';
import type { ReadModelOptions } from './read-model-options.ts';

const pollEvery = 500;
/** Milliseconds between looks at the pointer that other processes move. Well below the time that builds stay after it. */
const watchEvery = 5_000;
const longestPause = 5_000;

/** A read model that runs in this process. */
export class RunningReadModel implements ReadModel {
  readonly name: string;
  readonly version: number;
  readonly source: string;
  readonly #options: ReadModelOptions;
  readonly #register: BuildRegister;
  readonly #followed = new Map<number, Followed>();
  readonly #outlived = new Set<number>();
  readonly #lifetime: Lifetime;
  readonly #watch: Promise<void>;
  #own: number | undefined;
  #building: Promise<void> | undefined;

  constructor(options: ReadModelOptions, register: BuildRegister, pointer: Pointer) {
    const { collection } = options.projection;
    this.name = collection.name;
    this.version = collection.version;
    this.source = options.source;
    this.#options = options;
    this.#lifetime = new Lifetime(`${this.name} was closed`);
    this.#register = register;
    this.#adopt(pointer);
    if (this.#own === undefined) this.#build(this.#fallback(pointer) ? (options.share ?? 0.5) : 1);
    this.#watch = this.#keepWatch();
  }

  get #watchEvery(): number {
    return Math.min(this.#options.keep?.sameVersion ?? watchEvery, watchEvery);
  }

  get isBuilding(): boolean {
    return this.#building !== undefined;
  }

  keeps(lane: number): boolean {
    return this.#options.shares?.(lane) ?? true;
  }

  async position(lane: number): Promise<number> {
    return (await this.#current()?.run.stored(lane))?.position ?? 0;
  }

  async caughtUp(): Promise<void> {
    const old = this.#own === undefined ? this.#fallback(await this.#register.read()) : undefined;
    const { erase } = this.#options.projection;
    if (old && (this.#followed.has(old.build) || !erase)) return this.#followed.get(old.build)?.caughtUp();
    await this.built();
    for (let isOver: boolean | undefined; isOver !== false;) {
      const current = this.#current();
      // The first of the two is asked first: following an outlived build ends with an error.
      isOver = current && (await Promise.race([current.outlived, current.caughtUp().then(() => false)]));
      if (isOver !== false) await (this.#building ?? this.#lifetime.pause(pollEvery));
      this.#lifetime.check();
    }
  }

  async built(): Promise<void> {
    if (this.#own === undefined) await this.#building;
  }

  rebuild(): Promise<void> {
    return this.#build(this.#options.share ?? 0.5);
  }

  async parked(): Promise<readonly Parked[]> {
    const parked = (await this.#current()?.run.parked()) ?? [];
    return parked.filter(({ lane }) => this.keeps(lane));
  }

  async redrive(stream: Pick<Parked, 'lane' | 'tenant' | 'stream'>): Promise<Redriven> {
    await this.built();
    return this.#current()!.run.redrive(stream);
  }

  async close(): Promise<void> {
    this.#lifetime.end();
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

  /** Follows the builds that need it: the complete one of this version, the live one, and what others may still read. */
  #adopt(pointer: Pointer): void {
    const { projection, previous, shares } = this.#options;
    const own = completeBuild(pointer, this.version);
    if (own) this.#follow(own, () => follow(this.#options, own, projection));
    if (own) this.#own = own.build;
    const { live, kept } = pointer;
    const read = [...(live ? [live] : []), ...(shares ? kept.filter((build) => this.#isReadElsewhere(build)) : [])];
    for (const build of read)
      if (build.version !== this.version)
        this.#follow(build, () =>
          previous?.collection.version === build.version
            ? follow(this.#options, build, previous)
            : followErasures(this.#options, build),
        );
    const there = (shares ? read : [...read, ...kept]).map(({ build }) => build);
    for (const [build, followed] of this.#followed)
      if (!there.includes(build) && build !== this.#own && build !== pointer.building?.build) {
        this.#followed.delete(build);
        void followed.close();
      }
  }

  /**
   * Whether processes of the release before may read a build that is not live any more: they leave their lanes to others when
   * they come to events that they do not know, and who is erased afterwards must go from what they read. It is left long
   * before one of those who follow it drops it.
   */
  #isReadElsewhere({ build, version, complete, since }: Pointer['kept'][number]): boolean {
    const { clock = systemClock, keep = keeping } = this.#options;
    const longest = keep.sameVersion - 2 * this.#watchEvery;
    const kept = Math.max(this.#register.keptFor(build), clock.now() - since);
    return complete && version !== this.version && kept < longest;
  }

  #follow(build: Build, begin: () => Followed | undefined): void {
    if (this.#followed.has(build.build) || this.#outlived.has(build.build)) return;
    const followed = begin();
    if (!followed) return;
    void followed.outlived.then(() => this.#outlive(build));
    this.#followed.set(build.build, followed);
  }

  /** A build of another epoch of the log is followed no more; the one of this version is replaced. */
  #outlive(build: Build): void {
    if (this.#outlived.has(build.build)) return;
    this.#outlived.add(build.build);
    void this.#leave(build.build);
    if (build.build === this.#own) void this.#replace(build).catch(() => undefined);
  }

  /** Builds this version anew, unless another process has done so. */
  async #replace(build: Build): Promise<void> {
    const pointer = this.#options.shares && (await this.#register.read().catch(() => undefined));
    if (pointer) this.#adopt(pointer);
    if (build.build === this.#own) await this.rebuild();
  }

  #build(share: number): Promise<void> {
    if (this.#building) return this.#building;
    const building = this.#buildUntilDone(share).finally(() => (this.#building = undefined));
    building.catch(() => undefined);
    return (this.#building = building);
  }

  async #buildUntilDone(share: number): Promise<void> {
    const before = this.#own;
    // What a rebuild replaces may be wrong, and so may be what another one left.
    for (let failures = 0, anew = before !== undefined; ;) {
      this.#lifetime.check();
      let claimed: Claimed | undefined;
      try {
        claimed = await this.#register.claim({ anew });
        if (claimed) return await this.#buildOnce(claimed, share);
        // Another process builds it; when that is complete, it is ours too.
        await this.#lifetime.pause(pollEvery);
        this.#adopt(await this.#register.read());
        if (this.#own !== undefined && this.#own !== before) return;
      } catch (error) {
        if (this.#lifetime.hasEnded) throw error;
        this.#options.onError?.(error);
        if (claimed) anew = error instanceof Outlived || error instanceof BuildStuck;
        failures += 1;
        await this.#lifetime.pause(Math.min(50 * 2 ** failures, longestPause));
      }
    }
  }

  async #buildOnce(claimed: Claimed, share: number): Promise<void> {
    const { build } = claimed.build;
    const lived = await buildAnew({ ...this.#options, share }, claimed, this.#register, this.#lifetime);
    const isWhole = this.#options.shares !== undefined;
    this.#follow(lived, () => follow(this.#options, lived, this.#options.projection, { isWhole }));
    const followed = this.#followed.get(build)!;
    try {
      await this.#lifetime.unlessEnded(Promise.race([followed.caughtUp(), followed.outlived]));
      if (this.#outlived.has(build)) throw new Outlived(collectionOf(this.name, lived).name);
      if (!(await this.#register.publish(lived))) throw new Error(`another process took over building ${this.name}`);
    } catch (error) {
      // It may be gone on with.
      await this.#leave(build);
      throw error;
    }
    this.#own = build;
    if (isWhole) void this.#shareOut(build).catch((error: unknown) => this.#options.onError?.(error));
  }

  /** Leaves the lanes of a new build to the processes that have them, once each of these has seen it. */
  async #shareOut(build: number): Promise<void> {
    await this.#lifetime.pause(2 * this.#watchEvery, { ref: false });
    if (this.#lifetime.hasEnded) return;
    await this.#leave(build);
    const pointer = await this.#register.read();
    if (!this.#lifetime.hasEnded) this.#adopt(pointer);
  }

  /** Follows the pointer that other processes move, and drops what nobody needs any more. */
  async #keepWatch(): Promise<void> {
    while (!this.#lifetime.hasEnded) {
      await this.#lifetime.nextMoment(this.#watchEvery);
      if (this.#lifetime.hasEnded) return;
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
