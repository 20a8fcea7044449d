import type { Channel } from '@lyceum/channel';
import type { FactSource } from '@lyceum/contracts';
import type { Documents } from '@lyceum/documents';
import type { Clock } from '@lyceum/kernel';
import { type Trust, type TrustSnapshot, type TrustState, trustState } from '@lyceum/oauth';
import { FollowedSource } from '../followed-state/followed-source.ts';
import type { FollowedState } from '../followed-state/followed-state.ts';
import { snapshotCollection } from '../followed-state/snapshot-forms.ts';
import { StateSnapshots } from '../followed-state/state-snapshots.ts';
import type { IsAway } from '../peer.ts';

/** The services whose facts decide whether a token is good. */
export const trustSources: readonly FactSource[] = ['school', 'auth'];

/** A release that keeps more kinds of pieces has another version. */
const collection = snapshotCollection('trust', 4);

/**
 * The sources that a process builds its trust from: all of them when its modules check tokens, none for those that do
 * not.
 */
export const trustSourcesOf = (
  modules: readonly { readonly name: string; readonly consumes: readonly FactSource[] }[],
): readonly FactSource[] => {
  const known = modules.flatMap(({ name, consumes }) => [name, ...consumes]);
  return trustSources.every((source) => known.includes(source)) ? trustSources : [];
};

/** What the process knows of schools, keys, members and revocations. */
export interface FollowedTrust {
  readonly trust: Trust;
  /** Whether tokens can be judged: each source is known as it was at some time since the start, or as it was kept before. */
  readonly isKnown: boolean;
  /** Resolves when everything that the sources had at the time of the call is known here; without those that are away. */
  caughtUp(isAway?: IsAway): Promise<void>;
  /** Stops following, and keeps what is known for the next start. */
  close(): Promise<void>;
}

/** What trust is followed with. */
export interface TrustPorts {
  readonly channel: Channel;
  readonly clock: Clock;
  /** Where it is kept over restarts; without, each start reads all facts from the beginning. */
  readonly documents?: Documents | undefined;
  /** Called when it cannot be kept. */
  readonly onError: (error: unknown) => void;
}

/**
 * One trust for the whole process: what is kept of it, then the facts of `sources` that are new since. What was kept counts
 * while a source cannot be asked yet; a source of which nothing is known makes that no token is judged.
 */
export function followTrust(ports: TrustPorts, sources: readonly FactSource[]): FollowedTrust {
  const { channel, clock, documents, onError } = ports;
  const trusted = trustState(clock);
  const state = withholding(trusted, onError);
  const snapshots = documents && new StateSnapshots({ documents, collection, state, clock, onError });
  const followed = sources.map(
    (source) => new FollowedSource({ channel, clock, onError, source, consumer: 'trust', state, snapshots }),
  );
  const awaits = () => followed.filter(({ isKnown }) => !isKnown).map(({ source }) => source);
  return {
    trust: { ...trusted, awaits },
    get isKnown() {
      return awaits().length === 0;
    },
    async caughtUp(isAway) {
      await Promise.all(followed.map((each) => (isAway?.(each.source) ? undefined : each.caughtUp())));
    },
    async close() {
      await Promise.all(followed.map((each) => each.close()));
      await snapshots?.close();
    },
  };
}

/** A fact that cannot be read may be a revocation: its school is let in no more, and the others of the lane go on. */
const withholding = (state: TrustState, onError: (error: unknown) => void): FollowedState<TrustSnapshot['body']> => ({
  apply(delivery) {
    try {
      return state.apply(delivery);
    } catch (error) {
      onError(error);
      return state.apply({ ...delivery, fact: { type: 'FactsWithheld', data: {} } });
    }
  },
  recall: (snapshot) => state.recall(snapshot),
  forget: (source) => state.forget(source),
});
