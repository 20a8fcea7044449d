import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { sqliteEventLog } from '@lyceum/eventlog';
import { isoTime, systemClock } from '@lyceum/kernel';
import { AlreadyRunning, type Database, openDatabase } from '@lyceum/sqlite';
import { readSecret } from '../settings/kept-secret.ts';
import {
  type Manifest,
  type OpenLogFile,
  LogFaulty,
  PlaceRefused,
  backUp,
  exists,
  placeFor,
  places,
  refuseHalfRestored,
  restore,
  servicesOf,
} from '@lyceum/operations';
import { StartRefused } from '@lyceum/service';
import type { ProcessSettings } from '../settings/settings.ts';

/** Backs up the data folder: through the process that has it, or from the files when none does. Gives lines for a person. */
export async function backupCommand(asked: string, settings: ProcessSettings): Promise<string[]> {
  if (settings.MONGODB_URL !== undefined)
    throw new StartRefused('The logs are in MongoDB: back them up with its own tools', [
      `  The keys of schools and people are in the databases ${settings.MONGODB_PREFIX}<service>_keys: keep their copies apart, and not for long`,
      '  After a restore delete the document in `incarnation` of each log that was restored: its readers then begin anew',
      '  and start with MAIL_WITHHELD=true until you know which mails were sent since',
    ]);
  try {
    const { place, manifest } = await fromFiles(asked, settings);
    return reportOf(place, manifest);
  } catch (error) {
    if (error instanceof LogFaulty)
      throw new StartRefused(`No backup: ${error.message}`, [
        '  Restore an older backup, or bring the commit back as it was.',
      ]);
    if (error instanceof PlaceRefused) throw new StartRefused(`No backup in ${asked}: ${error.message}`);
    if (!(error instanceof AlreadyRunning)) throw error;
  }
  const { folder: place, ...manifest } = await throughProcess(asked, settings);
  return reportOf(place, manifest);
}

/** Restores a backup into the data folder. Gives lines for a person. */
export async function restoreCommand(
  from: string,
  secrets: string | undefined,
  { DATA_DIR }: ProcessSettings,
): Promise<string[]> {
  const kept = secrets === undefined ? undefined : resolve(secrets);
  const { made_at, services } = await restore({ from: resolve(from), secrets: kept, dataDir: DATA_DIR });
  return [
    `Restored ${Object.keys(services).join(', ')} as of ${made_at} into ${DATA_DIR}.`,
    'Start as usual: read models are built again.',
    'No mail is sent until you say so: lyceum mail release, or POST /internal/mail/release',
  ];
}

const reportOf = (place: string, { made_at, services }: Pick<Manifest, 'made_at' | 'services'>): string[] => [
  `Backed up ${Object.keys(services).join(', ')} as of ${made_at} in ${place}.`,
  `Keys and secrets are in ${join(place, places.secrets)}: keep them elsewhere, and not for long.`,
];

async function fromFiles(asked: string, settings: ProcessSettings) {
  const { DATA_DIR } = settings;
  await refuseHalfRestored(DATA_DIR);
  const opened: { close(): unknown }[] = [];
  try {
    const logs: OpenLogFile[] = [];
    const keys: { service: string; database: Database }[] = [];
    for (const service of await servicesOf(DATA_DIR)) {
      logs.push(await openLogFile(service, join(DATA_DIR, places.log(service)), opened));
      if (!(await exists(join(DATA_DIR, places.keys(service))))) continue;
      const database = await openDatabase(join(DATA_DIR, places.keys(service)), { durable: true });
      opened.push(database);
      keys.push({ service, database });
    }
    const place = await placeFor(asked, settings);
    const at = isoTime(systemClock.now());
    return { place, manifest: await backUp(place, { logs, keys, dataDir: DATA_DIR, at }) };
  } finally {
    for (const each of opened) await each.close();
  }
}

async function openLogFile(service: string, file: string, opened: { close(): unknown }[]): Promise<OpenLogFile> {
  let database!: Database;
  const open = async (path: string) => (database = await openDatabase(path, { durable: true }));
  const log = await sqliteEventLog({ file, open });
  opened.push(log);
  return { service, file, database, log };
}

const everywhere = new Set(['0.0.0.0', '::', '']);

/** Has the process that holds the folder make the backup. */
async function throughProcess(folder: string, settings: ProcessSettings): Promise<Manifest & { folder: string }> {
  const { OPERATOR_HOST, OPERATOR_PORT, OPERATOR_TOKEN, DATA_DIR } = settings;
  const token = OPERATOR_TOKEN ?? (await readSecret(join(DATA_DIR, 'operator-token')));
  const host = everywhere.has(OPERATOR_HOST) ? '127.0.0.1' : OPERATOR_HOST;
  let answer: { readonly status: number | undefined; readonly text: string };
  try {
    answer = await post(host, OPERATOR_PORT, `Bearer ${token}`, JSON.stringify({ folder }));
  } catch {
    throw new StartRefused(`${DATA_DIR} is in use, and no operator listener answers at ${host}:${OPERATOR_PORT}`, [
      '  Give OPERATOR_HOST and OPERATOR_PORT as the running process has them',
    ]);
  }
  const body = JSON.parse(answer.text) as Record<string, unknown>;
  if (answer.status !== 201)
    throw new StartRefused(`The running process made no backup: ${String(body['error_description'])}`);
  return body as unknown as Manifest & { folder: string };
}

/** Waits as long as it takes: a large backup takes longer than any usual limit. */
function post(host: string, port: number, authorization: string, body: string) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const headers = { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const asking = request({ host, port, method: 'POST', path: '/internal/backup', headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('error', reject).on('end', () => resolve({ status: answer.statusCode, text }));
    });
    asking.on('error', reject).end(body);
  });
}
