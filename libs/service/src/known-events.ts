import type { KnownEvents } from '@lyceum/eventlog';
import type { EventTypes } from '@lyceum/kernel';
import type { AnyModule } from './module.ts';
import { type Aggregate, erasures } from './moving/aggregate.ts';
import { processEvents } from './process/process-events.ts';
import { republishingEvents, republishedStream } from './publishing/republishing.ts';

/** What the log itself writes for claimed values. */
const claimEvents: EventTypes = Object.fromEntries(
  ['Claimed', 'Released'].map((type) => [type, { version: 1, data: { parse: (data: unknown) => data } }]),
);

/** A type of events in streams of one kind, up to its version. */
interface Kind {
  readonly version: number;
  readonly isStream: Aggregate['isStream'];
}

/**
 * What a release knows of its service's log: the types that it declares, up to their versions. A type that belongs to
 * aggregates is known in their streams only, so that a new kind of aggregate with types of an old one is not taken for it.
 * Undefined for a service that declares no types.
 */
export function knownEventsOf({
  events = [],
  aggregates = [],
}: Pick<AnyModule, 'events' | 'aggregates'>): KnownEvents['whyUnknown'] | undefined {
  if (events.length === 0) return undefined;
  const all: readonly Aggregate[] = [...aggregates, erasures];
  const owned = new Set<EventTypes>(all.map(({ decider }) => decider.events));
  const kinds = new Map<string, Kind[]>();
  const know = (types: EventTypes, isStream: Aggregate['isStream']): void => {
    for (const [type, { version }] of Object.entries(types))
      kinds.set(type, [...(kinds.get(type) ?? []), { version, isStream }]);
  };
  for (const { decider, isStream } of all) know(decider.events, isStream);
  for (const types of [...events, processEvents, claimEvents]) if (!owned.has(types)) know(types, () => true);
  know(republishingEvents, (stream) => stream === republishedStream);
  return ({ stream, type, schema }, tenant) => {
    let known = 0;
    for (const { version, isStream } of kinds.get(type) ?? [])
      if (version > known && isStream(stream, tenant)) known = version;
    if (known === 0) return `this release does not know ${type} in streams of this kind`;
    return schema > known ? `this release knows ${type} up to version ${known}, not ${schema}` : undefined;
  };
}
