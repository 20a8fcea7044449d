import type { IncomingMessage } from 'node:http';

/**
 * Makes the raw and the distinct view of the headers say what `headers` says: whoever edits only the latter leaves what
 * it took away readable in the others.
 */
export function alignHeaders(request: IncomingMessage): void {
  const { headers } = request;
  const raw: string[] = [];
  const distinct: NodeJS.Dict<string[]> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    const values = typeof value === 'string' ? [value] : [...value];
    distinct[name] = values;
    for (const each of values) raw.push(name, each);
  }
  request.rawHeaders = raw;
  request.headersDistinct = distinct;
}
