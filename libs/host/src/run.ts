import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Arguments, chooseModules, readArguments, together, usage } from './command-line/arguments.ts';
import { backupCommand, restoreCommand } from './command-line/backup-command.ts';
import { checkLogCommand } from './command-line/log-command.ts';
import { repairLogCommand } from './command-line/repair-command.ts';
import { banner } from './command-line/banner.ts';
import { type Preparation, type Running, boot } from './boot/boot.ts';
import { mailObstacle, obstacles, shortcomings } from './command-line/check.ts';
import { type SettingsRead, printedSettings, problemLines, readEnvironment } from './settings/environment.ts';
import { createLogger } from './logger.ts';
import { ownPartOfDemo } from './boot/own-demo.ts';
import { type AnyModule, StartRefused } from '@lyceum/service';
import type { Environment, ProcessSettings } from './settings/settings.ts';
import { shutDown } from './boot/shutdown.ts';

/** What `run` may be given. */
export interface RunOptions {
  /** Command line without node and script. */
  readonly argv?: readonly string[];
  readonly env?: Environment;
  /** Refuses settings and data folder that this program does not start over, by `StartRefused`. Changes nothing. */
  readonly refuse?: (settings: ProcessSettings) => Promise<void>;
  /** Gives work for the started modules, before anything is opened. */
  readonly prepare?: (settings: ProcessSettings, modules: readonly string[]) => Promise<Preparation | undefined>;
}

/**
 * The main function of a process: reads the command line and the environment, starts the modules, serves until SIGTERM or
 * SIGINT, stops gracefully and exits. Exit code 0 after an orderly stop, 1 when the start is refused, something was cut
 * off, or an error went uncaught. This is the only reader of `process.env`.
 */
export async function run(modules: readonly AnyModule[], options: RunOptions = {}): Promise<void> {
  const { argv = process.argv.slice(2), env = process.env } = options;
  try {
    const asked = readArguments(argv);
    const { command, only, role } = asked;
    const chosen = command === 'list' || command === 'help' ? [...modules] : chooseModules(modules, only);
    const given: Given = { all: modules, chosen, env: role === undefined ? env : { ...env, ROLE: role } };
    const done = await inform(asked, given, options);
    if (done !== undefined) process.exitCode = done;
    else await serve(chosen, readSettings(given), options);
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error;
    process.stderr.write(`${[error.message, ...error.lines].join('\n')}\n`);
    process.exitCode = 1;
  }
}

/** What a process is to be made of. */
interface Given {
  /** All modules of the program. */
  readonly all: readonly AnyModule[];
  /** Those that are to run. */
  readonly chosen: readonly AnyModule[];
  readonly env: Environment;
}

/** Answers the commands that start nothing, with their exit code; undefined for those that do. */
async function inform(
  { command, folder, secrets, repair }: Arguments,
  given: Given,
  options: RunOptions,
): Promise<number | undefined> {
  const print = (lines: readonly string[]) => process.stdout.write(`${lines.join('\n')}\n`);
  if (command === 'help') print([usage]);
  if (command === 'list') print(given.all.map(({ name, routes }) => `${name}  ${routes.join(' ')}`.trimEnd()));
  if (command === 'print-settings') print(printedSettings(given.chosen, readSettings(given).settings));
  if (command === 'backup') print(await backupCommand(folder!, readSettings(given).settings));
  if (command === 'restore') print(await restoreCommand(folder!, secrets, readSettings(given).settings));
  if (command === 'log-check') {
    const names = given.chosen.flatMap(({ name, stateless }) => (stateless ? [] : [name]));
    const { lines, isWhole } = await checkLogCommand(readSettings(given).settings, names);
    print(lines);
    return isWhole ? 0 : 1;
  }
  if (command === 'log-repair') {
    const { lines, isWhole } = await repairLogCommand(readSettings(given).settings, repair!);
    print(lines);
    return isWhole ? 0 : 1;
  }
  if (command === 'check') return check(given, options, print);
  return command === 'run' ? undefined : 0;
}

