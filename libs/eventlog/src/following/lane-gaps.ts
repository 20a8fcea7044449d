import type { Gap } from '../errors.ts';

/** The gaps that block followers of a log at this moment, for its operators. In memory. */
export class LaneGaps {
  readonly #gaps = new Map<object, Gap>();

  /** A follower is blocked by a gap, and goes on asking. */
  stand(follower: object, gap: Gap): void {
    this.#gaps.set(follower, gap);
  }

  /** A follower goes on, or has ended. */
  end(follower: object): void {
    this.#gaps.delete(follower);
  }

  /** The first position of a lane that a follower is missing; undefined when there is none. */
  missingIn(lane: number): number | undefined {
    const missing = Array.from(this.#gaps.values()).flatMap((gap) => (gap.lane === lane ? [gap.at] : []));
    return missing.length === 0 ? undefined : Math.min(...missing);
  }
}
