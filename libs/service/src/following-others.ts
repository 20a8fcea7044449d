import type { Subscribed } from '@lyceum/channel';
import type { FactSource } from '@lyceum/contracts';
import type { ReadModel } from '@lyceum/documents';
import type { ModulePorts } from './module.ts';
import { followProjection } from './projections/followed-projections.ts';
import { previousOf } from './projections/own-projections.ts';
import { followFacts } from './publishing/follow-facts.ts';
import { hasRole } from './roles.ts';
import type { ServicePorts, Slice } from './slice.ts';

/** Runs the read models over the facts of others; without the role `consumer` it only makes sure that they can be read. */
export async function followForeign(
  ports: ModulePorts,
  service: string,
  slices: readonly Pick<Slice, 'projections' | 'previousProjections' | 'follows'>[],
): Promise<readonly ReadModel[]> {
  const follows = slices.flatMap((slice) => slice.follows ?? []);
  if (hasRole(ports, 'consumer'))
    return Promise.all(
      follows.map(({ source, projection }) =>
        followProjection(ports, source, service, projection, previousOf(slices, projection)),
      ),
    );
  for (const { projection } of follows) await ports.documents.open(projection.collection);
  return [];
}

/** Reads the facts of others into memory, where requests are answered or events are reacted to. */
export function startMirrors<Settings extends object, Own extends object>(
  ports: ServicePorts<Settings, Own>,
  service: string,
  slices: readonly Slice<Settings, Own>[],
): readonly (Pick<Subscribed, 'caughtUp' | 'close'> & { readonly source: FactSource })[] {
  if (!hasRole(ports, 'http') && !hasRole(ports, 'consumer')) return [];
  return slices
    .flatMap((slice) => slice.mirrors ?? [])
    .map(({ source, apply }) => {
      const following = followFacts(ports, source, service, (arrival) => apply(arrival, ports));
      return { source, caughtUp: () => following.caughtUp(), close: () => following.close() };
    });
}
