import type { SigningAlg } from '@lyceum/contracts';
import { SignJWT } from 'jose';
import type { SigningKeys } from '../keys/signing-keys.ts';

/** The one place where this service signs. Claims are taken as they are; `kid` and `alg` say which key of the school it was. */
export async function sign(
  keys: SigningKeys,
  school: string,
  alg: SigningAlg,
  typ: 'at+jwt' | 'JWT',
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { kid, key } = await keys.signer(school, alg);
  return new SignJWT({ ...claims }).setProtectedHeader({ alg, kid, typ }).sign(key);
}
