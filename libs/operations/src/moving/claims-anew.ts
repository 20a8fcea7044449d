import { type Commit, type NewEvent, type Wish, claimStream, isClaimStream, wishes } from '@lyceum/eventlog';
import { upcast } from '@lyceum/kernel';
import type { Aggregate } from '@lyceum/service';
import { Unreadable } from './lines.ts';
import type { StoredCommitLine } from './wire.ts';

interface Known {
  readonly state: unknown;
  readonly version: number;
}

interface Held {
  readonly by: string | undefined;
  readonly version: number;
}

const claimText = /^[^\0\p{Surrogate}]{1,400}$/u;

/** The claims of a school that arrives, made of its events as its aggregates would make them; those in the file count for nothing. */
export class ClaimsAnew {
  readonly #states = new Map<string, Known>();
  readonly #held = new Map<string, Held>();

  /**
   * The events to write: the commit's own, and the claims that they imply. `seen` are the own ones as everybody may read
   * them. A commit with the right claims stays as it is.
   */
  renew(
    events: readonly NewEvent[],
    seen: Commit['events'],
    kinds: readonly Aggregate[],
    at: string,
  ): readonly NewEvent[] {
    const implied = this.#implied(seen, kinds, at).flatMap(({ wish, by }) => this.#written(wish, by));
    const given = events.filter(({ stream }) => isClaimStream(stream));
    const names = (claims: readonly NewEvent[]) => claims.map((claim) => JSON.stringify(nameOf(claim))).sort();
    if (JSON.stringify(names(given)) === JSON.stringify(names(implied))) return events;
    const own = events.filter(({ stream }) => !isClaimStream(stream));
    // An event's id is its number in the commit, and what is encrypted in it opens under that id only.
    if (own.some((event, index) => event !== events[index]))
      throw new Unreadable('its claims are not those that follow from its events');
    return [...own, ...implied];
  }

  /** The streams of a commit with the claims that it has now, each at the version that it has here. */
  touched(streams: StoredCommitLine['streams'], events: readonly NewEvent[]): StoredCommitLine['streams'] {
    const claims = [...new Set(events.filter(({ stream }) => isClaimStream(stream)).map(({ stream }) => stream))];
    const own = streams.filter(({ id }) => !isClaimStream(id));
    return [
      ...own,
      ...claims.map((id) => {
        const { version } = this.#held.get(id)!;
        return { id, before: version - 1, after: version };
      }),
    ];
  }

  #implied(seen: Commit['events'], kinds: readonly Aggregate[], at: string) {
    const wanted = new Map<string, { readonly wish: Wish<string>; readonly by: string }>();
    const streams = new Map(seen.map((event, index) => [event.stream, kinds[index]!.decider]));
    for (const [stream, decider] of streams) {
      if (!decider.claims && !decider.releases) continue;
      const events = seen.filter((event) => event.stream === stream).map((event) => upcast(decider.events, event));
      const before = this.#states.get(stream) ?? { state: decider.initial, version: 0 };
      for (const wish of wishes(decider, events, before, at)) {
        if (!claimText.test(wish.value)) throw new Unreadable(`stream ${stream} claims what cannot be claimed`);
        wanted.set(claimStream(wish.kind, wish.value), { wish, by: stream });
      }
      let { state, version } = before;
      for (const event of events) state = decider.evolve(state, event, { at, version: (version += 1) });
      this.#states.set(stream, { state, version });
    }
    return [...wanted.values()];
  }

  #written({ kind, value, rejected }: Wish<string>, by: string): readonly NewEvent[] {
    const stream = claimStream(kind, value);
    const held = this.#held.get(stream) ?? { by: undefined, version: 0 };
    const isWanted = rejected !== undefined;
    if (isWanted && held.by !== undefined && held.by !== by)
      throw new Unreadable(`stream ${by} claims what another stream of the school has: ${kind}`);
    if (isWanted === (held.by === by)) return [];
    this.#held.set(stream, { by: isWanted ? by : undefined, version: held.version + 1 });
    return [{ stream, type: isWanted ? 'Claimed' : 'Released', schema: 1, data: { by } }];
  }
}

const nameOf = ({ stream, type, schema, data }: NewEvent): readonly unknown[] => [stream, type, schema, data];
