import type { Clock } from '@lyceum/kernel';
import { declarationOf } from '../collection/declaration.ts';
import { type Build, type Pointer, type Pointers, collectionOf } from './pointers.ts';
import type { Collection, Documents } from '../port.ts';

/** How long builds that are not live any more are kept, milliseconds. */
export interface Keeping {
  /** Of the version that is live: long enough for readers that looked at the pointer just before it moved. */
  readonly sameVersion: number;
  /** Of other versions: long enough to go back to the release before. */
  readonly otherVersion: number;
}

export const keeping: Keeping = { sameVersion: 60_000, otherVersion: 24 * 3_600_000 };

/** A builder whose sign of life does not change for so long is gone: on the clock of the one who looks, milliseconds. */
const silence = 15_000;

interface RegisterOptions {
  readonly documents: Documents;
  readonly pointers: Pointers;
  readonly collection: Collection;
  readonly owner: string;
  readonly clock: Clock;
  readonly keep: Keeping;
}

/** The build that a process has the right to make. `goesOn`: it was begun before. */
export interface Claimed {
  readonly build: Build;
  readonly goesOn: boolean;
}

/** The builds of one read model, and which of them is whose. */
export class BuildRegister {
  readonly #options: RegisterOptions;
  /** What was seen of the other builder last, and since when: machines do not agree on what time it is. */
  #seen: { readonly sign: string; readonly since: number } | undefined;
  /** Since when a build was seen among those that are kept, on the own clock. */
  readonly #seenKept = new Map<number, number>();

  constructor(options: RegisterOptions) {
    this.#options = options;
  }

  read(): Promise<Pointer> {
    return this.#options.pointers.read(this.#options.collection.name);
  }

  /**
   * Claims the right to build. Gives a new build, or one of this version that was cut off and that can be gone on with, unless
   * it shall be made `anew`; undefined while another process builds this version.
   */
  async claim({ anew = false } = {}): Promise<Claimed | undefined> {
    const { collection, owner, clock, documents } = this.#options;
    const { version, fields } = collection;
    let claimed: Claimed | undefined;
    await this.#change((before) => {
      const { building, kept, next, ...rest } = before;
      claimed = undefined;
      const alive = building && building.owner !== owner && this.#isAlive(building);
      if (alive && !documents.exclusive) return undefined;
      if (building && !anew && canGoOn(building, collection)) {
        claimed = { build: buildOf(building), goesOn: true };
        return { ...before, building: { ...building, owner, beat: Math.max(clock.now(), building.beat + 1) } };
      }
      const build = { version, build: next, fields };
      claimed = { build, goesOn: false };
      const given = building ? [...kept, { ...buildOf(building), since: 0, complete: false }] : kept;
      return { ...rest, kept: given, next: next + 1, building: { ...build, owner, beat: clock.now(), undoes: true } };
    });
    if (!claimed) return undefined;
    const own = collectionOf(collection.name, claimed.build);
    // Something of this name may be left from a time without pointers.
    if (!claimed.goesOn) await documents.drop(own);
    await documents.open(own);
    return claimed;
  }

  /** Tells other processes that the build goes on, and in which epoch of the log. False when it is not ours any more. */
  async beat(build: Build): Promise<boolean> {
    const { clock } = this.#options;
    const after = await this.#change((before) =>
      this.#isOwn(before, build)
        ? {
            ...before,
            building: {
              ...before.building!,
              ...(build.life === undefined ? {} : { life: build.life }),
              beat: Math.max(clock.now(), before.building!.beat + 1),
            },
          }
        : undefined,
    );
    return this.#isOwn(after, build);
  }

  /** Moves the pointer to a complete build. False when the right to build was lost. */
  async publish(build: Build): Promise<boolean> {
    const { clock } = this.#options;
    const after = await this.#change(({ building, live, kept, next }) =>
      this.#isOwn({ building }, build)
        ? { live: build, next, kept: live ? [...kept, { ...live, since: clock.now(), complete: true }] : kept }
        : undefined,
    );
    for (const each of after.kept) this.#seenKept.set(each.build, this.#seenKept.get(each.build) ?? clock.now());
    return after.live?.build === build.build;
  }

  /** Drops the builds whose time is over; `leave` is told of each before. */
  async sweep(leave: (build: number) => Promise<void>): Promise<void> {
    const { collection, clock, keep, documents } = this.#options;
    const over = ({ kept, live }: Pointer) =>
      kept.filter(({ build, version, complete, since }) => {
        const span = !complete ? 0 : version === live?.version ? keep.sameVersion : keep.otherVersion;
        const kept = this.keptFor(build);
        // A day is a day on all machines, a minute is not.
        return clock.now() - since >= span && kept >= Math.min(span, keep.sameVersion);
      });
    const gone = over(await this.read());
    for (const build of gone) {
      await leave(build.build);
      await documents.drop(collectionOf(collection.name, build));
    }
    const numbers = gone.map(({ build }) => build);
    for (const number of numbers) this.#seenKept.delete(number);
    if (gone.length > 0)
      await this.#change((before) => ({
        ...before,
        kept: before.kept.filter(({ build }) => !numbers.includes(build)),
      }));
  }

  /** For how many milliseconds a build has been seen among those that are kept. */
  keptFor(build: number): number {
    const { clock } = this.#options;
    const seen = this.#seenKept.get(build) ?? clock.now();
    this.#seenKept.set(build, seen);
    return clock.now() - seen;
  }

  #isOwn({ building }: { readonly building?: Pointer['building'] | undefined }, { build }: Build): boolean {
    return building?.build === build && building.owner === this.#options.owner;
  }

  /** Whether a builder gave a sign of life lately; one that is seen for the first time may have. */
  #isAlive({ build, owner, beat }: NonNullable<Pointer['building']>): boolean {
    const sign = `${build} ${owner} ${beat}`;
    const now = this.#options.clock.now();
    if (this.#seen?.sign !== sign) this.#seen = { sign, since: now };
    return now - this.#seen.since < silence;
  }

  #change(change: (before: Pointer) => Pointer | undefined): Promise<Pointer> {
    return this.#options.pointers.change(this.#options.collection.name, change);
  }
}

/** The complete build of a version, if there is one: the live one first. */
export function completeBuild({ live, kept }: Pointer, version: number): Build | undefined {
  if (live?.version === version) return live;
  return kept.filter((build) => build.complete && build.version === version).at(-1);
}

/** Whether what is stored of a build can be taken back to its checkpoints, and is of the same declaration. */
const canGoOn = (building: NonNullable<Pointer['building']>, collection: Collection): boolean =>
  building.undoes === true &&
  building.version === collection.version &&
  declarationOf({ ...collection, fields: building.fields }) === declarationOf(collection);

const buildOf = ({ version, build, fields, life }: Build): Build => ({
  version,
  build,
  fields,
  ...(life === undefined ? {} : { life }),
});
