import type { FactSource } from '@lyceum/contracts';
import { liveDocuments } from '@lyceum/documents';
import type { RecordedEvent } from '@lyceum/kernel';
import { withSnapshots, withStates } from '@lyceum/eventlog';
import { type Operation, describe, mount } from '@lyceum/web';
import { trustSources } from '@lyceum/internal-api';
import { begunInTurn } from './running/begun-together.ts';
import { documentSnapshots } from './projections/document-snapshots.ts';
import { startEffects } from './effects.ts';
import { signedFiles } from './files/signed-files.ts';
import { followForeign, startMirrors } from './following-others.ts';
import type { Module, ModulePorts, Started } from './module.ts';
import { answerPersonalData } from './personal-data/answering.ts';
import { onceArrived } from './moving/once-arrived.ts';
import { movingOf } from './moving/moving-of.ts';
import { personalDataQuery } from './personal-data/personal-data.ts';
import { processEvents } from './process/process-events.ts';
import { projectOwn } from './projections/own-projections.ts';
import type { ToFact } from './publishing/envelope.ts';
import { firstOf } from './publishing/first-fact.ts';
import { publishFacts } from './publishing/publish.ts';
import type { DomainService, Operations, ServicePorts, Slice } from './slice.ts';

/**
 * The module of a domain service. Its start mounts all operations of all slices, runs the projections over the service's
 * own log and over the facts that it follows, offers the facts that cross to the channel and relays new ones. It is ready
 * once its read models are up to date. Closing stops all that and leaves the ports open.
 */
export function domainModule<Settings extends object = Record<never, never>, Own extends object = object>(
  service: DomainService<Settings, Own>,
): Module<Settings> {
  const { name, routes, slices, settings, asks, asksEvery } = service;
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
    ...(asks ? { asks: asks.filter((service) => service !== name) } : {}),
    ...(asksEvery ? { asksEvery } : {}),
    ...(settings ? { settings } : {}),
    projected: slices,
    areas: slices,
    events: slices.flatMap((slice) => [
      ...(slice.events ? [slice.events] : []),
      ...(slice.processes ?? []).map(({ manager }) => ({ ...manager.events, ...processEvents })),
    ]),
    aggregates: slices.flatMap((slice) => slice.aggregates ?? []),
    start: (ports) => start(service, ports),
  };
}

async function start<Settings extends object, Own extends object>(
  service: DomainService<Settings, Own>,
  given: ModulePorts<Settings>,
): Promise<Started> {
  const { name, slices, arrived } = service;
  const ports = await portsOf(service, given);
  const { described, ...served } = serve(service, ports);
  let openapi: Record<string, unknown> | undefined;
  const toFact = published(slices);
  const { own, mirrors, followers, effects, relay } = await begunInTurn(async (keep) => {
    const own = keep(await projectOwn(given, name, slices, resumeOf(slices, ports)));
    const mirrors = startMirrors(ports, name, slices).map(keep);
    const followers = await followForeign(ports, given.documents, name, slices, mirrors);
    followers.forEach(({ model }) => keep(model));
    const relay = toFact && keep(await publishFacts(ports, name as FactSource, toFact));
    const reacting = arrived ? slices.map((slice) => onceArrived(slice, arrived)) : slices;
    return { own, mirrors, followers, relay, effects: await startEffects(ports, name, reacting) };
  });
  const foreign = followers.map(({ model }) => model);
  return {
    ...served,
    get openapi() {
      return (openapi ??= described());
    },
    arrivable: { aggregates: slices.flatMap((slice) => slice.aggregates ?? []), ...(toFact ? { toFact } : {}) },
    get readModels() {
      return [...own.models(), ...foreign];
    },
    get processes() {
      return effects.current();
    },
    async ready(isAway) {
      await own.ready();
      const isHere = (source: FactSource | undefined) => source === undefined || !isAway?.(source);
      const ready = followers.filter(({ model, after }) => isHere(model.source as FactSource) && isHere(after));
      const awaited = [...ready.map(({ model }) => model), ...mirrors.filter(({ source }) => isHere(source))];
      await Promise.all(awaited.map((each) => each.caughtUp()));
    },
    purged: (...asked) => own.purged(...asked),
    async close() {
      const running = [own, ...foreign, ...mirrors, effects, ...(relay ? [relay] : [])];
      await Promise.all(running.map((each) => each.close()));
    },
  };
}

