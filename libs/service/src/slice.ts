import type { FactSource } from '@lyceum/contracts';
import type { Collection, Projection } from '@lyceum/documents';
import type { EventTypes, RecordedEvent } from '@lyceum/kernel';
import type { Middleware, Operation } from '@lyceum/web';
import type { FollowedState, ServiceQuery } from '@lyceum/internal-api';
import type { z } from 'zod';
import type { BackgroundJob } from './running/background-job.ts';
import type { Demo, ModulePorts } from './module.ts';
import type { Aggregate } from './moving/aggregate.ts';
import type { Moving } from './moving/moving.ts';
import type { PersonalData } from './personal-data/personal-data.ts';
import type { SliceProcess } from './process/slice-process.ts';
import type { ToFact } from './publishing/envelope.ts';
import type { Reaction } from './reactions/reaction.ts';

/** The ports of a module and those that the service adds. */
export type ServicePorts<Settings extends object, Own extends object> = ModulePorts<Settings> & Own;

/** State in memory over the facts of another service. Pieces of it are kept, so that a start reads only the facts that are new. */
export interface Mirror<Settings extends object = Record<never, never>, Own extends object = object> {
  readonly source: FactSource;
  /** Where its pieces are kept: see `snapshotCollection`. */
  readonly collection: Collection;
  state(ports: ServicePorts<Settings, Own>): FollowedState;
}

/** A read model over the facts of another service. */
export interface Following<Settings extends object = Record<never, never>, Own extends object = object> {
  readonly source: FactSource;
  readonly projection: Projection;
  /** The same projection with what it looks up in ports of the service, e.g. in a mirror that it is `after`. */
  bound?(ports: ServicePorts<Settings, Own>): Projection;
  /** Facts wait until the mirrors of this source have all that it had within the last minutes: what is looked up there is there. */
  readonly after?: FactSource;
}

/** Operations, or what makes them of the ports of the service. */
export type Operations<Settings extends object, Own extends object> =
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
  readonly follows?: readonly Following<Settings, Own>[];
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
  /**
   * What it keeps about people, for the export of a person's data. A test wants it said where something
   * is personal: an empty list, with the reason beside it, says that people get nothing of it.
   */
  readonly personalData?: readonly PersonalData<ServicePorts<Settings, Own>>[];
  /** A person was erased: what follows beside purging read models. Idempotent. */
  erased?(school: string, subject: string, ports: ServicePorts<Settings, Own>): Promise<void>;
  /** Its aggregates, as far as they move with a school between installations; what is not among them is not imported. */
  readonly aggregates?: readonly Aggregate[];
  /** What it does with schools that move between installations. At most one slice of a service has a say. */
  moving?(ports: ServicePorts<Settings, Own>): Moving;
  /** Finishes what an earlier process left half done; runs once, after the projections have caught up. */
  resume?(ports: ServicePorts<Settings, Own>): Promise<void>;
  /** Writes what of this slice a visitor of the demo needs at once: a start waits for it. Idempotent. */
  seedDemo?(demo: Demo, ports: ServicePorts<Settings, Own>): Promise<void>;
  /** Writes what happened in the demo, while people use it already. Idempotent; what people have done meanwhile stays. */
  seedDemoHistory?(demo: Demo, ports: ServicePorts<Settings, Own>): Promise<void>;
}

/** Rejects while a school may still be arriving from another installation, as far as the service knows. */
export type Arrived = (school: string, ports: Pick<ModulePorts, 'log' | 'documents'>) => Promise<unknown>;

/** A domain service as data. */
export interface DomainService<Settings extends object = Record<never, never>, Own extends object = object> {
  /** The service's name; the source of its facts when it publishes any. */
  readonly name: string;
  readonly routes: readonly string[];
  /** Services that it asks, beside those whose facts it follows; it can do without them. */
  readonly asks?: readonly string[];
  /** Whether it asks every service there is, so those, too, that the setting ROUTES names. */
  readonly asksEvery?: true;
  readonly slices: readonly Slice<Settings, Own>[];
  readonly settings?: z.ZodType<Settings>;
  /** Ports that the service adds to those of every module. Made once, at its start. */
  ownPorts?(ports: ModulePorts<Settings>): Own;
  /** Rejects while a school may still be arriving from another installation: its reactions and process managers wait. */
  readonly arrived?: Arrived;
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
