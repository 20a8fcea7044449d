import type { FactSource } from '@lyceum/contracts';
import type { Subscribed } from '@lyceum/channel';
import { type Projection, type ReadModel, liveDocuments } from '@lyceum/documents';
import type { EventTypes, RecordedEvent } from '@lyceum/kernel';
import { withSnapshots, withStates } from '@lyceum/eventlog';
import { type Middleware, type Operation, describe, mount } from '@lyceum/web';
import { type ServiceQuery, trustSources } from '@lyceum/internal-api';
import { type Reaction, startReaction } from './reactions/reaction.ts';
import type { z } from 'zod';
import { documentSnapshots } from './document-snapshots.ts';
import type { Demo, Module, ModulePorts, Started } from './module.ts';
import type { Aggregate } from './moving/aggregate.ts';
import type { Moving } from './moving/moving.ts';
import { previousOf, projectOwn } from './projections/own-projections.ts';
import { type SliceProcess, startProcess } from './process/slice-process.ts';
import { processEvents } from './process/process-events.ts';
import { followProjection } from './projections/followed-projections.ts';
import type { ToFact } from './publishing/envelope.ts';
import { firstOf } from './publishing/first-fact.ts';
import { type Arrival, followFacts } from './publishing/follow-facts.ts';
import { publishFacts } from './publishing/publish.ts';
import { hasRole } from './roles.ts';
import { type BackgroundJob, startBackgroundJob } from './background-job.ts';

/** The ports of a module and those that the service adds. */
type ServicePorts<Settings extends object, Own extends object> = ModulePorts<Settings> & Own;

/** State in memory over the facts of another service: read from the beginning of its history at every start. */
export interface Mirror<Settings extends object = Record<never, never>, Own extends object = object> {
  readonly source: FactSource;
  /** Takes a fact in. It must bear repetition. */
  apply(arrival: Arrival, ports: ServicePorts<Settings, Own>): void;
}

/** Operations, or what makes them of the ports of the service. */
type Operations<Settings extends object, Own extends object> =
  readonly Operation[] | ((ports: ServicePorts<Settings, Own>) => readonly Operation[]);

/** One area of a domain service: plain data and functions, interpreted by `domainModule`. */
export interface Slice<Settings extends object = Record<never, never>, Own extends object = object> {
  readonly name: string;
  /** Public operations; as a function, those that need more ports than every operation has. */
  readonly operations: Operations<Settings, Own>;
  /** Operator operations under `/internal`. */
  readonly internal?: Operations<Settings, Own>;
  /** Its event types: personal fields are found in them. */
  readonly events?: EventTypes;
  /** Read models over the service's own log. */
  readonly projections?: readonly Projection[];
  /** Those of the release before whose version has changed since, so that lists stay fresh while the new one is built. */
  readonly previousProjections?: readonly Projection[];
  /** Read models over the facts of other services. */
  readonly follows?: readonly { readonly source: FactSource; readonly projection: Projection }[];
  /** State in memory over the facts of other services. */
  readonly mirrors?: readonly Mirror<Settings, Own>[];
  /** What of the slice's events other services see. */
  readonly toFact?: ToFact;
  /** Whether no other service may learn of an event, though it be an erasure. */
  isPrivate?(event: RecordedEvent): boolean;
  /** What follows from its events, or from those of others, at least once. */
  readonly reactions?: readonly Reaction<Settings>[];
  /** Its process managers: their inputs become commands and timers, once in effect. */
  readonly processes?: readonly SliceProcess<Settings, Own>[];
  /** What it looks after from time to time. */
  readonly backgroundJobs?: readonly BackgroundJob<Settings, Own>[];
  /** Questions of other services that it answers, by kind. */
  readonly answers?: Readonly<
    Record<string, (question: ServiceQuery, ports: ServicePorts<Settings, Own>) => Promise<unknown>>
  >;
  /** A person was erased: what follows beside purging read models. Idempotent. */
  erased?(school: string, subject: string, ports: ServicePorts<Settings, Own>): Promise<void>;
  /** Its aggregates, as far as they move with a school between installations; what is not among them is not imported. */
  readonly aggregates?: readonly Aggregate[];
  /** What it does with schools that move between installations. At most one slice of a service has a say. */
  moving?(ports: ServicePorts<Settings, Own>): Moving;
  /** Finishes what an earlier process left half done; runs once, after the projections have caught up. */
  resume?(ports: ServicePorts<Settings, Own>): Promise<void>;
  /** Writes this slice's part of the demo. Idempotent. */
  seedDemo?(demo: Demo, ports: ServicePorts<Settings, Own>): Promise<void>;
}

/** A domain service as data. */
export interface DomainService<Settings extends object = Record<never, never>, Own extends object = object> {
  /** The service's name; the source of its facts when it publishes any. */
  readonly name: string;
  readonly routes: readonly string[];
  readonly slices: readonly Slice<Settings, Own>[];
  readonly settings?: z.ZodType<Settings>;
  /** Ports that the service adds to those of every module. Made once, at its start. */
  ownPorts?(ports: ModulePorts<Settings>): Own;
  /** Endpoints that are no operations, in front of the operations. */
  readonly endpoints?: Endpoints<Settings, Own>;
}

