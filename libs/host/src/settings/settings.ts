import { isOneOf } from '@lyceum/kernel';
import { resolve } from 'node:path';
import { z } from 'zod';
import { engineSettings } from './engine-settings.ts';
import { historySettings } from './history-tokens.ts';
import { mailSettings } from './mailing.ts';
import { type CommonSettings, type ServiceRole, serviceRoles } from '@lyceum/service';
import { isAddressBlock } from './address-block.ts';
import { checkOrigin, isLoopback } from '@lyceum/web';
import { routeSettings } from './routes.ts';
import { tracingSettings } from './tracing.ts';
import { keySettings } from './wrapping-keys.ts';

const wholeNumber = (from: number, to: number, what: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, what)
    .transform(Number)
    .refine((number) => number >= from && number <= to, what);

const port = (standard: number, description: string) =>
  wholeNumber(1, 65_535, 'a port number from 1 to 65535').default(standard).meta({ description });

const secret = (rule: RegExp, what: string, description: string) =>
  z.string().regex(rule, what).optional().meta({ secret: true, description });

/**
 * A secret that admits to everything: 32 random characters cannot be guessed. Shorter ones, which
 * the release before accepted, are named in a warning (`shortSecrets`); the next release refuses them.
 */
const token = (description: string) =>
  secret(
    /^[\x21-\x7e]{16,}$/,
    'at least 32 printable ASCII characters without spaces, e.g. from: openssl rand -hex 32',
    description,
  );

/** What to say of secrets that are shorter than they should be, a sentence each. */
export const shortSecrets = (settings: Readonly<Record<string, unknown>>): string[] =>
  ['OPERATOR_TOKEN', 'SERVICE_TOKEN']
    .filter((name) => typeof settings[name] === 'string' && settings[name].length < 32)
    .map((name) => `${name} has fewer than 32 characters, which the next release refuses: openssl rand -hex 32`);

const modes = ['development', 'test', 'production'] as const;

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

