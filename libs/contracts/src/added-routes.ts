import { routes, servicesOfPeople } from './routes.ts';

/** The form of the setting ROUTES, in words. */
const form = '/api/<name>=<service>, several separated by commas';

/** What the gateway answers itself goes by these names. */
const ofGateway: readonly string[] = ['gateway', 'mcp', 'checkout', 'forms'];

const pathForm = /^\/api(?:\/[a-z][a-z0-9_]*)+$/;
const serviceForm = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const longestService = 40;

/** The entries of the setting ROUTES. */
export const routeEntries = (text: string): readonly string[] => text.split(',').map((entry) => entry.trim());

/** A path with the service that the entry leads it to. */
function parts(entry: string): readonly [path: string, service: string] {
  const sign = entry.indexOf('=');
  return sign < 0 ? [entry, ''] : [entry.slice(0, sign), entry.slice(sign + 1)];
}

/** The services by the paths that entries of ROUTES, which have no fault, lead to them. */
export const addedRoutes = (entries: readonly string[] = []): ReadonlyMap<string, string> =>
  new Map(entries.map(parts));

/** The services that may keep something about people, with those that ROUTES adds. */
export const servicesOfPeopleWith = (entries: readonly string[] | undefined): readonly string[] =>
  servicesOfPeople.concat(
    [...new Set(addedRoutes(entries).values())].filter((each) => !servicesOfPeople.includes(each)),
  );

/**
 * Why the text of ROUTES cannot be used, as what would do instead; undefined where it can. The path of a service that comes
 * with Lyceum may stand in it with that service: a later release may bring what was added to an earlier one.
 */
export function routesFault(text: string): string | undefined {
  if (!/^[\x20-\x7e]*$/.test(text)) return `${form}, in printable ASCII characters`;
  const before = new Map(Object.entries(routes));
  const named = new Set<string>();
  for (const [path, service] of routeEntries(text).map(parts)) {
    const fault = named.has(path) ? `${path} once` : (pathFault(path, service, before) ?? serviceFault(service));
    if (fault !== undefined) return `${form}: ${fault}`;
    named.add(path);
    before.set(path, service);
  }
  return undefined;
}

function pathFault(path: string, service: string, before: ReadonlyMap<string, string>): string | undefined {
  if (!path.startsWith('/api/'))
    return `a path below /api/ in place of ${path || 'none'}; the gateway answers everything else itself`;
  if (!pathForm.test(path)) return `lower-case letters, digits and _ in place of ${path}`;
  const owner = before.get(path);
  if (owner !== undefined && owner !== service) return `another path than ${path}, which leads to ${owner}`;
  if (owner !== undefined) return undefined;
  for (const [other, its] of before) {
    if (path.startsWith(`${other}/`)) return `another path than ${path}: ${other}, above it, leads to ${its}`;
    if (other.startsWith(`${path}/`)) return `another path than ${path}: ${other}, below it, leads to ${its}`;
  }
  return path.lastIndexOf('/') > '/api'.length ? `a path of one segment below /api in place of ${path}` : undefined;
}

function serviceFault(service: string): string | undefined {
  if (!serviceForm.test(service) || service.length > longestService)
    return `a service of lower-case letters, digits and single hyphens, ${longestService} at most, in place of "${service}"`;
  return ofGateway.includes(service) ? `another service than ${service}, which is the gateway itself` : undefined;
}
