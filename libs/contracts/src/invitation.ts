import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** Who may open an account, under which id and address, and until when (seconds since the epoch). */
const invitation = z.object({
  member: z.string(),
  email: z.string(),
  name: z.string().optional(),
  expires: z.int(),
});

/** What an invitation says. */
export type Invitation = z.output<typeof invitation>;

type RootKeys = readonly [Buffer, ...Buffer[]];

const algorithm = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16];

const keyFrom = (root: Buffer): Buffer => Buffer.from(hkdfSync('sha256', root, '', 'lyceum/invitation', 32));

/** Seals an invitation to a school into text for a link: any service of the installation can open it, nobody can read or alter it. */
export function sealInvitation([root]: RootKeys, school: string, made: Invitation): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, keyFrom(root), iv).setAAD(Buffer.from(school));
  const body = Buffer.concat([cipher.update(JSON.stringify(made), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
}

/** The invitation in a text; undefined when it is none of this school's. Whether it has expired is for the reader to judge. */
export function openInvitation(roots: RootKeys, school: string, sealed: string): Invitation | undefined {
  for (const root of roots) {
    const text = opened(keyFrom(root), school, sealed);
    if (text !== undefined) return invitation.parse(JSON.parse(text));
  }
  return undefined;
}

function opened(key: Buffer, school: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < ivBytes + tagBytes) return undefined;
  const [iv, tag] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, ivBytes + tagBytes)];
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(school)).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
