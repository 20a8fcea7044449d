import type { IncomingMessage } from 'node:http';

/**
 * Makes the raw and the distinct view of the headers say what `headers` says: whoever edits only the latter leaves what
 * it took away readable in the others.
 */
export function alignHeaders(request: IncomingMessage): void {
  const entries = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => [name, each] as const),
  );
  request.rawHeaders = entries.flat();
  const distinct: NodeJS.Dict<string[]> = {};
  for (const [name, value] of entries) (distinct[name] ??= []).push(value);
  request.headersDistinct = distinct;
}