/** Endpoints of a service with rules of their own. */
export interface Endpoints<Settings extends object = Record<never, never>, Own extends object = object> {
  /** Serves them, and hands on what is for an operation. */
  serve(ports: ServicePorts<Settings, Own>): readonly Middleware[];
  /** The OpenAPI document of the operations with the endpoints added. */
  describe(operations: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/**
 * The module of a domain service. Its start mounts all operations of all slices, runs the projections over the service's
 * own log and over the facts that it follows, offers the facts that cross to the channel and relays new ones. It is ready
 * once its read models are up to date. Closing stops all that and leaves the ports open.
 */
export function domainModule<Settings extends object = Record<never, never>, Own extends object = object>(
  service: DomainService<Settings, Own>,
): Module<Settings> {
  const { name, routes, slices, settings } = service;
  const followed = slices.flatMap((slice) => [
    ...[...(slice.follows ?? []), ...(slice.mirrors ?? []), ...(slice.reactions ?? [])].flatMap(
      ({ source }) => source ?? [],
    ),
    ...(slice.processes ?? []).flatMap(({ sources }) => sources ?? []),
  ]);
  return {
    name,
    routes,
    consumes: [...new Set([...trustSources, ...followed])].filter((source) => source !== name),
    ...(settings ? { settings } : {}),
    projected: slices,
    events: slices.flatMap((slice) => [
      ...(slice.events ? [slice.events] : []),
      ...(slice.processes ?? []).map(({ manager }) => ({ ...manager.events, ...processEvents })),
    ]),
    aggregates: slices.flatMap((slice) => slice.aggregates ?? []),
    start: (ports) => start(service, ports),
  };
}

async function start<Settings extends object, Own extends object>(
  { name, slices, ownPorts, endpoints }: DomainService<Settings, Own>,
  given: ModulePorts<Settings>,
): Promise<Started> {
  const snapshots = await documentSnapshots(given.documents);
  const log = withStates(withSnapshots(given.log, snapshots), { erasures: given.vault });
  const common = { ...given, log, documents: await liveDocuments(given.documents) };
  // A service that declares no ports of its own has `object`, which asks for none.
  const ports = { ...common, ...ownPorts?.(common) } as ServicePorts<Settings, Own>;
  const { trust, logger, cursorSecret } = ports;
  const made = (given: Operations<Settings, Own> = []) => (typeof given === 'function' ? given(ports) : given);
  const operations = slices.flatMap((slice) => made(slice.operations));
  const app = mount({
    service: name,
    operations,
    endpoints: endpoints?.serve(ports),
    ports,
    trust,
    logger,
    cursorSecret,
  });
  const own = await projectOwn(given, name, slices, async () => {
    for (const slice of slices) await slice.resume?.(ports);
  });
  const foreign = await followForeign(given, name, slices);
  const published = slices.flatMap((slice) => slice.toFact ?? []);
  const isPrivate = (event: RecordedEvent) => slices.some((slice) => slice.isPrivate?.(event));
  const toFact: ToFact = (event, at) => (isPrivate(event) ? undefined : firstOf(published)(event, at));
  const relay = published.length > 0 ? await publishFacts(ports, name as FactSource, toFact) : undefined;
  const mirrors = startMirrors(ports, name, slices);
  const reactions = hasRole(given, 'consumer') ? slices.flatMap((slice) => slice.reactions ?? []) : [];
  const reacting = await Promise.all(reactions.map((reaction) => startReaction(ports, name, reaction)));
  const managed = hasRole(given, 'consumer') ? slices.flatMap((slice) => slice.processes ?? []) : [];
  const managing = await Promise.all(managed.map((each) => startProcess(ports, name, each)));
  const jobs = hasRole(given, 'consumer') ? slices.flatMap((slice) => slice.backgroundJobs ?? []) : [];
  const looking = jobs.map((each) => startBackgroundJob(ports, each));
  const [moving] = slices.flatMap((slice) => slice.moving?.(ports) ?? []);
  return {
    ...(moving ? { moving } : {}),
    arrivable: {
      aggregates: slices.flatMap((slice) => slice.aggregates ?? []),
      ...(published.length > 0 ? { toFact } : {}),
    },
    app: app.callback(),
    ask: app.ask,
    openapi: endpoints ? endpoints.describe(describe(name, operations)) : describe(name, operations),
    internal: slices.flatMap((slice) => made(slice.internal)),
    async answer(question) {
      const answers = slices.flatMap((slice) => slice.answers?.[question.kind] ?? []);
      return answers[0]?.(question, ports);
    },
    async erased(school, subject) {
      for (const slice of slices) await slice.erased?.(school, subject, ports);
    },
    get readModels() {
      return [...own.models(), ...foreign];
    },
    get processes() {
      return [...managing, ...reacting].flatMap((each) => each.current() ?? []);
    },
    async ready(isAway) {
      await own.ready();
      const awaited = [...foreign, ...mirrors].filter(({ source }) => !isAway?.(source));
      await Promise.all(awaited.map((each) => each.caughtUp()));
    },
    purged: (...asked) => own.purged(...asked),
    async seedDemo(demo) {
      for (const slice of slices) await slice.seedDemo?.(demo, ports);
    },
    async close() {
      await Promise.all(
        [own, ...foreign, ...mirrors, ...reacting, ...managing, ...looking, ...(relay ? [relay] : [])].map((each) =>
          each.close(),
        ),
      );
    },
  };
}

/** Runs the read models over the facts of others; without the role `consumer` it only makes sure that they can be read. */
async function followForeign(
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
function startMirrors<Settings extends object, Own extends object>(
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