/** Finishes what slices left half done; undefined where none has such work. */
function resumeOf<Settings extends object, Own extends object>(
  slices: readonly Slice<Settings, Own>[],
  ports: ServicePorts<Settings, Own>,
): (() => Promise<void>) | undefined {
  const resuming = slices.flatMap((slice) => slice.resume?.bind(slice) ?? []);
  if (resuming.length === 0) return undefined;
  return async () => {
    for (const resume of resuming) await resume(ports);
  };
}

/** The ports that the slices get: states and snapshots in front of the log, and what the service adds. */
async function portsOf<Settings extends object, Own extends object>(
  { ownPorts }: DomainService<Settings, Own>,
  given: ModulePorts<Settings>,
): Promise<ServicePorts<Settings, Own>> {
  const snapshots = await documentSnapshots(given.documents);
  const log = withStates(withSnapshots(given.log, snapshots), { erasures: given.vault });
  const common = { ...given, log, documents: await liveDocuments(given.documents), files: signedFiles(given) };
  // A service that declares no ports of its own has `object`, which asks for none.
  return { ...common, ...ownPorts?.(common) } as ServicePorts<Settings, Own>;
}

/** What is asked of the service from outside: by clients, by operators, by other services. */
function serve<Settings extends object, Own extends object>(
  { name, slices, endpoints }: DomainService<Settings, Own>,
  ports: ServicePorts<Settings, Own>,
) {
  const { trust, logger, cursorSecret } = ports;
  const made = (given: Operations<Settings, Own> = []): readonly Operation[] =>
    typeof given === 'function' ? given(ports) : given;
  const operations = slices.flatMap((slice) => made(slice.operations));
  const served = endpoints?.serve(ports);
  const app = mount({ service: name, operations, endpoints: served, ports, trust, logger, cursorSecret });
  const kept = slices.flatMap((slice) => slice.personalData ?? []);
  return {
    moving: movingOf(slices, ports),
    app: app.callback(),
    ask: app.ask,
    /** Made when it is asked for: a start is not held up by what few read. */
    described() {
      const described = describe(name, operations);
      return endpoints ? endpoints.describe(described) : described;
    },
    internal: slices.flatMap((slice) => made(slice.internal)),
    async answer(question) {
      if (question.kind === personalDataQuery) return answerPersonalData(kept, question, ports);
      const answers = slices.flatMap((slice) => slice.answers?.[question.kind] ?? []);
      return answers[0]?.(question, ports);
    },
    async erased(school, subject) {
      for (const slice of slices) await slice.erased?.(school, subject, ports);
    },
    async seedDemo(demo) {
      for (const slice of slices) await slice.seedDemo?.(demo, ports);
    },
    async seedDemoHistory(demo) {
      for (const slice of slices) await slice.seedDemoHistory?.(demo, ports);
    },
  } satisfies Partial<Started> & { described(): Record<string, unknown> };
}

/** What of the events of slices is published; undefined when nothing is. */
function published<Settings extends object, Own extends object>(
  slices: readonly Slice<Settings, Own>[],
): ToFact | undefined {
  const all = slices.flatMap((slice) => slice.toFact ?? []);
  const isPrivate = (event: RecordedEvent) => slices.some((slice) => slice.isPrivate?.(event));
  return all.length > 0 ? (event, at) => (isPrivate(event) ? undefined : firstOf(all)(event, at)) : undefined;
}
