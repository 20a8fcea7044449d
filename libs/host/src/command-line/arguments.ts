import { messageOf } from '@lyceum/kernel';
import { parseArgs } from 'node:util';
import type { Lost } from '@lyceum/eventlog';
import { type AnyModule, StartRefused } from '@lyceum/service';
import { missingPeers } from '../settings/peers.ts';

/** What the command line asks for. */
export interface Arguments {
  readonly command:
    'run' | 'list' | 'print-settings' | 'check' | 'help' | 'backup' | 'restore' | 'log-check' | 'log-repair';
  /** Folder of the backup that is to be made or restored. */
  readonly folder?: string | undefined;
  /** Folder of its keys and secrets, when that is another. */
  readonly secrets?: string | undefined;
  /** How logs are to be repaired. */
  readonly repair?: { readonly from: string | undefined; readonly lost: Lost | undefined; readonly apply: boolean };
  /** Names of the modules to run; undefined = all. */
  readonly only: readonly string[] | undefined;
  /** Goes before the variable `ROLE`. */
  readonly role: string | undefined;
}

/** How the command line is used. */
export const usage = `Usage: node main.js [--only=a,b] [--role=a,b] [--list | --print-settings | --check]
       node main.js backup <folder>
       node main.js restore <folder> [--secrets=<folder>]
       node main.js log check
       node main.js log repair [--from=<folder>] [--lost=mark|cut] [--apply]

  --only=a,b         run these modules only
  --role=a,b         do this for the modules only: http, consumer, relay
  --list             print the modules, then exit
  --print-settings   print every setting with its value (secrets hidden), then exit
  --check            check all that a start checks, and where backups and mail go; change nothing; exit 0 or 1

  backup <folder>    back up the logs, keys and secrets of DATA_DIR, whether the system runs or not
  restore <folder>   fill an empty DATA_DIR from a backup
  --secrets=<folder> take keys and secrets from there
  log check          compare every commit with its checksum, while the system does not run; exit 0 or 1
  log repair         say what can be done about damaged and missing commits, and change nothing; exit 0 = nothing to do
  --from=<folder>    put commits back from the logs of this backup
  --lost=mark        commits that are nowhere are marked as lost, and the lane goes on after them
  --lost=cut         the lane ends before the first of them
  --apply            do it: each damaged file stays beside the new one`;

/** Reads the command line. Throws `StartRefused` for anything it does not know. */
export function readArguments(argv: readonly string[]): Arguments {
  const options = {
    only: { type: 'string' },
    role: { type: 'string' },
    list: { type: 'boolean' },
    'print-settings': { type: 'boolean' },
    check: { type: 'boolean' },
    help: { type: 'boolean' },
    secrets: { type: 'string' },
    from: { type: 'string' },
    lost: { type: 'string' },
    apply: { type: 'boolean' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, strict: true, allowPositionals: true });
    const command = (['help', 'list', 'print-settings', 'check'] as const).find((name) => values[name]) ?? 'run';
    const only = values.only
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (positionals.join(' ') === 'log repair')
      return { command: 'log-repair', only, role: values.role, repair: repairOf(values) };
    const stray = (['from', 'lost', 'apply'] as const).find((name) => values[name] !== undefined);
    if (stray !== undefined) throw new Error(`--${stray} belongs to log repair`);
    if (positionals.join(' ') === 'log check') return { command: 'log-check', only, role: values.role };
    if (positionals.length > 0 || values.secrets !== undefined) return withFolder(positionals, values.secrets);
    return { command, only, role: values.role };
  } catch (error) {
    throw new StartRefused(messageOf(error), [usage]);
  }
}

function repairOf({ from, lost, apply = false }: { from?: string; lost?: string; apply?: boolean }) {
  if (lost !== undefined && lost !== 'mark' && lost !== 'cut') throw new Error('--lost is mark or cut');
  return { from, lost, apply } as const;
}

/** `backup <folder>` or `restore <folder>`. */
function withFolder([command, folder, ...more]: readonly string[], secrets: string | undefined): Arguments {
  const known = command === 'backup' || command === 'restore';
  if (!known || folder === undefined || folder === '' || more.length > 0)
    throw new Error(known ? `${command} needs one folder` : `There is no command ${command ?? ''}`);
  if (command === 'backup' && secrets !== undefined) throw new Error('--secrets belongs to restore');
  return { command, only: undefined, role: undefined, folder, secrets };
}

/** The modules to run. Throws `StartRefused` when a name is unknown. */
export function chooseModules<M extends AnyModule>(modules: readonly M[], only: readonly string[] | undefined): M[] {
  const names = modules.map((module) => module.name);
  const unknown = (only ?? []).filter((name) => !names.includes(name));
  if (unknown.length > 0 || only?.length === 0)
    throw new StartRefused(
      `--only names ${unknown.length > 0 ? `unknown modules: ${unknown.join(', ')}` : 'no module'}`,
      [`  Modules: ${names.join(', ')}`],
    );
  return modules.filter((module) => only === undefined || only.includes(module.name));
}

/** How the chosen modules would need no other process, if this program has the modules that they miss. */
export function together(all: readonly AnyModule[], chosen: readonly AnyModule[]): string[] {
  const names = all.map(({ name }) => name);
  const missing = missingPeers(chosen);
  if (missing.length === 0 || !missing.every((name) => names.includes(name))) return [];
  const whole = [...chosen.map(({ name }) => name), ...missing].join(',');
  return [`  Or run what they need in the same process: --only=${whole}`];
}
