import type { FactOf, FactSource } from '@lyceum/contracts';
import type { Collection } from '@lyceum/documents';
import type { RecordedEvent } from '@lyceum/kernel';
import type { Operation } from '@lyceum/web';
import type { z } from 'zod';
import type { Demo, Module, ModulePorts } from './module.ts';

/** A read model: documents of a collection, folded from the service's events. */
export interface Projection {
  readonly collection: Collection;
}

/**
 * Turns a private event into the fact that other services see, or undefined when it stays private. Pure; its data is
 * checked against `facts` of `@lyceum/contracts`.
 */
export type Cross<Source extends FactSource = FactSource> = (event: RecordedEvent) => FactOf<Source> | undefined;

/** One area of a domain service: plain data and functions, interpreted by `domainModule`. */
export interface Slice<Settings extends object = Record<never, never>> {
  readonly name: string;
  /** Public operations, mounted in this order. */
  readonly operations: readonly Operation[];
  /** Operator operations under `/internal`. */
  readonly internal?: readonly Operation[];
  readonly projections?: readonly Projection[];
  readonly cross?: Cross;
  /** Writes this slice's part of the demo. Idempotent. */
  seedDemo?(demo: Demo, ports: ModulePorts<Settings>): Promise<void>;
}

/** A domain service as data. */
export interface DomainService<Settings extends object = Record<never, never>> {
  /** The service's name; the source of its facts when it publishes any. */
  readonly name: string;
  readonly routes: readonly string[];
  readonly slices: readonly Slice<Settings>[];
  /** Services whose facts its slices follow. Those that tokens need (school, auth) are added. */
  readonly consumes?: readonly FactSource[];
  readonly settings?: z.ZodType<Settings>;
}

/**
 * The module of a domain service. Its start mounts all operations of all slices, runs the projections over the service's
 * own log, offers the facts that cross to the channel and relays new ones; closing stops these and leaves the ports open.
 */
export declare function domainModule<Settings extends object = Record<never, never>>(
  service: DomainService<Settings>,
): Module<Settings>;
