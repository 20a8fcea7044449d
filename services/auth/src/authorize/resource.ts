import { findResourceServer } from '../clients/client-registry.ts';
import type { AuthPorts } from '../ports.ts';
import type { School } from '../schools/school-directory.ts';

/** A token is meant for so many resources at most. */
export const mostResources = 10;

/** Whether a token of the school may be meant for a resource: an API of its own, or one that the operator arranged. */
const isResource = async (ports: Pick<AuthPorts, 'log'>, { id, issuer }: School, resource: string): Promise<boolean> =>
  isResourceOf(issuer, resource) || (await findResourceServer(ports, id, resource)) !== undefined;

/** The first of these resources that no token of the school may be meant for. */
export async function foreignResource(
  ports: Pick<AuthPorts, 'log'>,
  school: School,
  resources: readonly string[],
): Promise<string | undefined> {
  for (const each of resources) if (!(await isResource(ports, school, each))) return each;
  return undefined;
}

/**
 * Whether a text names an API of the school: an absolute URI without fragment that is the base URL (with or without a
 * final slash) or lies below it.
 * @see RFC 8707 §2
 */
export function isResourceOf(issuer: string, resource: string): boolean {
  if (resource === issuer || resource === `${issuer}/`) return true;
  if (!resource.startsWith(`${issuer}/`) || resource.includes('#') || !/^[\x21-\x7e]*$/.test(resource)) return false;
  // A path that a URL parser rewrites (dot segments, backslashes) could be read as another one by somebody else.
  return URL.canParse(resource) && new URL(resource).href === resource;
}
