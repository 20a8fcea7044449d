import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Channel } from '@lyceum/channel';
import { type EventLog, type Vault, withKnownEvents, withSharedReading } from '@lyceum/eventlog';
import { type Clock, type Ids, isoTime, systemClock, systemIds } from '@lyceum/kernel';
import { AlreadyRunning } from '@lyceum/sqlite';
import type { Ports } from '@lyceum/web';
import type { Logger } from 'pino';
import { archiveOf } from './archive.ts';
import { openChannel, openEphemeral, usesKafka } from './engines.ts';
import type { SettingsRead } from '../settings/environment.ts';
import {
  type Instruments,
  type MailGate,
  type Tracing,
  mailGate,
  meteredLog,
  meteredMail,
  newInstruments,
  tracedChannel,
  tracedLog,
  tracedMail,
} from '@lyceum/operations';
import { keepSecret } from '../settings/kept-secret.ts';
import { type Closable, type GoneOn, type Keep, openKept } from './kept-by-service.ts';
import { type AnyModule, type Leases, StartRefused, documentLeases, knownEventsOf, soleLeases } from '@lyceum/service';
import { afterLostCommits } from './lost-commits.ts';
import { openMail } from '../settings/mailing.ts';
import { type Peer, type RememberingChannel, rememberOffers, withKnownVersions } from '@lyceum/internal-api';
import { peersOf } from '../settings/peers.ts';
import { AnotherProcess, beSoleProcess } from './sole-process.ts';
import { dataChecks } from './start-checks.ts';
import { wrappingKeys } from '../settings/wrapping-keys.ts';

/** The ports of one service. */
export interface ServicePorts extends Ports {
  /** The log as it is stored: personal fields are encrypted. */
  readonly stored: EventLog;
  readonly vault: Vault;
  readonly rootKeys: readonly [Buffer, ...Buffer[]];
  /** Given when facts leave the process. */
  readonly leases?: Leases;
}

/** The open ports of a process. */
export interface OpenPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly channel: Channel;
  readonly mail: MailGate;
  /** The facts of a service of this process, for those who ask from outside. */
  readonly history: RememberingChannel['history'];
  /** A service in another process. */
  readonly peer: (name: string) => Peer | undefined;
  /** Signs list cursors; the same in every process of the installation. */
  readonly cursorSecret: string;
  /** What the process knows of itself. */
  readonly instruments: Instruments;
  /** Given where traces are told of. */
  readonly tracing: Tracing | undefined;
  /** The ports of one service: its own log and documents; what is short-lived is shared. */
  of(service: string): ServicePorts;
  /** Releases every engine. */
  close(): Promise<void>;
}

/**
 * Opens the engines that the settings choose, a log and documents for each service that keeps data, one channel and one
 * short-lived store for all. Embedded: `<DATA_DIR>/<service>/events.db` (durable) and `documents.db` (rebuildable).
 * Throws `StartRefused` when another process holds the folder, and `Unavailable` when an engine does not answer.
 */
