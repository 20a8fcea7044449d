import type { Json, OperatorClient } from './operator-client.ts';

/** A flag of a command. */
export interface Flag {
  readonly type: 'string' | 'boolean';
  readonly multiple?: true;
  readonly required?: true;
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly about: string;
}

export type Flags = Readonly<Record<string, Flag>>;

/** The flags of one call: texts, lists of texts, or true. */
export type Given = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** What a command gives: the rows or the thing that it is about, and what to say besides. */
export interface Outcome {
  readonly data: Json | readonly Json[];
  /** Columns of a table; one thing is shown member by member. */
  readonly columns?: readonly string[];
  readonly notes?: readonly string[];
}

/** What a command works with. */
export interface Calling {
  readonly client: OperatorClient;
  readonly flags: Given;
  /** What stands behind the name of the command, e.g. an id. */
  readonly subject: string;
  /** Shows something, and asks the person whether to go on; no where nobody can answer. */
  confirm(about: Json, question: string): Promise<boolean>;
}

/** One command: two words and what it does. */
export interface Command {
  readonly name: string;
  readonly about: string;
  /** What has to stand behind the name; nothing when not given. */
  readonly subject?: string;
  /** It may be left away. */
  readonly isSubjectOptional?: true;
  readonly flags?: Flags;
  run(calling: Calling): Promise<Outcome>;
}

/** The command line cannot be read. The message says what would do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A flag that is a text. */
export const textOf = (flags: Given, name: string): string | undefined =>
  typeof flags[name] === 'string' ? flags[name] : undefined;

/** A flag that is a list; undefined when it was not given. */
export const listOf = (flags: Given, name: string): readonly string[] | undefined =>
  Array.isArray(flags[name]) ? (flags[name] as readonly string[]) : undefined;

/** A flag that is a whole number. Throws `UsageError`. */
export function numberOf(flags: Given, name: string): number | undefined {
  const text = textOf(flags, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} is a whole number`);
  return Number(text);
}
