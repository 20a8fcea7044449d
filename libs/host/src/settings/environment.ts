import type { z } from 'zod';
import { engineProblems } from './engine-settings.ts';
import { historyTokenProblems } from './history-tokens.ts';
import { mailProblems } from './mailing.ts';
import { type AnyModule, serviceRoles } from '@lyceum/service';
import { peerProblems, peerSettings, unusedPeers, withRouted } from './peers.ts';
import { routeProblems } from './routes.ts';
import {
  type Environment,
  type ProcessSettings,
  demoProblem,
  processSettings,
  shortSecrets,
  withDerivedDefaults,
} from './settings.ts';

/** A variable that keeps the process from starting: what was found and what would do. */
interface SettingProblem {
  readonly variable: string;
  /** The value found; masked when secret; undefined when the variable is not set. */
  readonly found: string | undefined;
  /** Continues "expected …". */
  readonly expected: string;
}

/** What would do, where a setting does not say it itself: the schema's own words are for programmers. */
const plainly: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')}`;
  if (issue.input === undefined) return 'a value';
  if (issue.code === 'invalid_type') return issue.expected === 'int' ? 'a whole number' : `a ${issue.expected}`;
  if (issue.code === 'too_small') return `at least ${issue.minimum}`;
  if (issue.code === 'too_big') return `at most ${issue.maximum}`;
  return 'another value';
};

/** The outcome of reading the environment. `hints` name variables that look misspelt or are not used, and secrets that are too short. */
export interface SettingsRead {
  readonly settings: ProcessSettings & Record<string, unknown>;
  readonly problems: readonly SettingProblem[];
  readonly hints: readonly string[];
}

const mask = '(hidden)';

type Schemas = readonly z.ZodObject[];

const schemasOf = (modules: readonly AnyModule[]): Schemas => [
  processSettings,
  peerSettings(modules),
  ...ownSchemasOf(modules),
];

const ownSchemasOf = (modules: readonly AnyModule[]): Schemas =>
  modules.flatMap((module) => (module.settings ? [module.settings as unknown as z.ZodObject] : []));

const isSecret = (schemas: Schemas, variable: string): boolean =>
  schemas.some((schema) => (schema.shape[variable] as z.ZodType | undefined)?.meta()?.['secret'] === true);

/** Reads the settings of the process and of all its modules, and finds every problem at once. An empty variable counts as unset. */
export function readEnvironment(known: readonly AnyModule[], raw: Environment): SettingsRead {
  const env = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined && value !== ''));
  const modules = withRouted(known, env);
  const schemas = schemasOf(modules);
  const problems: SettingProblem[] = [];
  const settings: Record<string, unknown> = {};
  const report = (variable: string, expected: string) => {
    if (problems.some((problem) => problem.variable === variable)) return;
    const value = env[variable];
    problems.push({ variable, found: value !== undefined && isSecret(schemas, variable) ? mask : value, expected });
  };
  for (const schema of schemas) {
    const parsed = schema.safeParse(withDerivedDefaults(env), { error: plainly });
    if (parsed.success) Object.assign(settings, parsed.data);
    else for (const issue of parsed.error.issues) report(String(issue.path[0] ?? ''), issue.message);
  }
  const read = settings as SettingsRead['settings'];
  if (problems.length === 0) {
    const together = demoProblem(read);
    if (together) report('DEMO_PASSWORD', together);
    if (read.PORT === read.OPERATOR_PORT) report('OPERATOR_PORT', `another port than PORT (${read.PORT})`);
  }
  const present = { ...env, ROLE: read.ROLE ?? serviceRoles };
  for (const [variable, expected] of [
    ...routeProblems(env, (variable) =>
      [processSettings, ...ownSchemasOf(modules)].some(({ shape }) => variable in shape),
    ),
    ...engineProblems(present),
    ...mailProblems(present),
    ...peerProblems(modules, present),
    ...historyTokenProblems(env),
  ])
    report(variable, expected);
  return {
    settings: read,
    problems,
    hints: [...misspelt(schemas, Object.keys(env)), ...shortSecrets(env), ...unusedPeers(modules, env)],
  };
}

/** One line per problem, then the hints. */
export const problemLines = (read: Pick<SettingsRead, 'problems' | 'hints'>): string[] => [
  ...read.problems.map(
    ({ variable, found, expected }) =>
      `  ${variable}${found === undefined ? ' (not set)' : `=${JSON.stringify(found)}`}: expected ${expected}`,
  ),
  ...read.hints.map((hint) => `  ${hint}`),
];

/** The settings as `NAME=value` lines with what each is for; secrets masked. */
export function printedSettings(modules: readonly AnyModule[], settings: Readonly<Record<string, unknown>>): string[] {
  const schemas = schemasOf(withRouted(modules, settings));
  return schemas.flatMap((schema) =>
    Object.entries(schema.shape).map(([variable, type]) => {
      const value = settings[variable];
      const shown = value === undefined ? '' : isSecret(schemas, variable) ? mask : String(value);
      const about = (type as z.ZodType).meta()?.description;
      return `${variable}=${shown}${about ? `  # ${about}` : ''}`;
    }),
  );
}

const plain = (name: string): string => name.replaceAll(/[_-]/g, '').toUpperCase();

function misspelt(schemas: Schemas, present: readonly string[]): string[] {
  const known = schemas.flatMap((schema) => Object.keys(schema.shape));
  return present
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = known.find((each) => plain(each) === plain(name) || (each.length > 6 && oneEditApart(each, name)));
      return meant ? [`${name} is not a setting; did you mean ${meant}?`] : [];
    });
}

/** Whether one insertion, deletion or replacement turns one word into the other. */
function oneEditApart(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  return short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1);
}