async function check(given: Given, { refuse }: RunOptions, print: (lines: readonly string[]) => void): Promise<number> {
  const { settings, hints } = readSettings(given);
  const found = await obstacles(given.chosen, settings, () => refuse?.(settings) ?? Promise.resolve());
  const warnings = [...hints, ...(await shortcomings(given.chosen, settings)), ...(await mailObstacle(settings))];
  print(found.length > 0 ? found : ['Settings, data folder, logs, keys, ports and engines are fine.']);
  if (warnings.length > 0) print(warnings.map((line) => `Warning: ${line}`));
  return found.length > 0 ? 1 : 0;
}

function readSettings({ all, chosen, env }: Given): SettingsRead {
  const read = readEnvironment(chosen, env);
  const { length } = read.problems;
  if (length > 0)
    throw new StartRefused(`${length === 1 ? 'A setting needs' : `${length} settings need`} attention:`, [
      ...problemLines(read),
      ...together(all, chosen),
    ]);
  return read;
}

async function serve(
  modules: readonly AnyModule[],
  read: SettingsRead,
  { refuse, prepare }: RunOptions,
): Promise<void> {
  const { settings, hints } = read;
  const began = performance.now();
  const logger = createLogger(settings.LOG_LEVEL);
  exitOnUncaught(logger);
  for (const hint of [...hints, ...(await shortcomings(modules, settings))])
    logger.warn({ hint }, 'a setting needs attention');
  await refuse?.(settings);
  const names = modules.map((module) => module.name);
  const preparation = (await prepare?.(settings, names)) ?? ownPartOfDemo(modules, settings);
  const started: { running?: Running } = {};
  stopOnSignal(started, settings, logger);
  const running = (started.running = await boot(modules, settings, logger, preparation));
  const line = {
    url: settings.BASE_URL,
    data_dir: settings.DATA_DIR,
    ...modeOf(settings, names, preparation !== undefined),
    duration_ms: Math.round(performance.now() - began),
    ...(running.mailWithheldSince === undefined ? {} : { mail_withheld_since: running.mailWithheldSince }),
  };
  logger.info(line, 'ready');
  if (process.stdout.isTTY) process.stdout.write(banner(settings, names, running.notes));
}

/** What the mode of a process means for whoever reads its log: where the demo's password is, or how the first school is made. */
const modeOf = ({ NODE_ENV, DATA_DIR, DEMO_PASSWORD }: ProcessSettings, names: readonly string[], isDemo: boolean) => ({
  mode: NODE_ENV,
  demo: isDemo,
  ...(isDemo && {
    demo_password_file: DEMO_PASSWORD === undefined ? join(DATA_DIR, 'demo-password') : 'none: DEMO_PASSWORD is set',
  }),
  ...(!isDemo && names.includes('school') && { schools: 'made by: npm run lyceum -- schools create' }),
});

function exitOnUncaught(logger: Logger): void {
  const die = (err: unknown) => {
    logger.fatal({ err: err instanceof Error ? err : new Error(String(err)) }, 'uncaught error');
    process.exit(1);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
}

/** Milliseconds in which a repeated signal is the same one: Ctrl-C reaches this process directly and again through npm. */
const echo = 500;

/**
 * The first signal stops gracefully, a second one at once. While starting there is nothing to finish. A person at the
 * keyboard with nothing connected need not wait for routers.
 */
function stopOnSignal(started: { readonly running?: Running }, { DRAIN_MS }: ProcessSettings, logger: Logger): void {
  let stopping: number | undefined;
  const stop = async (signal: NodeJS.Signals) => {
    const { running } = started;
    if (!running) process.exit(0);
    if (stopping !== undefined) {
      if (performance.now() - stopping < echo) return;
      const abandoned = running.listeners.reduce((sum, listener) => sum + listener.inFlight(), 0);
      logger.error({ signal, abandoned }, 'second signal: exiting at once');
      process.exit(1);
    }
    stopping = performance.now();
    const counts = await Promise.all(running.listeners.map((listener) => listener.connections()));
    const alone = signal === 'SIGINT' && counts.every((count) => count === 0);
    process.exit(await shutDown(running, alone ? 0 : DRAIN_MS, logger));
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
}
