import { type SigningAlg, signingAlgs } from '@lyceum/contracts';
import { compactVerify, decodeJwt, decodeProtectedHeader } from 'jose';
import type { School } from '../../school-projections/school.ts';
import type { SigningPorts } from './sign-jwt.ts';

/** The account, client and session of an ID token, also after it expired. */
export interface IdTokenHint {
  readonly sub: string;
  /** The client that got it. */
  readonly aud: string;
  readonly sid: string | undefined;
}

/**
 * Reads an ID token of this school as a hint: expired ones too, and ones whose key is retired, but none that this server
 * did not sign. Undefined when it is no such token.
 * @see OIDC Core §3.1.2.1, RP-Initiated Logout §2
 */
export async function readIdTokenHint(
  { keys }: SigningPorts,
  { id: school, issuer }: School,
  token: string,
): Promise<IdTokenHint | undefined> {
  const header = headerOf(token);
  const key = header && (await keys.formerVerifier(school, header.kid, header.alg));
  if (!key) return undefined;
  try {
    await compactVerify(token, key, { algorithms: [...signingAlgs] });
    const { iss, sub, aud, sid } = decodeJwt(token);
    if (iss !== issuer || typeof sub !== 'string' || typeof aud !== 'string') return undefined;
    return { sub, aud, sid: typeof sid === 'string' ? sid : undefined };
  } catch {
    return undefined;
  }
}

/** The header of what calls itself an ID token; an access token or a logout token is none. */
function headerOf(token: string): { readonly kid: string; readonly alg: SigningAlg } | undefined {
  try {
    const { kid, alg, typ } = decodeProtectedHeader(token);
    const known = signingAlgs.find((each) => each === alg);
    return kid !== undefined && known && typ === 'JWT' ? { kid, alg: known } : undefined;
  } catch {
    return undefined;
  }
}
