import { domainOrigin } from '@lyceum/contracts';
import type { Ports } from '@lyceum/web';
import type { School } from '../../school-projections/school.ts';
import { findResourceServer } from '../clients/client-registry.ts';

/** A token is meant for so many resources at most. */
export const mostResources = 10;

/** Whether a token of the school may be meant for a resource: an API of its own, or one that the operator arranged. */
const isResource = async (ports: Pick<Ports, 'log'>, school: School, resource: string): Promise<boolean> =>
  isOwnResource(school, resource) || (await findResourceServer(ports, school.id, resource)) !== undefined;

/** The first of these resources that no token of the school may be meant for. */
export async function foreignResource(
  ports: Pick<Ports, 'log'>,
  school: School,
  resources: readonly string[],
): Promise<string | undefined> {
  for (const each of resources) if (!(await isResource(ports, school, each))) return each;
  return undefined;
}

/** Where the API of a school is: at its base URL and at the domains that it has proven, as of now. */
export const originsOf = ({ issuer, domains }: Pick<School, 'issuer' | 'domains'>): readonly string[] => [
  issuer,
  ...domains.map((domain) => domainOrigin(issuer, domain)),
];

/** Whether a resource is an API of the school itself, at any of its addresses. */
export const isOwnResource = (school: Pick<School, 'issuer' | 'domains'>, resource: string): boolean =>
  originsOf(school).some((origin) => isResourceOf(origin, resource));

/**
 * Whether a text names an API at this origin: an absolute URI without fragment that is the origin (with or without a final
 * slash) or lies below it.
 * @see RFC 8707 §2
 */
function isResourceOf(origin: string, resource: string): boolean {
  if (resource === origin || resource === `${origin}/`) return true;
  if (!resource.startsWith(`${origin}/`) || resource.includes('#') || !/^[\x21-\x7e]*$/.test(resource)) return false;
  // A path that a URL parser rewrites (dot segments, backslashes) could be read as another one by somebody else.
  return URL.canParse(resource) && new URL(resource).href === resource;
}
