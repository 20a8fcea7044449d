import { accessSync, constants } from 'node:fs';
import { z } from 'zod';

const optional = (rule: (text: string) => boolean, what: string, description: string, secret = false) =>
  z
    .string()
    .refine(rule, what)
    .optional()
    .meta({ description, ...(secret ? { secret } : {}) });

const url =
  (...schemes: readonly string[]) =>
  (text: string): boolean =>
    URL.canParse(text) && schemes.includes(new URL(text).protocol);

/** A list of hosts is no URL of the standard, yet MongoDB's own form. */
const isMongoUrl = (text: string): boolean => /^mongodb(\+srv)?:\/\/[^\s/]+(\/\S*)?$/.test(text);

const listOf =
  (rule: (text: string) => boolean) =>
  (text: string): boolean =>
    text.split(',').every(rule);

const isReadable = (file: string): boolean => {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
};

/** A setting that names a file of authorities. */
export const caFile = (engine: string) =>
  optional(isReadable, 'a readable PEM file', `Authorities that the certificate of ${engine} is checked against`);

const mechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

/** Where the engines of a cluster are. Each one unset = the embedded default of its port. */
export const engineSettings = {
  MONGODB_URL: optional(
    isMongoUrl,
    'mongodb://host:port/ or mongodb+srv://host/',
    'Event logs and read models in MongoDB, one database for each service; unset = SQLite in DATA_DIR',
    true,
  ),
  MONGODB_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,30}$/, 'up to 31 lower-case letters, digits, - and _')
    .default('lyceum_')
    .meta({ description: 'Beginning of the names of the databases' }),
  MONGODB_CA_FILE: caFile('MongoDB'),
  KAFKA_BROKERS: optional(
    listOf((each) => /^[^\s:,/]+:\d{1,5}$/.test(each)),
    'host:port, several separated by commas',
    'Facts between services through Kafka; unset = within this process',
  ),
  KAFKA_PREFIX: z
    .string()
    .regex(/^[a-zA-Z0-9._-]{0,60}$/, 'up to 60 letters, digits, ., - and _')
    .default('')
    .meta({ description: 'Beginning of the names of topics and groups' }),
  KAFKA_SSL: z
    .enum(['true', 'false'], 'true or false')
    .default('false')
    .meta({ description: 'Whether the brokers are spoken to by TLS' }),
  KAFKA_CA_FILE: caFile('the brokers'),
  KAFKA_SASL_MECHANISM: z
    .enum(mechanisms, `one of ${mechanisms.join(', ')}`)
    .optional()
    .meta({ description: 'How this process signs in to the brokers; unset = it does not' }),
  KAFKA_SASL_USERNAME: optional(() => true, '', 'User name for the brokers'),
  KAFKA_SASL_PASSWORD: optional(() => true, '', 'Password for the brokers', true),
  REDIS_URL: optional(
    listOf(url('redis:', 'rediss:')),
    'redis://host:port or rediss://host:port, several nodes of a cluster separated by commas',
    'Codes and rate limits in Redis or a Redis Cluster; unset = in memory',
    true,
  ),
  REDIS_PREFIX: z
    .string()
    .regex(/^[\w.-]{1,60}$/, 'up to 60 letters, digits, ., - and _')
    .default('lyceum')
    .meta({ description: 'Beginning of the keys' }),
  REDIS_CA_FILE: caFile('Redis'),
} as const;

/** The engines' part of the settings. */
export type EngineSettings = z.output<z.ZodObject<typeof engineSettings>>;

const sasl = ['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'] as const;

/** What is wrong with the engines' settings taken together: variable and what would do. */
export function engineProblems(settings: Readonly<Record<string, unknown>>): [variable: string, expected: string][] {
  const onServer = settings['MONGODB_URL'] !== undefined && settings['LOG_ARCHIVE_DAYS'] !== undefined;
  const missing = sasl.filter((name) => settings[name] === undefined);
  const isAlone = missing.length > 0 && missing.length < sasl.length;
  const because = `a value, because ${sasl.find((each) => settings[each] !== undefined)} is set`;
  return [
    ...(onServer ? [['LOG_ARCHIVE_DAYS', noArchive] as [string, string]] : []),
    ...(isAlone ? missing.map((name): [string, string] => [name, because]) : []),
  ];
}

const noArchive = 'to be unset when MONGODB_URL is set: only logs in files of this machine have an archive';

/** Whether anything of the process lies outside of it, and may thus be away for a while. */
export const usesServers = (settings: Pick<EngineSettings, 'MONGODB_URL' | 'KAFKA_BROKERS' | 'REDIS_URL'>): boolean =>
  settings.MONGODB_URL !== undefined || settings.KAFKA_BROKERS !== undefined || settings.REDIS_URL !== undefined;
