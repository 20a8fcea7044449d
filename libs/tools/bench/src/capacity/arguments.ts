import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Assumption, type Given, type Prices, assumptions, listPrices } from './assumptions.ts';
import { type UnitCosts, knownCosts } from './unit-costs.ts';

/** What is wrong with what was asked: said to the person as it is. */
export class Unusable extends Error {}

/** What was asked. */
export interface Asked {
  readonly given: Given;
  readonly costs: UnitCosts;
  readonly prices: Prices;
  /** Assumptions, costs and prices that are not those of the tables, by name. */
  readonly changed: ReadonlySet<string>;
  readonly isJson: boolean;
  /** Whether to measure what is stored, and nothing else. */
  readonly isMeasuring: boolean;
}

const flagOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The flags of all assumptions, each with its name. */
export const flags: ReadonlyMap<string, keyof typeof assumptions> = new Map(
  Object.keys(assumptions).map((name) => [flagOf(name), name as keyof typeof assumptions]),
);

/** A number that a person typed. Throws `Unusable`, with the flag. */
function numberOf(
  flag: string,
  text: string,
  { least, most, unit }: Pick<Assumption, 'least' | 'most' | 'unit'>,
): number {
  const number = /^\d+(\.\d+)?(e\d{1,2})?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(number) || number < least || number > most)
    throw new Unusable(`--${flag} is ${text}: a number from ${least} to ${most} (${unit})`);
  return number;
}

function wholeOf(flag: string, text: string | undefined, most: number): number {
  if (text === undefined) throw new Unusable(`--${flag} is missing: how many ${flag} there are`);
  const number = numberOf(flag, text, { least: 1, most, unit: flag });
  if (!Number.isInteger(number)) throw new Unusable(`--${flag} is ${text}: a whole number`);
  return number;
}

/** Numbers by name in a JSON file, over those of a table. Throws `Unusable` for a file, a name or a value that cannot be. */
function fromFile<T extends object>(flag: string, file: string | undefined, table: T): [T, string[]] {
  if (file === undefined) return [table, []];
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Unusable(`--${flag}: ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new Unusable(`--${flag}: ${file} is no object of numbers by name`);
  for (const [name, value] of Object.entries(content)) {
    if (!Object.hasOwn(table, name))
      throw new Unusable(`--${flag}: ${file} has ${name}, which is none of ${Object.keys(table).join(', ')}`);
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
      throw new Unusable(`--${flag}: ${name} of ${file} is ${JSON.stringify(value)}: a number from 0`);
  }
  return [{ ...table, ...content }, Object.keys(content)];
}

function parsed(args: readonly string[]): Readonly<Record<string, string | boolean | undefined>> {
  const text = { type: 'string' } as const;
  const names = [...flags.keys(), 'schools', 'learners', 'prices', 'costs'];
  const flag = { type: 'boolean' } as const;
  const options = { ...Object.fromEntries(names.map((name) => [name, text])), json: flag, measure: flag };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new Unusable((error as Error).message, { cause: error });
  }
}

/** Reads the command line. Throws `Unusable` with what is wrong. */
export function askedBy(args: readonly string[]): Asked {
  const values = parsed(args);
  const text = (name: string): string | undefined => values[name] as string | undefined;
  const isMeasuring = values['measure'] === true;
  const schools = isMeasuring ? 1 : wholeOf('schools', text('schools'), 1e7);
  const learners = isMeasuring ? 1 : wholeOf('learners', text('learners'), 1e10);
  const [costs, changedCosts] = fromFile('costs', text('costs'), knownCosts);
  const [prices, changedPrices] = fromFile('prices', text('prices'), listPrices);
  const given: Record<string, number> = { schools, learners };
  const changed = new Set([...changedCosts, ...changedPrices]);
  for (const [flag, name] of flags) {
    const said = text(flag);
    if (said !== undefined) changed.add(name);
    given[name] = said === undefined ? assumptions[name].value : numberOf(flag, said, assumptions[name]);
  }
  return { given: given as Given, costs, prices, changed, isJson: values['json'] === true, isMeasuring };
}
