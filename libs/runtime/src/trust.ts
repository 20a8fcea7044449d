import type { Channel } from '@lyceum/channel';
import type { FactSource } from '@lyceum/contracts';
import type { Clock } from '@lyceum/kernel';
import { type Trust, trustState } from '@lyceum/oauth';
import { followFacts } from './follow.ts';
import type { AnyModule } from './module.ts';

/** The services whose facts decide whether a token is good. */
export const trustSources: readonly FactSource[] = ['school', 'auth'];

/**
 * The sources that a process builds its trust from: all of them when its modules check tokens, none for those that do
 * not, e.g. the gateway alone.
 */
export const trustSourcesOf = (modules: readonly Pick<AnyModule, 'name' | 'consumes'>[]): readonly FactSource[] => {
  const known = modules.flatMap(({ name, consumes }) => [name, ...consumes]);
  return trustSources.every((source) => known.includes(source)) ? trustSources : [];
};

/** What the process knows of schools, keys and revocations. */
export interface FollowedTrust {
  readonly trust: Trust;
  /** Resolves when everything that the sources had at the time of the call is known here. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/** One trust for the whole process, built from the beginning of the facts of those `sources` that are there. */
export function followTrust(channel: Channel, clock: Clock, sources: readonly FactSource[]): FollowedTrust {
  const state = trustState(clock);
  const followed = sources.map((source) =>
    followFacts({ channel }, source, 'trust', (arrival) => state.apply(arrival)),
  );
  return {
    trust: state,
    caughtUp: async () => void (await Promise.all(followed.map((each) => each.caughtUp()))),
    close: async () => void (await Promise.all(followed.map((each) => each.close()))),
  };
}
