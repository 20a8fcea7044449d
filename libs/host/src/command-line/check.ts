import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryKeyStore } from '@lyceum/eventlog';
import { systemClock, codeOf, messageOf } from '@lyceum/kernel';
import { reachSmtp } from '@lyceum/mail';
import { mongoDatabases } from '@lyceum/mongo';
import { AlreadyRunning } from '@lyceum/sqlite';
import { newInstruments, placeProblem, sampleFaults, faultMessage, unwritableFor } from '@lyceum/operations';
import { mongoOf, noDocuments } from '../engines/engines.ts';
import { type Closable, openKept } from '../engines/kept-by-service.ts';
import { listen } from '../http/listener.ts';
import { smtpOf } from '../settings/mailing.ts';
import { type AnyModule, StartRefused } from '@lyceum/service';
import { engineObstacles, reasonOf } from './reach.ts';
import type { ProcessSettings } from '../settings/settings.ts';
import { type Refuse, dataChecks } from '../engines/start-checks.ts';
import { presentKeys } from '../settings/wrapping-keys.ts';

/**
 * What keeps the process from starting although its settings are well formed, or is damaged, as lines; empty when all is
 * well. `refuse`: what the program refuses by itself. Asks what a start asks, by the same code; changes nothing.
 */
export async function obstacles(
  modules: readonly AnyModule[],
  settings: ProcessSettings,
  refuse: Refuse = async () => undefined,
): Promise<string[]> {
  const { DATA_DIR, HOST, PORT, OPERATOR_HOST, OPERATOR_PORT } = settings;
  const ports = await Promise.all([
    portObstacle(HOST, PORT, 'PORT'),
    portObstacle(OPERATOR_HOST, OPERATOR_PORT, 'OPERATOR_PORT'),
  ]);
  const data = await Promise.all([
    folderObstacle(DATA_DIR),
    ...[refuse, ...dataChecks(modules, settings)].map(refused),
  ]);
  const found = [...ports, ...data].filter((line) => line !== undefined);
  // What is refused already is not opened.
  const engines = await engineObstacles(settings);
  const isOpened = engines.length === 0 && data.every((line) => line === undefined);
  return [...found, ...(isOpened ? await keptObstacles(modules, settings) : []), ...engines];
}

/** What a start goes on with, yet will be missed one night, as lines. Changes nothing. */
export async function shortcomings(modules: readonly AnyModule[], settings: ProcessSettings): Promise<string[]> {
  if (modules.every(({ stateless }) => stateless)) return [];
  const found = [
    settings.MONGODB_URL === undefined
      ? await placeProblem(settings).catch((error: unknown) => `BACKUP_DIR cannot be used: ${messageOf(error)}`)
      : undefined,
    settings.SMTP_URL === undefined && settings.NODE_ENV === 'production'
      ? 'SMTP_URL is not set: no mail leaves this machine, it is kept as files'
      : undefined,
  ];
  return found.filter((line) => line !== undefined);
}

/** Why the mail server does not take mail, as a line. Nothing is sent. */
export async function mailObstacle(settings: ProcessSettings): Promise<string[]> {
  const smtp = await smtpOf(settings, systemClock);
  if (!smtp) return [];
  return reachSmtp({ ...smtp, timeout: 5_000 }).then(
    () => [],
    (error: unknown) => [`SMTP_URL: the mail server does not let us in (${messageOf(error)})`],
  );
}

/** What a refusal says, as one text. */
async function refused(refuse: Refuse): Promise<string | undefined> {
  try {
    await refuse();
    return undefined;
  } catch (error) {
    if (error instanceof StartRefused) return [error.message, ...error.lines].join('\n');
    throw error;
  }
}

async function folderObstacle(folder: string): Promise<string | undefined> {
  try {
    await readdir(folder);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') return `DATA_DIR ${folder} cannot be read (${messageOf(error)})`;
    const why = await unwritableFor(folder);
    return why && `DATA_DIR ${folder} cannot be created: ${why}`;
  }
  return (await unwritableFor(folder)) && `DATA_DIR ${folder} cannot be written to`;
}

/** What is wrong with the logs, read models and keys that are there. What is not there, a start makes. */
async function keptObstacles(modules: readonly AnyModule[], settings: ProcessSettings): Promise<string[]> {
  const found: string[] = [];
  for (const module of modules) {
    if (module.stateless) continue;
    try {
      const there = await thereOf(module.name, settings);
      if (there.hasLog) found.push(...(await faultsOfKept(module, settings, there)));
    } catch (error) {
      if (error instanceof AlreadyRunning)
        return [`Lyceum is already running on this data directory: ${settings.DATA_DIR}`];
      const refusal = error instanceof StartRefused ? error : undefined;
      found.push(
        refusal
          ? [refusal.message, ...refusal.lines].join('\n')
          : `What ${module.name} keeps cannot be opened (${reasonOf(error)})`,
      );
    }
  }
  return found;
}

/** What of a service there is already; the rest would be made by opening it. */
interface There {
  readonly hasLog: boolean;
  readonly hasDocuments: boolean;
  readonly hasKeys: boolean;
}

async function thereOf(service: string, settings: ProcessSettings): Promise<There> {
  const mongo = mongoOf(settings);
  if (mongo) {
    const database = settings.MONGODB_PREFIX + service;
    const names = await mongoDatabases(mongo, database);
    const hasLog = names.includes(database);
    return { hasLog, hasDocuments: hasLog, hasKeys: names.includes(`${database}_keys`) };
  }
  const names = await readdir(join(settings.DATA_DIR, service)).catch((): string[] => []);
  const has = (name: string): boolean => names.includes(name);
  return { hasLog: has('events.db'), hasDocuments: has('documents.db'), hasKeys: has('keys.db') };
}

async function faultsOfKept(
  module: AnyModule,
  settings: ProcessSettings,
  { hasDocuments, hasKeys }: There,
): Promise<string[]> {
  const { current = randomBytes(32), previous } = await presentKeys(settings);
  const opened: Closable[] = [];
  try {
    const { raw } = await openKept(module, settings, {
      rootKeys: [current, ...previous],
      files: newInstruments().files,
      keep(engine) {
        opened.unshift(engine);
        return engine;
      },
      goneOn: async (log) => log,
      instead: {
        ...(hasKeys ? {} : { keys: memoryKeyStore() }),
        ...(hasDocuments ? {} : { documents: noDocuments() }),
      },
    });
    return (await sampleFaults(raw)).map((fault) => faultMessage(module.name, fault));
  } finally {
    for (const each of opened) await each.close();
  }
}

const portObstacle = (host: string, port: number, setting: string): Promise<string | undefined> =>
  refused(async () => {
    await (await listen(() => undefined, { host, port, setting })).close(0);
  }).then((refusal) => refusal && `${setting}: ${refusal}`);
