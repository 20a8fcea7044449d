import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Calling, type Command, type Flags, type Given, type Outcome, UsageError, textOf } from './command.ts';
import { integrationCommands } from './commands/integrations.ts';
import { logCommands } from './commands/logs.ts';
import { keyCommands, memberCommands } from './commands/people-and-keys.ts';
import { operatingCommands } from './commands/operating.ts';
import { schoolCommands } from './commands/schools.ts';
import { stuckCommands } from './commands/stuck.ts';
import { commandHelp, commonFlags, overview } from './help.ts';
import { type OperatorApi, type Json, OperatorClient, OperatorRefused } from './operator-client.ts';
import { sheet, table } from './table.ts';

/** Where lines go. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  /** Asks a person; not there where nobody sits. */
  ask?(question: string): Promise<string>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const commands: readonly Command[] = [
  ...schoolCommands,
  ...integrationCommands,
  ...memberCommands,
  ...keyCommands,
  ...logCommands,
  ...stuckCommands,
  ...operatingCommands,
];

/** Runs a command line. Gives the exit code: 0 = done, 1 = refused or not reached, 2 = not understood. */
export async function runOperator(argv: readonly string[], env: Environment, terminal: Terminal): Promise<0 | 1 | 2> {
  const print = (lines: readonly string[]) => lines.forEach((line) => terminal.out(line));
  try {
    const listed = askedFor(argv);
    if (listed) {
      print(overview(listed));
      return 0;
    }
    const { command, subject, flags } = readCommand(argv);
    if (flags['help'] === true) print(commandHelp(command));
    else {
      const client = new OperatorClient(await operatorApiOf(flags, env));
      const outcome = await command.run({ client, subject, flags, confirm: confirming(terminal) });
      print(flags['json'] === true ? [JSON.stringify(outcome.data, null, 2)] : lines(outcome));
      for (const note of outcome.notes ?? []) terminal.err(note);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof OperatorRefused)) throw error;
    terminal.err(argv.includes('--json') ? JSON.stringify(asJson(error)) : error.message);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** An error for scripts: the same members as an error of the API. */
const asJson = (error: Error): Json => ({
  error: error instanceof UsageError ? 'usage' : 'refused',
  error_description: error.message,
});

const confirming =
  (terminal: Terminal): Calling['confirm'] =>
  async (about, question) => {
    sheet(about).forEach((line) => terminal.err(line));
    return /^y(es)?$/i.test(((await terminal.ask?.(`${question} [y/N] `)) ?? '').trim());
  };

interface Read {
  readonly command: Command;
  readonly subject: string;
  readonly flags: Given;
}

const helps = ['', 'help', '--help', '-h'];

/** The commands that are to be listed: all, or those of one word; undefined where a command is given. */
function askedFor([noun = '', verb = '']: readonly string[]): readonly Command[] | undefined {
  const of = (word: string) => commands.filter(({ name }) => name.startsWith(`${word} `));
  if (helps.includes(noun)) return of(verb).length > 0 ? of(verb) : commands;
  return helps.includes(verb) && of(noun).length > 0 ? of(noun) : undefined;
}

/** Two words name the command, so that its flags are known before they are read. Throws `UsageError`. */
export function readCommand(argv: readonly string[]): Read {
  const [noun = '', verb = ''] = argv;
  const command = commands.find(({ name }) => name === `${noun} ${verb}`);
  if (!command) throw new UsageError(unknownCommand(noun, verb));
  const { values, positionals } = parsed(argv.slice(2), { ...command.flags, ...commonFlags });
  if (values['help'] === true) return { command, subject: '', flags: values };
  const wanted = command.subject === undefined ? 0 : 1;
  const isLeftAway = command.isSubjectOptional === true && positionals.length === 0;
  if (positionals.length !== wanted && !isLeftAway)
    throw new UsageError(
      wanted === 0 ? `${command.name} takes flags only` : `${command.name} needs a ${command.subject}`,
    );
  const missing = Object.entries(command.flags ?? {}).filter(([name, { required }]) => required && !values[name]);
  if (missing.length > 0) throw new UsageError(`${missing.map(([name]) => `--${name}`).join(', ')} is missing`);
  return { command, subject: positionals[0] ?? '', flags: values };
}

/** Where that is done for which people look here. */
const elsewhere: Readonly<Record<string, string>> = {
  'log repair': 'A log is repaired where its files are, while nothing runs: node main.js log repair',
  restore: 'A backup is restored where its files are: node main.js restore <folder>',
  'schools close': 'A school is closed by its owner, for ever; lyceum schools suspend shuts it until it is resumed.',
  'schools delete': 'A school cannot be deleted: lyceum schools suspend shuts it, lyceum people erase forgets people.',
  'members remove': 'lyceum members suspend shuts somebody out, lyceum people erase forgets them for ever.',
};

/** What is meant by a command that is not there, as far as its words tell. */
function unknownCommand(noun: string, verb: string): string {
  const said = `There is no command ${`${noun} ${verb}`.trim()}; lyceum help lists them`;
  const otherwise = elsewhere[`${noun} ${verb}`.trim()] ?? elsewhere[noun];
  if (otherwise !== undefined) return `${said}. ${otherwise}`;
  const alike = commands.map(({ name }) => name).filter((name) => name.split(' ')[0]!.startsWith(noun.slice(0, 4)));
  return alike.length === 0 ? said : `${said}. Did you mean ${alike.join(', ')}?`;
}

function parsed(args: readonly string[], flags: Flags): { values: Given; positionals: readonly string[] } {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  );
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true }) as ReturnType<typeof parsed>;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Where a process with the same settings listens; every address of a machine is reached by loopback. */
function ownAddress({ OPERATOR_HOST: host, OPERATOR_PORT: port }: Environment): string {
  const name = !host || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port || 8081}`;
}

/** A token on the command line could be read by every user of the machine, so it comes by a file or the environment. */
async function operatorApiOf(flags: Given, env: Environment): Promise<OperatorApi> {
  const url = textOf(flags, 'url') ?? (env['OPERATOR_URL'] || ownAddress(env));
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new UsageError(`${url} is not an address`);
  return { url: new URL(url).origin, token: await tokenOf(textOf(flags, 'token-file'), env) };
}

async function tokenOf(file: string | undefined, env: Environment): Promise<string> {
  if (file === undefined && env['OPERATOR_TOKEN']) return env['OPERATOR_TOKEN'];
  const from = file ?? join(env['DATA_DIR'] || './data', 'operator-token');
  const text = await readFile(from, 'utf8').catch((cause: unknown) => {
    throw new OperatorRefused(`There is no operator token in ${from}: set OPERATOR_TOKEN, or --token-file`, { cause });
  });
  return text.trim();
}

function lines({ data, columns }: Outcome): readonly string[] {
  const isList = (each: Outcome['data']): each is readonly Json[] => Array.isArray(each);
  return isList(data) ? table(data, columns ?? []) : sheet(data);
}
