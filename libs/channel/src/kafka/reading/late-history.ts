import type { Backfill, Heads, History } from '../../port.ts';

/** The history of a source that has not answered yet. */
export class LateHistory implements History {
  /** As many as the transport has: at least those of the source, if it ever published anything. */
  readonly lanes: number;
  readonly #source: string;
  #history: History | undefined;

  constructor(source: string, lanes: number) {
    this.lanes = lanes;
    this.#source = source;
  }

  /** The source answered. Throws a RangeError when it has lanes that are not followed. */
  arrive(history: History): void {
    if (history.lanes > this.lanes)
      throw new RangeError(
        `${this.#source} has ${history.lanes} lanes, of which ${this.lanes} are followed: start again`,
      );
    this.#history = history;
  }

  readonly backfill: Backfill = async (lane, ...range) => {
    const { lanes, backfill } = this.#arrived;
    return lane < lanes ? backfill(lane, ...range) : [];
  };

  readonly heads = async (): Promise<Heads> => (await this.#arrived.heads?.()) ?? { heads: [] };

  get #arrived(): History {
    if (!this.#history) throw new Error(`the ${this.#source} service has not answered yet`);
    return this.#history;
  }
}
