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
  const free: readonly EventTypes[] = [...events, processEvents, claimEvents].filter((types) => !owned.has(types));
  return ({ stream, type, schema }, tenant) => {
    const kinds = all.filter((each) => each.isStream(stream, tenant)).map(({ decider }) => decider.events);
    const republished: readonly EventTypes[] = stream === republishedStream ? [republishingEvents] : [];
    const versions = [...kinds, ...free, ...republished].flatMap((types) =>
      Object.hasOwn(types, type) ? [types[type]!.version] : [],
    );
    const known = Math.max(0, ...versions);
    if (known === 0) return `this release does not know ${type} in streams of this kind`;
    return schema > known ? `this release knows ${type} up to version ${known}, not ${schema}` : undefined;
  };
}
