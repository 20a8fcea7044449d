import { randomBytes } from 'node:crypto';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Assembly,
  type Preparation,
  type Prepared,
  type ProcessSettings,
  demoHistory,
  keepSecret,
  reasonForNoDemo,
  readSecret,
} from '@lyceum/host';
import { StartRefused } from '@lyceum/service';
import { collectGarbage, giveBackAfterStart } from './memory.ts';

/** The services that have a part in the demo, in the order in which they need each other. */
const parts = ['school', 'auth', 'catalog', 'learning', 'commerce'];

/**
 * Those that something has happened in, in this order; one that is not in this process is left out. Pages show the pictures of
 * courses from the beginning. What people wrote comes before what became of them: somebody who wrote is erased since.
 */
const withHistory = ['media', 'content', 'school', 'learning', 'commerce'];

/** What a complete demo is made of. To be changed with the demo: a folder with another one gets what it lacks. */
const edition = 'schools, people, offers, files, learning, orders, subscriptions, content';

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

const passwordFileOf = ({ DATA_DIR }: ProcessSettings): string => join(DATA_DIR, 'demo-password');

/** Throws `StartRefused` when demo accounts would be reachable by others, or have another password than is asked for. */
export async function refuseDemo(settings: ProcessSettings): Promise<void> {
  const { DATA_DIR, DEMO_PASSWORD } = settings;
  const kept = await readSecret(passwordFileOf(settings));
  const reason = reasonForNoDemo(settings);
  if (reason !== undefined && kept !== undefined)
    throw new StartRefused(
      `${DATA_DIR} holds the demo schools and their accounts, which stay on their machine, but ${reason}`,
      ['  Give this start a folder of its own: DATA_DIR=/var/lib/lyceum'],
    );
  if (kept !== undefined && DEMO_PASSWORD !== undefined && kept !== DEMO_PASSWORD)
    throw new StartRefused(`The demo accounts of ${DATA_DIR} have another password than DEMO_PASSWORD`, [
      `  Unset DEMO_PASSWORD (the password is in ${passwordFileOf(settings)}), or use another DATA_DIR`,
    ]);
}

/**
 * What this start has to do for the demo: everything on an empty data folder, to finish what was interrupted, to follow
 * another PORT or BASE_URL; nothing where no demo belongs. The password is on disk before the first account is, so an
 * interrupted start goes on with the same one.
 */
export async function demo(settings: ProcessSettings, modules: readonly string[]): Promise<Preparation | undefined> {
  const { DATA_DIR, DEMO_PASSWORD } = settings;
  const passwordFile = passwordFileOf(settings);
  const kept = await readSecret(passwordFile);
  const complete = parts.every((part) => modules.includes(part));
  const fresh = !(await exists(join(DATA_DIR, 'school', 'events.db')));
  if (reasonForNoDemo(settings) !== undefined || !complete || (kept === undefined && !fresh)) return undefined;
  const password = await keepSecret(passwordFile, () => DEMO_PASSWORD ?? randomBytes(12).toString('base64url'));
  return (assembly) => provision(assembly, password, passwordFile);
}

async function provision(assembly: Assembly, password: string, passwordFile: string): Promise<Prepared> {
  const { BASE_URL, PORT, DATA_DIR } = assembly.settings;
  const complete = join(DATA_DIR, 'demo-complete');
  const isComplete = (await readSecret(complete)) === edition;
  const of = { password, port: PORT, baseUrl: BASE_URL };
  // Once all is there, only the schools may have to move.
  for (const part of isComplete ? ['school'] : parts) {
    await assembly.module(part)?.seedDemo?.(of);
    await assembly.settle();
  }
  async function completed() {
    await writeFile(complete, `${edition}\n`, { mode: 0o600 });
    await collectGarbage();
  }
  if (isComplete) giveBackAfterStart();
  const notes = notesOf(assembly, password, passwordFile);
  return { notes, meanwhile: isComplete ? undefined : demoHistory(assembly, withHistory, of, completed) };
}

function notesOf({ settings }: Assembly, password: string, passwordFile: string): readonly string[] {
  const { BASE_URL, PORT } = settings;
  return [
    `Lantern Craft School  ${BASE_URL}`,
    `North Quay Music      http://northquay.localhost:${PORT}`,
    '',
    'Accounts  owner@ admin@ lecturer@ student@ lantern.test (and northquay.test)',
    `Password  ${password}  (kept in ${passwordFile})`,
  ];
}
