import type { FactSource } from '@lyceum/contracts';
import type { Projection } from '@lyceum/documents';
import { type Operation, describe, mount } from '@lyceum/web';
import type { z } from 'zod';
import type { Demo, Module, ModulePorts, Started } from './module.ts';
import { followProjection, projectLog } from './projecting.ts';
import { type Cross, publishFacts } from './publish.ts';
import { trustSources } from './trust.ts';

/** One area of a domain service: plain data and functions, interpreted by `domainModule`. */
export interface Slice<Settings extends object = Record<never, never>> {
  readonly name: string;
  /** Public operations. */
  readonly operations: readonly Operation[];
  /** Operator operations under `/internal`. */
  readonly internal?: readonly Operation[];
  /** Read models over the service's own log. */
  readonly projections?: readonly Projection[];
  /** Read models over the facts of other services. */
  readonly follows?: readonly { readonly source: FactSource; readonly projection: Projection }[];
  /** What of the slice's events other services see. */
  readonly cross?: Cross;
  /** Finishes what an earlier process left half done; runs once, after the projections have caught up. */
  resume?(ports: ModulePorts<Settings>): Promise<void>;
  /** Writes this slice's part of the demo. Idempotent. */
  seedDemo?(demo: Demo, ports: ModulePorts<Settings>): Promise<void>;
}

/** A domain service as data. */
export interface DomainService<Settings extends object = Record<never, never>> {
  /** The service's name; the source of its facts when it publishes any. */
  readonly name: string;
  readonly routes: readonly string[];
  readonly slices: readonly Slice<Settings>[];
  readonly settings?: z.ZodType<Settings>;
}

/** Something that runs beside the requests. */
interface Running {
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The module of a domain service. Its start mounts all operations of all slices, runs the projections over the service's
 * own log and over the facts that it follows, offers the facts that cross to the channel and relays new ones. It is ready
 * once its read models are up to date. Closing stops all that and leaves the ports open.
 */
export function domainModule<Settings extends object = Record<never, never>>(
  service: DomainService<Settings>,
): Module<Settings> {
  const { name, routes, slices, settings } = service;
  const followed = slices.flatMap((slice) => slice.follows ?? []).map(({ source }) => source);
  return {
    name,
    routes,
    consumes: [...new Set([...trustSources, ...followed])].filter((source) => source !== name),
    ...(settings ? { settings } : {}),
    start: (ports) => start(service, ports),
  };
}

async function start<Settings extends object>(
  { name, slices }: DomainService<Settings>,
  ports: ModulePorts<Settings>,
): Promise<Started> {
  const { trust, logger, cursorSecret } = ports;
  const operations = slices.flatMap((slice) => slice.operations);
  const app = mount({ service: name, operations, ports, trust, logger, cursorSecret });
  const own: Running[] = await Promise.all(
    slices.flatMap((slice) => slice.projections ?? []).map((projection) => projectLog(ports, name, projection)),
  );
  const foreign: Running[] = await Promise.all(
    slices
      .flatMap((slice) => slice.follows ?? [])
      .map(({ source, projection }) => followProjection(ports, source, name, projection)),
  );
  const crossing = slices.flatMap((slice) => slice.cross ?? []);
  const relay = crossing.length > 0 ? await publishFacts(ports, name as FactSource, firstOf(crossing)) : undefined;
  const caughtUp = async (all: readonly Running[]) => void (await Promise.all(all.map((each) => each.caughtUp())));
  let resumed: Promise<void> | undefined;
  const resume = async () => {
    for (const slice of slices) await slice.resume?.(ports);
  };
  return {
    app: app.callback(),
    openapi: describe(name, operations),
    internal: slices.flatMap((slice) => slice.internal ?? []),
    async ready() {
      await caughtUp(own);
      await (resumed ??= resume());
      await caughtUp([...own, ...foreign]);
    },
    async seedDemo(demo) {
      for (const slice of slices) await slice.seedDemo?.(demo, ports);
    },
    async close() {
      await Promise.all([...own, ...foreign, ...(relay ? [relay] : [])].map((each) => each.close()));
    },
  };
}

/** A service's events belong to one slice each, so at most one has something to say. */
const firstOf =
  (crossing: readonly Cross[]): Cross =>
  (event) => {
    for (const cross of crossing) {
      const fact = cross(event);
      if (fact) return fact;
    }
    return undefined;
  };
