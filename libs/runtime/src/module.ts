import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FactSource } from '@lyceum/contracts';
import type { Channel } from '@lyceum/channel';
import type { Trust } from '@lyceum/oauth';
import type { Operation, Ports } from '@lyceum/web';
import type { Logger } from 'pino';
import type { z } from 'zod';

/** Answers one HTTP request. The school's id is in the `x-school-id` header, set by the gateway. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Another service, seen from the gateway: in the same process or over HTTP. */
export interface Upstream {
  readonly name: string;
  /** Answers the request; never throws after the response began. */
  forward: Handler;
  /** The service's own OpenAPI 3.0 document, as a fresh copy. */
  describe(): Promise<Record<string, unknown>>;
}

/** Settings that every module reads. */
export interface CommonSettings {
  readonly PORT: number;
  readonly HOST: string;
  readonly BASE_URL: string;
  readonly DATA_DIR: string;
  /** Where the documentation for client developers is. */
  readonly DOCS_URL: string;
  readonly NODE_ENV: string;
  /** Multiplies every rate limit: 1 in production, 20 on the embedded default. */
  readonly RATE_LIMIT_FACTOR: number;
}

/** Everything a module is given at its start. */
export interface ModulePorts<Settings = Record<never, never>> extends Ports {
  readonly settings: CommonSettings & Settings;
  readonly channel: Channel;
  readonly trust: Trust;
  readonly logger: Logger;
  /** Signs list cursors; the same after a restart. */
  readonly cursorSecret: string;
  /** A sibling by module name; throws when this process and the settings know none. */
  upstream(name: string): Upstream;
}

/** The demo that the first embedded start provisions. */
export interface Demo {
  readonly password: string;
  readonly port: number;
  readonly baseUrl: string;
}

/** A started module. */
export interface Started {
  readonly app: Handler;
  /** Operator operations under `/internal`, for the second listener. */
  readonly internal?: readonly Operation[];
  readonly openapi?: Record<string, unknown>;
  /**
   * Resolves when the module knows what its first answer needs, e.g. its followers have caught up. Called before anything
   * listens, once every module of the process has started (so every source has been offered), and again after each step
   * of the demo.
   */
  ready?(): Promise<void>;
  /** Writes this module's part of the demo schools. Idempotent: every commit id is derived. */
  seedDemo?(demo: Demo): Promise<void>;
  close(): Promise<void>;
}

/** One service as a value; importing it does nothing. */
export interface Module<Settings extends object = Record<never, never>> {
  readonly name: string;
  /** Path prefixes that the gateway sends here, whole segments, longest first match, e.g. `/api/courses`. */
  readonly routes: readonly string[];
  /** Services whose facts it needs before it can answer. */
  readonly consumes: readonly FactSource[];
  /** Keeps no data of its own: its `log` and `documents` are empty and live in memory. */
  readonly stateless?: true;
  /** Environment variables it reads, beyond the common ones: a zod object. Fields marked `.meta({ secret: true })` are masked when shown. */
  readonly settings?: z.ZodType<Settings>;
  start(ports: ModulePorts<Settings>): Promise<Started>;
}

/** A module of whatever settings. */
export interface AnyModule extends Omit<Module, 'settings' | 'start'> {
  readonly settings?: z.ZodType;
  start(ports: ModulePorts<never>): Promise<Started>;
}
