import type {
  AskService,
  FactHistory,
  Handler,
  IsAway,
  Peer,
  ServiceQuery,
  Upstream,
  UpstreamClient,
} from '@lyceum/internal-api';
import type { FactSource } from '@lyceum/contracts';
import type { Channel } from '@lyceum/channel';
import type { Documents, ReadModel } from '@lyceum/documents';
import type { Vault } from '@lyceum/eventlog';
import type { EventTypes, Meta } from '@lyceum/kernel';
import type { Mail } from '@lyceum/mail';
import type { Trust } from '@lyceum/oauth';
import type { Operation, Ports } from '@lyceum/web';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Leases } from './running/leases.ts';
import type { Arrivable, Moving } from './moving/moving.ts';
import type { KeepingArea } from './personal-data/personal-data.ts';
import type { OperatedProcess } from './process/operated-process.ts';
import type { Projected } from './projections/projected.ts';
import type { ServiceRole } from './roles.ts';
import type { Aggregate } from './moving/aggregate.ts';
import type { Watch } from './running/watch.ts';

/** Settings that every module reads. */
export interface CommonSettings {
  readonly PORT: number;
  readonly HOST: string;
  readonly BASE_URL: string;
  readonly DATA_DIR: string;
  /** Where the documentation for client developers is; undefined = `/docs` of each school. */
  readonly DOCS_URL?: string | undefined;
  readonly NODE_ENV: string;
  /** Multiplies every rate limit: 1 in production, 20 on the embedded default. */
  readonly RATE_LIMIT_FACTOR: number;
  /** Addresses and CIDR blocks of proxies whose word about where a request comes from is taken. */
  readonly TRUSTED_PROXIES: readonly string[];
  /** Entries `/api/<name>=<service>`: paths beyond those of the services that come with Lyceum. */
  readonly ROUTES?: readonly string[] | undefined;
}

/** The TXT records of a name, each as one string; none when there is no such name. Throws when no name server answers. */
export type ResolveTxt = (name: string) => Promise<readonly string[]>;

/** Everything a module is given at its start. */
export interface ModulePorts<Settings = Record<never, never>> extends Ports {
  readonly settings: CommonSettings & Settings;
  readonly channel: Channel;
  readonly trust: Trust;
  /**
   * Where a module that is `stateless` keeps over a restart what it would otherwise read anew: the documents of another
   * module of this process. Undefined in a process that keeps nothing.
   */
  readonly keptDocuments?: Documents | undefined;
  /** Whether `trust` knows all that it must to judge a token. False only in a process of stateless modules, which does not wait for it. */
  readonly isTrustKnown?: () => boolean;
  /** Sends mail, at least once: from a place that repeats after a failure, never while a caller waits for an answer. */
  readonly mail: Mail;
  readonly logger: Logger;
  /** The keys of schools and people; the log encrypts with them by itself. */
  readonly vault: Vault;
  /** 32 bytes each, for what is sealed outside the log: derive from them. The first seals, the others still open. */
  readonly rootKeys: readonly [Buffer, ...Buffer[]];
  /** Signs list cursors; the same after a restart. */
  readonly cursorSecret: string;
  /** A sibling in this process by module name; throws when there is none. */
  upstream(name: string): Upstream;
  /** A service in another process; undefined when the settings name none. */
  readonly peer?: (name: string) => Peer | undefined;
  /** What a service has published about each school, from its own log, wherever it runs; undefined for an unknown service. */
  readonly history?: (source: FactSource) => FactHistory | undefined;
  /** Asks another service for what no fact may carry. */
  readonly ask?: AskService;
  /** Looks up TXT records in the DNS; the system's name servers when not given. */
  readonly resolveTxt?: ResolveTxt;
  /** Destroys what is personal about a subject, here and, by a fact, in every service. Throws while the process starts. */
  readonly erase?: (school: string, subject: string, meta: Meta) => Promise<void>;
  /** What this process does for the service; everything when not given. */
  readonly roles?: ReadonlySet<ServiceRole>;
  /** Gets what the module does behind its requests. */
  readonly watch?: Watch;
  /** Milliseconds between two looks for timers of processes that are due; 1000 when not given. */
  readonly timerPoll?: number;
  /** Given when facts leave the process: the relay then keeps its place, and one process at a time does what only one should. */
  readonly leases?: Leases;
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
  /** Calls the operations of `app` that take and give JSON. */
  readonly ask?: UpstreamClient['ask'];
  /** Operator operations under `/internal`, for the second listener. */
  readonly internal?: readonly Operation[];
  readonly openapi?: Record<string, unknown>;
  /** Its read models, for operators: lag, parked streams and redrive, rebuild. */
  readonly readModels?: readonly ReadModel[];
  /**
   * Resolves when the module knows what its first answer needs, e.g. its followers have caught up. Called when every
   * module of the process has started (so every source here has been offered) and again after each step of the demo;
   * until it resolves, the listener answers nothing but health questions and other processes' questions for facts.
   * `isAway`: services whose facts are not waited for; what needs those that never came is answered 503.
   */
  ready?(isAway?: IsAway): Promise<void>;
  /** Writes what a visitor of the demo schools needs at once. Idempotent: every commit id is derived. */
  seedDemo?(demo: Demo): Promise<void>;
  /** Writes what happened in the demo schools, while the process serves. Idempotent, too: an interrupted one is gone on with. */
  seedDemoHistory?(demo: Demo): Promise<void>;
  /** What it does with schools that move between installations, beside its commits. */
  readonly moving?: Moving;
  /** What of a school may come into its log from another installation; nothing when not given. */
  readonly arrivable?: Arrivable;
  /** Its process managers, for operators. */
  readonly processes?: readonly OperatedProcess[];
  /** Answers other services of the installation; undefined when it knows nothing of it. Never asked by the outside. */
  answer?(question: ServiceQuery): Promise<unknown>;
  /** A person was erased: does what follows for the service beside purging read models. Idempotent; asked again after a crash. */
  erased?(school: string, subject: string): Promise<void>;
  /**
   * Whether, before the time is over, its read models are without everybody who was erased up to a position of its log. Not
   * given: it has none with persons.
   */
  purged?(at: { readonly lane: number; readonly position: number }, timeout: number): Promise<boolean>;
  close(): Promise<void>;
}

/** One service as a value; importing it does nothing. */
export interface Module<Settings extends object = Record<never, never>> {
  readonly name: string;
  /** Path prefixes that the gateway sends here, whole segments, longest first match, e.g. `/api/courses`. */
  readonly routes: readonly string[];
  /** Services whose facts it needs before it can answer. */
  readonly consumes: readonly FactSource[];
  /** Services that it asks and can do without: a process without their addresses starts, and does not do what needs them. */
  readonly asks?: readonly string[];
  /** Whether it asks every service there is, so those, too, that the setting ROUTES names. */
  readonly asksEvery?: true;
  /** Services that it hands requests to. A module that declares this is the edge: it gets every request of the public listener. */
  readonly forwards?: readonly string[];
  /** All its event types: those with personal fields are encrypted. */
  readonly events?: readonly EventTypes[];
  /** Its kinds of aggregates: which events belong to which streams. */
  readonly aggregates?: readonly Aggregate[];
  /** Its read models, with the versions before that it keeps up to date while their successors are built. */
  readonly projected?: readonly Projected[];
  /** Its areas: a test asks each that keeps what is personal for what people get of it. */
  readonly areas?: readonly KeepingArea[];
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
