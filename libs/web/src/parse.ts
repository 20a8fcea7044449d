import type { Detail } from '@lyceum/kernel';
import type { z } from 'zod';
import { Problem } from './problem.ts';
import { unknownName } from './selection.ts';

type Issue = z.core.$ZodIssue;

/** Splits a query string into single values. A repeated parameter is ambiguous, so it is 400. */
export function queryValues(search: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(search)) {
    if (Object.hasOwn(values, name)) throw new Problem('invalid_request', 'A query parameter is repeated');
    Object.defineProperty(values, name, { value, enumerable: true });
  }
  return values;
}

/** Parses the query. Parameters that a strict schema does not know are 400, and so are names in them; bad values are 422. */
export function parseQuery(schema: z.ZodType, values: Record<string, string>): unknown {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  if (parsed.error.issues.some((issue) => issue.code === 'unrecognized_keys'))
    throw new Problem('invalid_request', 'A query parameter is not known here');
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

function fieldProblem(issues: readonly Issue[], input: unknown): Problem {
  const details = issues.flatMap((issue) => detailsOf(issue, input)).slice(0, 50);
  const first = details[0]?.path;
  const description = first ? `The value of ${first} is not acceptable` : 'The body is not acceptable';
  return new Problem('validation_failed', description, { details });
}

function detailsOf(issue: Issue, input: unknown): Detail[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), code: 'unknown_field' }));
  const path = issue.path.map(String).join('.');
  return [{ path, code: codeOf(issue, input), message: issue.message }];
}

function codeOf(issue: Issue, input: unknown): string {
  if (issue.code === 'custom') return typeof issue.params?.['code'] === 'string' ? issue.params['code'] : 'invalid';
  if (issue.code === 'invalid_type' && at(input, issue.path) === undefined) return 'required';
  return issue.code;
}

const at = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], input);
