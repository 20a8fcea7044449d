import { isObject } from '@lyceum/kernel';
import type { ApiReply, Json } from '../../upstream/school-api.ts';
import { remedyFor } from './remedies.ts';
import { ToolProblem } from './tool.ts';

/** The body of a success; throws the service's own reason otherwise, with the tool that mends it. `where`: how to find what there is. */
export function successBody(
  { status, body }: ApiReply,
  what: string,
  where = 'Ask search_courses or a list for what there is.',
): Json {
  if (status >= 200 && status < 300) return body;
  if (status === 404) throw new ToolProblem(`${what} was not found. ${where}`);
  const {
    error,
    error_description: reason,
    details,
  } = body as {
    error?: string;
    error_description?: string;
    details?: readonly { readonly code?: string }[];
  };
  if (status === 503 || status === 502)
    throw new ToolProblem(`${what} cannot be read now. Try again in a few seconds.`);
  const more = details === undefined ? '' : ` ${JSON.stringify(details)}`;
  throw new ToolProblem(
    `${what}: ${reason ?? error ?? `the service answered ${status}`}.${more}${remedyFor([error, ...(details ?? []).map(({ code }) => code)])}`,
  );
}

/** The body of a success, or undefined where the caller sees nothing or the service does not exist. */
export const bodyIfFound = ({ status, body }: ApiReply): Json | undefined =>
  status >= 200 && status < 300 ? body : undefined;

/** The rows of a list body. */
export const rows = (body: Json | undefined): readonly Json[] => listIn(body, 'data');

/** The objects of a list field; none when it is absent. */
export const listIn = (body: Json | undefined, field: string): readonly Json[] => {
  const list = body?.[field];
  return Array.isArray(list) ? list.filter(isObject) : [];
};

/** A text field, or undefined. */
export const text = (row: Json, field: string): string | undefined => {
  const value = row[field];
  return typeof value === 'string' ? value : undefined;
};