/** The settings that belong to the process rather than to one module. Every value arrives as the text of an environment variable. */
export const processSettings = z.object({
  PORT: port(8080, 'Port of the public listener'),
  HOST: z.string().default('127.0.0.1').meta({ description: 'Address that the public listener binds to' }),
  BASE_URL: z
    .string()
    .superRefine(checkOrigin)
    .meta({ description: 'Public origin of the first school; unset = http://127.0.0.1:PORT' }),
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((path) => resolve(path))
    .meta({ description: 'Folder of everything that must survive' }),
  BACKUP_DIR: z
    .string()
    .transform((path) => resolve(path))
    .meta({ description: 'Folder that backups stay inside of; unset = <DATA_DIR>-backups' }),
  DOCS_URL: z
    .url('an absolute URL')
    .optional()
    .meta({ description: 'Where the documentation for client developers is; unset = /docs of each school' }),
  NODE_ENV: z
    .enum(modes, `one of ${modes.join(', ')}`)
    .default('development')
    .meta({ description: 'production makes no demo schools and needs its keys set' }),
  LOG_LEVEL: z
    .enum(levels, `one of ${levels.join(', ')}`)
    .default('info')
    .meta({ description: 'Least level of log lines' }),
  RATE_LIMIT_FACTOR: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,3})?$/, 'a number from 0.001 to 999999, e.g. 1')
    .transform(Number)
    .refine((factor) => factor > 0, 'a number above 0, e.g. 1')
    .meta({ description: 'Multiplies every rate limit; unset = 1 in production, 20 otherwise' }),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []))
    .refine((entries) => entries.every(isAddressBlock), 'IP addresses and CIDR blocks, separated by commas')
    .meta({ description: 'Proxies in front: their X-Forwarded-For or Forwarded is believed; unset = none' }),
  OPERATOR_PORT: port(8081, 'Port of the operator listener'),
  OPERATOR_HOST: z.string().default('127.0.0.1').meta({ description: 'Address that the operator listener binds to' }),
  OPERATOR_TOKEN: token('Bearer token of the operator listener; unset = made once and kept in DATA_DIR/operator-token'),
  DEMO_PASSWORD: secret(
    /^(?! )[^\p{Cc}]{8,128}(?<! )$/u,
    '8 to 128 characters, without spaces around them',
    'Password of the demo accounts, refused in production and off loopback; unset = made once and kept in DATA_DIR/demo-password',
  ),
  DEMO_HISTORY: z.enum(['true', 'false'], 'true or false').default('true').meta({
    description:
      'Whether it is written what happened in the demo schools: their orders, subscriptions and what people have learnt',
  }),
  DRAIN_MS: wholeNumber(0, 60_000, 'milliseconds from 0 to 60000')
    .default(2_500)
    .meta({ description: 'How long new connections are still served after SIGTERM' }),
  LANES: wholeNumber(1, 256, 'a number from 1 to 256').optional().meta({
    description:
      'Lanes of a log that is created now, and of it for ever: its total orders, Kafka partitions and units of work; unset = 16, or what the log has',
  }),
  LOG_ARCHIVE_DAYS: wholeNumber(1, 36_500, 'a number of days from 1 to 36500').optional().meta({
    description:
      'Days after which commits of the event logs in DATA_DIR are archived: compressed in the same file to about a third, and read as before; unset = never. A release without this setting cannot open a log of which something is archived. Not for logs in MongoDB',
  }),
  ROLE: z
    .string()
    .transform((text) => text.split(',').map((role) => role.trim()))
    .refine(
      (named): named is ServiceRole[] => named.every((role) => isOneOf(serviceRoles, role)),
      `some of ${serviceRoles.join(', ')}, separated by commas`,
    )
    .transform((named) => serviceRoles.filter((role) => named.includes(role)))
    .meta({ description: 'What this process does for its services, also as --role=; unset = all of it' }),
  SERVICE_TOKEN: token('Secret that the processes of one installation share; needed as soon as there are several'),
  ...historySettings,
  ...routeSettings,
  ...engineSettings,
  ...mailSettings,
  ...keySettings,
  ...tracingSettings,
});

/** The settings of the process. */
export type ProcessSettings = z.output<typeof processSettings> & CommonSettings;

/** Text of an environment: variable to value. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Fills what depends on other variables: BASE_URL on PORT, RATE_LIMIT_FACTOR on NODE_ENV, BACKUP_DIR on DATA_DIR; all roles. */
export function withDerivedDefaults(env: Environment): Environment {
  const base = env['BASE_URL'] ?? `http://127.0.0.1:${env['PORT'] ?? 8080}`;
  const wellFormed = env['BASE_URL'] !== undefined || URL.canParse(base) ? base : 'http://127.0.0.1:8080';
  return {
    ...env,
    BASE_URL: wellFormed,
    BACKUP_DIR: env['BACKUP_DIR'] ?? `${resolve(env['DATA_DIR'] ?? './data')}-backups`,
    ROLE: env['ROLE'] ?? serviceRoles.join(),
    RATE_LIMIT_FACTOR: env['RATE_LIMIT_FACTOR'] ?? (env['NODE_ENV'] === 'production' ? '1' : '20'),
  };
}

/** What is wrong with the settings taken together. The demo is for one's own machine only. */
export function demoProblem(settings: ProcessSettings): string | undefined {
  if (settings.DEMO_PASSWORD === undefined) return undefined;
  const reason = reasonForNoDemo(settings);
  return reason && `to be unset when ${reason}: demo accounts stay on this machine`;
}

/** Why this process must have no demo accounts, as the setting that says so; undefined where they may be. */
export function reasonForNoDemo({ NODE_ENV, HOST, BASE_URL }: ProcessSettings): string | undefined {
  if (NODE_ENV === 'production') return 'NODE_ENV is production';
  if (!isLoopback(HOST)) return `HOST is not loopback (${HOST})`;
  if (!isLoopback(new URL(BASE_URL).hostname)) return `BASE_URL is not on this machine (${BASE_URL})`;
  return undefined;
}
