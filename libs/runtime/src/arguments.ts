import { parseArgs } from 'node:util';
import type { FactSource } from '@lyceum/contracts';
import type { AnyModule } from './module.ts';
import { StartRefused } from './refusal.ts';

/** What the command line asks for. */
export interface Arguments {
  readonly command: 'run' | 'list' | 'print-settings' | 'check' | 'help';
  /** Names of the modules to run; undefined = all. */
  readonly only: readonly string[] | undefined;
}

/** How the command line is used. */
export const usage = `Usage: node main.js [--only=a,b] [--list | --print-settings | --check]

  --only=a,b         run these modules only
  --list             print the modules, then exit
  --print-settings   print every setting with its value (secrets hidden), then exit
  --check            check settings, data folder and ports, then exit 0 or 1`;

/** Reads the command line. Throws `StartRefused` for anything it does not know. */
export function readArguments(argv: readonly string[]): Arguments {
  const options = {
    only: { type: 'string' },
    list: { type: 'boolean' },
    'print-settings': { type: 'boolean' },
    check: { type: 'boolean' },
    help: { type: 'boolean' },
  } as const;
  try {
    const { values } = parseArgs({ args: [...argv], options, strict: true, allowPositionals: false });
    const command = (['help', 'list', 'print-settings', 'check'] as const).find((name) => values[name]) ?? 'run';
    const only = values.only
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    return { command, only };
  } catch (error) {
    throw new StartRefused((error as Error).message, [usage]);
  }
}

/** The modules to run. Throws `StartRefused` when a name is unknown or a module misses facts of a service that would not run. */
export function chooseModules<M extends AnyModule>(modules: readonly M[], only: readonly string[] | undefined): M[] {
  const names = modules.map((module) => module.name);
  const unknown = (only ?? []).filter((name) => !names.includes(name));
  if (unknown.length > 0 || only?.length === 0)
    throw new StartRefused(
      `--only names ${unknown.length > 0 ? `unknown modules: ${unknown.join(', ')}` : 'no module'}`,
      [`  Modules: ${names.join(', ')}`],
    );
  const chosen = modules.filter((module) => only === undefined || only.includes(module.name));
  const missing = chosen.flatMap((module) => missingSources(module, chosen));
  if (missing.length > 0) {
    const together = [...new Set([...chosen.map((module) => module.name), ...missing.map(([, source]) => source)])];
    throw new StartRefused('Some modules need facts of services that would not run', [
      ...missing.map(([name, source]) => `  ${name} follows ${source}`),
      `  Run them in one process: --only=${together.join(',')} (separate processes need Kafka, which comes with a later release)`,
    ]);
  }
  return chosen;
}

const missingSources = (module: AnyModule, chosen: readonly AnyModule[]): [string, FactSource][] =>
  module.consumes
    .filter((source) => source !== module.name && !chosen.some((each) => each.name === source))
    .map((source) => [module.name, source]);
