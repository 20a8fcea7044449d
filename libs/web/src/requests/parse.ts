import type { Detail } from '@lyceum/kernel';
import type { z } from 'zod';
import { Problem } from '../replies/problem.ts';
import { unknownName } from '../lists/selection.ts';

type Issue = z.core.$ZodIssue;

/** Splits a query string into single values. A repeated parameter is ambiguous, so it is 400. */
export function queryValues(search: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(search)) {
    if (Object.hasOwn(values, name))
      throw new Problem('invalid_request', `The query parameter ${short(name)} is repeated`);
    Object.defineProperty(values, name, { value, enumerable: true });
  }
  return values;
}

/** Parses the query. Parameters that a strict schema does not know are 400, and so are names in them; bad values are 422. */
export function parseQuery(schema: z.ZodType, values: Record<string, string>): unknown {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const unknown = parsed.error.issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown) throw new Problem('invalid_request', unknownParameter(unknown.keys[0]!, schema));
  const unnamed = parsed.error.issues.find((issue) => codeOf(issue, values) === unknownName);
  if (unnamed) throw new Problem('invalid_request', unnamed.message);
  throw fieldProblem(parsed.error.issues, values);
}

/** Parses path parameters. What cannot be a name of anything names nothing: 404. */
export function parseParams(schema: z.ZodType, values: Readonly<Record<string, string>>): unknown {
  const parsed = schema.safeParse(values);
  if (!parsed.success) throw new Problem('not_found', undefined, { cause: parsed.error });
  return parsed.data;
}

/** Parses the body. Every field at fault is named in `details`. */
export function parseBody(schema: z.ZodType, value: unknown): unknown {
  let parsed: z.ZodSafeParseResult<unknown>;
  try {
    parsed = schema.safeParse(value);
  } catch (error) {
    if (error instanceof RangeError)
      throw new Problem('invalid_request', 'The body is nested too deeply', { cause: error });
    throw error;
  }
  if (parsed.success) return parsed.data;
  throw fieldProblem(parsed.error.issues, value);
}

function unknownParameter(name: string, schema: z.ZodType): string {
  const known = Object.keys((schema as Partial<z.ZodObject>).shape ?? {});
  const there = known.length > 0 ? `There are: ${known.join(', ')}` : 'It takes none';
  return `This operation has no query parameter ${short(name)}. ${there}`;
}

/** A name that somebody else chose, as much of it as fits a sentence. */
const short = (name: string): string => (name.length > 60 ? `${name.slice(0, 60)}...` : name);

/** Faults that a description names; the rest are in `details`. */
const mostNamed = 5;

function fieldProblem(issues: readonly Issue[], input: unknown): Problem {
  const details = issues.flatMap((issue) => detailsOf(issue, input)).slice(0, 50);
  const more = details.length > mostNamed ? `; and ${details.length - mostNamed} more` : '';
  const description = `${details.slice(0, mostNamed).map(sentenceOf).join('; ')}${more}`;
  return new Problem('validation_failed', description, { details });
}

function sentenceOf({ path, code, message }: Detail): string {
  const name = path === '' ? 'The body' : short(path);
  if (code === 'required') return `${name} is missing`;
  if (code === 'unknown_field') return `${name} is no field here`;
  return message === undefined ? `${name} has a value that is not allowed` : `${name}: ${message}`;
}

function detailsOf(issue: Issue, input: unknown): Detail[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...issue.path, key].join('.'),
      code: 'unknown_field',
      message: noSuchField,
    }));
  const path = issue.path.map(String).join('.');
  return [{ path, code: codeOf(issue, input), message: issue.message }];
}

const noSuchField = 'There is no such field here';

function codeOf(issue: Issue, input: unknown): string {
  if (issue.code === 'custom') return typeof issue.params?.['code'] === 'string' ? issue.params['code'] : 'invalid';
  if (issue.code === 'invalid_type' && at(input, issue.path) === undefined) return 'required';
  return issue.code;
}

const at = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], input);
