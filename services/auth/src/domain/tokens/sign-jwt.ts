import type { SigningAlg } from '@lyceum/contracts';
import { sign as signBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { Signer, SigningKeys } from '../keys/signing-keys.ts';

/** What signing needs. */
export interface SigningPorts {
  readonly keys: SigningKeys;
}

/** Outside of the event loop, which an RSA signature would stop for half a millisecond. */
const signedElsewhere = promisify(signBytes);

/** ECDSA signatures are the two numbers, one after the other. @see RFC 7518 §3.4 */
const dsaEncoding = 'ieee-p1363';

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Headers by key: they say the same for as long as it signs. */
const headers = new WeakMap<Signer['prepared'], Map<string, string>>();

function headerOf({ kid, alg, prepared }: Signer, typ: string): string {
  let known = headers.get(prepared);
  if (!known) headers.set(prepared, (known = new Map()));
  let header = known.get(typ);
  if (header === undefined) known.set(typ, (header = encoded({ alg, kid, typ })));
  return header;
}

/**
 * The one place where this service signs. Claims are taken as they are; `kid` and `alg` say which key of the school it was.
 * By Node's own crypto, which signs ES256 in two fifths of the time that WebCrypto needs.
 * @see RFC 7515 §5.1
 */
export async function sign(
  keys: SigningKeys,
  school: string,
  alg: SigningAlg,
  typ: 'at+jwt' | 'JWT',
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  const signer = await keys.signer(school, alg);
  const signed = `${headerOf(signer, typ)}.${encoded(claims)}`;
  const key = { key: signer.prepared, dsaEncoding } as const;
  const data = Buffer.from(signed);
  // An elliptic signature takes as long as to wake a thread for it.
  const bytes = alg === 'ES256' ? signBytes('sha256', data, key) : await signedElsewhere('sha256', data, key);
  return `${signed}.${bytes.toString('base64url')}`;
}
