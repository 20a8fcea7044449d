import { routes } from '@lyceum/contracts';
import { mcpPath, metadataOf, signInAlias } from './mcp-paths.ts';

/** The gateway's own server for agents and its checkout are no API of a service. */
const byPrefix = new Map([
  ...Object.entries(routes),
  [mcpPath, 'mcp'],
  [metadataOf(signInAlias), 'mcp'],
  ['/checkout', 'checkout'],
]);
const deepest = Math.max(...[...byPrefix.keys()].map((prefix) => prefix.split('/').length - 1));

/** The service that a path belongs to; the path is compared as it stands on the wire, undecoded. */
export function serviceOf(path: string): string | undefined {
  let prefix = firstSegments(path, deepest);
  while (prefix !== '') {
    const service = byPrefix.get(prefix);
    if (service !== undefined) return service;
    prefix = prefix.slice(0, prefix.lastIndexOf('/'));
  }
  return undefined;
}

/** Cuts a path before its segment number `count + 1`, so that a path of a thousand segments costs no more than a short one. */
function firstSegments(path: string, count: number): string {
  let end = 0;
  for (let segment = 0; segment < count; segment += 1) {
    end = path.indexOf('/', end + 1);
    if (end === -1) return path;
  }
  return path.slice(0, end);
}
