import type { Role, Scope } from '@lyceum/contracts';
import { InvalidToken, type Principal, type TokenCarrier, type Verifier, bearerToken, challenge } from '@lyceum/oauth';
import type { AskedSchool } from '../http/exchange.ts';
import { askedIn } from '../lists/selection.ts';
import { scopesByName } from './expansion.ts';
import type { Call, Operation, View } from './operation.ts';
import { Problem } from '../replies/problem.ts';

/** Who calls, and how much they see. */
export interface Access {
  readonly principal: Principal | undefined;
  readonly view: View;
}

/** Roles that get the staff view, unless an operation says otherwise. */
export const staffByDefault: readonly Role[] = ['owner', 'admin', 'lecturer'];

/**
 * Lets a request in or refuses it, in this order: a bad token is 401 whatever the operation is; no token is the public
 * view, or 403 without a challenge; a token needs the scope, then the person the role.
 * @see RFC 6750 §3.1
 */
export async function admit(
  request: TokenCarrier,
  path: string,
  operation: Operation,
  school: AskedSchool,
  { verify }: Verifier,
): Promise<Access> {
  const principal = await authenticate(request, path, school, verify);
  if (!principal) {
    if (operation.anonymous) return { principal, view: 'anonymous' };
    throw new Problem('access_denied', needsToken(operation, school));
  }
  const { scope, anyScope, roles, staff = staffByDefault } = operation;
  if (scope !== undefined && !principal.scopes.has(scope)) throw lacksScope('This operation', [scope], school);
  if (anyScope && !anyScope.some((each) => principal.scopes.has(each)))
    throw lacksScope('This operation', anyScope, school);
  if (roles && !roles.includes(principal.role)) throw new Problem('access_denied', 'Your role does not allow this');
  const isScoped = scope !== undefined || anyScope !== undefined;
  return { principal, view: isScoped && staff.includes(principal.role) ? 'staff' : 'member' };
}

/** What an anonymous caller has to bring, and where it is told how. There is no challenge: the specification has none here. */
function needsToken({ scope, anyScope }: Operation, { issuer, origin = issuer }: AskedSchool): string {
  const scopes = anyScope ?? (scope === undefined ? [] : [scope]);
  const needed = scopes.length === 0 ? 'an access token' : `an access token with the scope ${scopes.join(' or ')}`;
  return `This operation needs ${needed}. How to get one: ${origin}${walkthroughPath}`;
}

/** Where a school explains authentication, in Markdown. */
const walkthroughPath = '/auth.md';

async function authenticate(
  request: TokenCarrier,
  path: string,
  school: AskedSchool,
  verify: Verifier['verify'],
): Promise<Principal | undefined> {
  try {
    const token = bearerToken(request);
    return token === undefined ? undefined : await verify(token, { school: school.id, path });
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    const { description } = error;
    const { issuer, origin } = school;
    const value = challenge({ issuer, origin, error: 'invalid_token', description });
    throw new Problem('invalid_token', description, { headers: { 'WWW-Authenticate': value }, cause: error });
  }
}

/** Things of another area are seen with its scope only; without a token it is what the public sees of them. */
export function mayExpand(
  principal: Principal | undefined,
  { expands }: Operation,
  query: unknown,
  school: AskedSchool,
) {
  const { expand = [] } = askedIn(query);
  if (!principal || !expands || expand.length === 0) return;
  const scopes = scopesByName(expands);
  for (const name of expand) {
    const needed = scopes[name];
    if (!needed) throw new Problem('invalid_request', `Nothing is expanded by ${name}`);
    for (const scope of needed)
      if (!principal.scopes.has(scope)) throw lacksScope(`To expand ${name}`, [scope], school);
  }
}

/** The scope that a call of an operation with `anyScope` needs by what it names. Throws the 403 problem without it. */
export function requireScope({ principal, issuer }: Pick<Call, 'principal' | 'issuer'>, scope: Scope): void {
  if (!principal?.scopes.has(scope)) throw lacksScope('This', [scope], { issuer });
}

function lacksScope(
  what: string,
  scopes: readonly [Scope, ...Scope[]],
  { issuer, origin }: Pick<AskedSchool, 'issuer' | 'origin'>,
): Problem {
  const description = `${what} needs the scope ${scopes.join(' or ')}`;
  const value = challenge({ issuer, origin, error: 'insufficient_scope', description, scopes: [scopes[0]] });
  return new Problem('insufficient_scope', description, { headers: { 'WWW-Authenticate': value } });
}
