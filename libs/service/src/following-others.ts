import type { FactSource } from '@lyceum/contracts';
import type { ReadModel } from '@lyceum/documents';
import { FollowedSource, StateSnapshots } from '@lyceum/internal-api';
import type { ModulePorts } from './module.ts';
import { begunTogether } from './running/begun-together.ts';
import { followProjection } from './projections/followed-projections.ts';
import { previousOf } from './projections/own-projections.ts';
import { hasRole } from './roles.ts';
import type { Mirror, ServicePorts, Slice } from './slice.ts';

/** State in memory that is being read, by its source. */
type RunningMirror = Pick<FollowedSource, 'caughtUp' | 'close'> & { readonly source: FactSource };

/** A read model over the facts of another service, and the source whose mirrors it waits for. */
interface RunningFollower {
  readonly model: ReadModel;
  readonly after?: FactSource;
}

/** Runs the read models over the facts of others; without the role `consumer` it only makes sure that they can be read. */
export async function followForeign<Settings extends object, Own extends object>(
  ports: ServicePorts<Settings, Own>,
  documents: ModulePorts['documents'],
  service: string,
  slices: readonly Pick<Slice<Settings, Own>, 'projections' | 'previousProjections' | 'follows'>[],
  mirrors: readonly RunningMirror[],
): Promise<readonly RunningFollower[]> {
  const follows = slices.flatMap((slice) => slice.follows ?? []);
  if (!hasRole(ports, 'consumer')) {
    for (const { projection } of follows) await documents.open(projection.collection);
    return [];
  }
  const models = await begunTogether(
    follows.map(({ source, projection, bound, after }) => {
      const own = bound?.(ports) ?? projection;
      const before = after && upToDate(mirrors.filter((each) => each.source === after));
      return followProjection({ ...ports, documents }, source, service, own, previousOf(slices, projection), before);
    }),
  );
  return models.map((model, index) => ({ model, ...(follows[index]!.after && { after: follows[index]!.after }) }));
}

/** Milliseconds that mirrors are taken for up to date after they were. */
const freshFor = 5 * 60_000;

/** Resolves when the mirrors have all that there was within the last minutes. */
function upToDate(mirrors: readonly RunningMirror[]): () => Promise<void> {
  let asked = -Infinity;
  return async () => {
    if (performance.now() - asked < freshFor) return;
    const began = performance.now();
    await Promise.all(mirrors.map((each) => each.caughtUp()));
    asked = began;
  };
}

/** Follows the facts of others in memory, where requests are answered or events are reacted to. */
export function startMirrors<Settings extends object, Own extends object>(
  ports: ServicePorts<Settings, Own>,
  service: string,
  slices: readonly Pick<Slice<Settings, Own>, 'mirrors'>[],
): readonly RunningMirror[] {
  if (!hasRole(ports, 'http') && !hasRole(ports, 'consumer')) return [];
  return slices.flatMap((slice) => slice.mirrors ?? []).map((mirror) => startMirror(ports, service, mirror));
}

function startMirror<Settings extends object, Own extends object>(
  ports: ServicePorts<Settings, Own>,
  consumer: string,
  { source, collection, state: stateOf }: Mirror<Settings, Own>,
): RunningMirror {
  const { channel, clock, documents, logger } = ports;
  const state = stateOf(ports);
  const onError = (err: unknown) =>
    logger.error({ err, source }, 'what others told could not be kept; it is tried again');
  const snapshots = new StateSnapshots({ documents, collection, state, clock, onError });
  const followed = new FollowedSource({ channel, clock, onError, source, consumer, state, snapshots });
  return {
    source,
    caughtUp: () => followed.caughtUp(),
    async close() {
      await followed.close();
      await snapshots.close();
    },
  };
}