export async function openPorts(
  modules: readonly AnyModule[],
  settings: SettingsRead['settings'],
  logger: Logger,
  tracing?: Tracing,
): Promise<OpenPorts> {
  const tracer = tracing?.tracer;
  const instruments = newInstruments({ exemplars: tracer !== undefined });
  const { files, watch } = instruments;
  const clock = systemClock;
  const ids = systemIds(clock);
  const peers = peersOf(modules, settings, tracer);
  const peer = (name: string) => peers.get(name);
  const opened: Closable[] = [];
  const keep: Keep = (engine) => {
    opened.unshift(engine);
    return engine;
  };
  const closeAll = async () => {
    for (const each of opened) await each.close();
  };
  try {
    for (const refuse of dataChecks(modules, settings)) await refuse();
    const ephemeral = keep(await openEphemeral(settings, clock, logger));
    const gate = keep(await openMailGate(settings, clock, logger, instruments));
    const mail = tracer ? tracedMail(gate, tracer) : gate;
    const services = new Map<string, ServicePorts>();
    const rootKeys = await rootKeysOf(modules, settings);
    for (const module of modules) {
      const { name, stateless } = module;
      const goneOn: GoneOn = (log, documents) => afterLostCommits(module, { log, documents, files }, logger);
      const { raw, guarded, vault, documents } = await openKept(module, settings, {
        rootKeys,
        files,
        keep,
        goneOn,
        signals: ephemeral,
        archive: archiveOf(settings, name, logger),
      });
      const known = withKnown(module, guarded, (position) => {
        watch.alarm(name, 'unknown_event', position);
        services.get(name)?.leases?.stepAside?.();
      });
      const read = withSharedReading(known, { erasures: vault });
      const metered = keep(meteredLog(read, name, instruments));
      const log = tracer ? tracedLog(metered, name, tracer) : metered;
      const shared = usesKafka(settings) && !stateless ? { leases: leasesOf(settings, documents, logger) } : {};
      services.set(name, { log, stored: raw, vault, rootKeys, documents, ephemeral, clock, ids, ...shared });
    }
    // The first decides who of two that start together goes on.
    const [first, ...others] = usesKafka(settings)
      ? []
      : [...services].sort(([one], [other]) => (one < other ? -1 : 1));
    const claim = async ([name, { documents }]: [string, ServicePorts]) =>
      documents.exclusive ? undefined : keep(await beSoleProcess({ documents, ...soleOptions(name, logger) }));
    if (first) await claim(first);
    await Promise.all(others.map(claim));
    const clientId = modules.map(({ name }) => name).join('.');
    const opening = keep(await openChannel(settings, clientId, peer, logger, watch));
    const carrier = { system: usesKafka(settings) ? 'kafka' : 'memory', clock } as const;
    const carried = watch.through(tracer ? tracedChannel(opening, tracer, carrier) : opening);
    const { channel, history } = rememberOffers(
      withKnownVersions(carried, (source, position) => watch.alarm(source, 'unknown_event', position)),
    );
    const cursorSecret = await cursorSecretOf(settings);
    return {
      clock,
      ids,
      channel,
      mail,
      history,
      peer,
      cursorSecret,
      instruments,
      tracing,
      of: (service) => services.get(service)!,
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    if (error instanceof AnotherProcess) throw shared(settings.MONGODB_PREFIX);
    throw error instanceof AlreadyRunning ? held(settings.DATA_DIR) : error;
  }
}

async function openMailGate(
  settings: SettingsRead['settings'],
  clock: Clock,
  logger: Logger,
  { metrics }: Instruments,
): Promise<MailGate> {
  const always = settings.MAIL_WITHHELD === 'true' ? isoTime(clock.now()) : undefined;
  return mailGate(meteredMail(await openMail(settings, clock, logger), metrics), settings.DATA_DIR, always);
}

function leasesOf(settings: SettingsRead['settings'], documents: ServicePorts['documents'], logger: Logger): Leases {
  const onError = (err: unknown, name: string) =>
    logger.error({ err, reason: name }, 'the work of one process at a time failed; it tries again');
  return settings.MONGODB_URL === undefined ? soleLeases(onError) : documentLeases(documents, onError);
}

/** The log as its followers see it: up to what this release does not know. `onUnknown` is called with the position of that. */
function withKnown(module: AnyModule, log: EventLog, onUnknown: (position: number) => void): EventLog {
  const whyUnknown = knownEventsOf(module);
  if (!whyUnknown) return log;
  return withKnownEvents(log, { whyUnknown, onUnknown: (_error, _lane, position) => onUnknown(position) });
}

/** A process without data has nothing to wrap. */
const rootKeysOf = async (modules: readonly AnyModule[], settings: SettingsRead['settings']) =>
  modules.every(({ stateless }) => stateless) ? ([randomBytes(32)] as const) : wrappingKeys(settings);

/** A cursor that one process gave must be good at every other. */
async function cursorSecretOf({ SERVICE_TOKEN, DATA_DIR }: SettingsRead['settings']): Promise<string> {
  if (SERVICE_TOKEN !== undefined) return createHmac('sha256', SERVICE_TOKEN).update('cursors').digest('base64url');
  return keepSecret(join(DATA_DIR, 'cursor-key'), () => randomBytes(32).toString('base64url'));
}

const held = (folder: string): StartRefused =>
  new StartRefused(`Lyceum is already running on this data directory: ${folder}`, [
    '  Stop the other process, or give this one a folder of its own: DATA_DIR=./other',
  ]);

const shared = (prefix: string): StartRefused =>
  new StartRefused(`Another process works with the databases ${prefix}… already, and KAFKA_BROKERS is not set`, [
    '  Several processes tell each other of changes through Kafka: without it, one would go on trusting what another revoked.',
    '  Stop the other process, give both KAFKA_BROKERS, or give this one databases of its own: MONGODB_PREFIX=other_',
  ]);

/** What becomes of a process whose data another one may have, or has. */
const soleOptions = (service: string, logger: Logger) => ({
  onError: (err: unknown) =>
    logger.error({ err, service }, 'the databases do not answer; they may go to another process'),
  onLost(err: AnotherProcess) {
    logger.fatal({ err, service }, 'another process has taken the databases while this one stood still: it ends');
    // Whatever it went on to do would be done twice.
    setImmediate(() => {
      throw err;
    });
  },
});
