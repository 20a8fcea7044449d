import { routes } from '@lyceum/contracts';
import { mcpPath, metadataOf, signInAlias } from './mcp-paths.ts';

/** The gateway's own server for agents, its checkout and its forms are no API of a service. */
const known: readonly (readonly [prefix: string, service: string])[] = [
  ...Object.entries(routes),
  [mcpPath, 'mcp'],
  [metadataOf(signInAlias), 'mcp'],
  ['/checkout', 'checkout'],
  ['/forms', 'forms'],
  ['/register', 'forms'],
];

/** The service that a path belongs to; the path is compared as it stands on the wire, undecoded. */
export type ServiceOf = (path: string) => string | undefined;

/** Finds the services of those that come with Lyceum, and those that the setting ROUTES leads paths to. */
export function serviceFinder(added: ReadonlyMap<string, string>): ServiceOf {
  const byPrefix = new Map([...added, ...known]);
  const deepest = Math.max(...[...byPrefix.keys()].map((prefix) => prefix.split('/').length - 1));
  return (path) => {
    let prefix = firstSegments(path, deepest);
    while (prefix !== '') {
      const service = byPrefix.get(prefix);
      if (service !== undefined) return service;
      prefix = prefix.slice(0, prefix.lastIndexOf('/'));
    }
    return undefined;
  };
}

/** The services that come with Lyceum. */
export const serviceOf = serviceFinder(new Map());

/** Cuts a path before its segment number `count + 1`, so that a path of a thousand segments costs no more than a short one. */
function firstSegments(path: string, count: number): string {
  let end = 0;
  for (let segment = 0; segment < count; segment += 1) {
    end = path.indexOf('/', end + 1);
    if (end === -1) return path;
  }
  return path.slice(0, end);
}
