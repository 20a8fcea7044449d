import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { type Channel, type InboxPlace, type KafkaConnection, kafkaChannel, memoryChannel } from '@lyceum/channel';
import { type Documents, memoryDocuments, mongodbDocuments, sqliteDocuments } from '@lyceum/documents';
import { type Ephemeral, memoryEphemeral, redisEphemeral } from '@lyceum/ephemeral';
import { type ArchiveOptions, type EventLog, memoryEventLog, mongodbEventLog, sqliteEventLog } from '@lyceum/eventlog';
import type { Clock } from '@lyceum/kernel';
import type { Logger } from 'pino';
import type { DataFiles } from '@lyceum/operations';
import { type Peer, factsOverHttp } from '@lyceum/internal-api';
import { logSignals } from './log-signals.ts';
import type { ProcessSettings } from '../settings/settings.ts';
import type { Watch } from '@lyceum/service';

/** Where MongoDB is; undefined = SQLite. */
export const mongoOf = ({ MONGODB_URL, MONGODB_CA_FILE }: ProcessSettings) =>
  MONGODB_URL === undefined
    ? undefined
    : { url: MONGODB_URL, ...(MONGODB_CA_FILE === undefined ? {} : { tls: { caFile: MONGODB_CA_FILE } }) };

/** What a process does with a log by itself. */
interface LogOptions {
  readonly signals?: Pick<Ephemeral, 'signal' | 'listen'> | undefined;
  readonly archive?: ArchiveOptions | undefined;
}

/**
 * The log of one service in the engine that the settings choose. Processes that share it tell each other through `signals`
 * that it grew; one in a file moves old commits into its archive as `archive` says.
 */
export function openLog(
  settings: ProcessSettings,
  service: string,
  files: DataFiles,
  { signals, archive }: LogOptions = {},
): Promise<EventLog> {
  const mongo = mongoOf(settings);
  const lanes = settings.LANES === undefined ? {} : { lanes: settings.LANES };
  const database = settings.MONGODB_PREFIX + service;
  return mongo
    ? mongodbEventLog({ ...mongo, ...lanes, database, ...(signals && { signals: logSignals(signals, database) }) })
    : sqliteEventLog({
        file: join(settings.DATA_DIR, service, 'events.db'),
        ...lanes,
        ...(archive && { archive }),
        open: files.openLog(service),
      });
}

/** The read models of one service in the engine that the settings choose. */
export function openDocuments(settings: ProcessSettings, service: string): Promise<Documents> {
  const mongo = mongoOf(settings);
  return mongo
    ? mongodbDocuments({ ...mongo, database: settings.MONGODB_PREFIX + service })
    : sqliteDocuments({ file: join(settings.DATA_DIR, service, 'documents.db') });
}

/** The log of a service that keeps nothing. */
export const noLog = memoryEventLog;
/** The read models of a service that keeps nothing. */
export const noDocuments = memoryDocuments;

/** Whether facts leave the process. */
export const usesKafka = ({ KAFKA_BROKERS }: ProcessSettings): boolean => KAFKA_BROKERS !== undefined;

/** How Kafka is reached; undefined = within the process. Reads the file of authorities. */
export async function kafkaOf(settings: ProcessSettings, clientId: string): Promise<KafkaConnection | undefined> {
  const { KAFKA_BROKERS, KAFKA_SSL, KAFKA_CA_FILE, KAFKA_SASL_MECHANISM: mechanism } = settings;
  if (KAFKA_BROKERS === undefined) return undefined;
  const ca = await authorities(KAFKA_CA_FILE);
  const { KAFKA_SASL_USERNAME: username = '', KAFKA_SASL_PASSWORD: password = '' } = settings;
  return {
    brokers: KAFKA_BROKERS.split(','),
    clientId,
    ...(ca ? { ssl: ca } : { ssl: KAFKA_SSL === 'true' }),
    ...(mechanism ? { sasl: { mechanism, username, password } } : {}),
  };
}

async function authorities(file: string | undefined): Promise<ConnectionOptions | undefined> {
  return file === undefined ? undefined : { ca: await readFile(file, 'utf8') };
}

/** The channel that the settings choose. The facts of services in other processes are read from them, by HTTP. */
export async function openChannel(
  settings: ProcessSettings,
  clientId: string,
  peer: (name: string) => Peer | undefined,
  logger: Logger,
  watch: Watch,
): Promise<Channel> {
  const heard = { onDuplicate: (at: InboxPlace) => watch.duplicate(at), onGap: (at: InboxPlace) => watch.gap(at) };
  const onError = (err: unknown, { consumer, source, lane }: { consumer: string; source: string; lane: number }) =>
    logger.error({ err, consumer, source, lane }, 'a follower failed; it tries again');
  const kafka = await kafkaOf(settings, clientId);
  if (!kafka) return memoryChannel({ ...heard, onError });
  const channel = await kafkaChannel({
    ...kafka,
    prefix: settings.KAFKA_PREFIX,
    ...heard,
    onError,
    onTrouble: (err, source) => logger.error({ err, source }, 'Kafka, or the owner of the facts, cannot be reached'),
    history(source) {
      const owner = peer(source);
      return owner && factsOverHttp(owner);
    },
  });
  watch.deadLetters = () => channel.counts().unreadable;
  return channel;
}

/** How Redis is reached; undefined = memory. Reads the file of authorities. */
export async function redisOf({ REDIS_URL, REDIS_PREFIX, REDIS_CA_FILE }: ProcessSettings) {
  if (REDIS_URL === undefined) return undefined;
  const tls = await authorities(REDIS_CA_FILE);
  return { url: REDIS_URL, prefix: REDIS_PREFIX, ...(tls ? { tls } : {}) };
}

/** The store of what is short-lived that the settings choose. */
export async function openEphemeral(settings: ProcessSettings, clock: Clock, logger: Logger): Promise<Ephemeral> {
  const redis = await redisOf(settings);
  if (!redis) return memoryEphemeral(clock);
  return redisEphemeral({
    ...redis,
    onError: (err) => logger.error({ err }, 'Redis cannot be reached; the client tries again'),
  });
}
