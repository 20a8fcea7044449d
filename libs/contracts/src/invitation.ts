import { decrypt, encrypt } from '@lyceum/kernel';
import { hkdfSync } from 'node:crypto';
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

const keyFrom = (root: Buffer): Buffer => Buffer.from(hkdfSync('sha256', root, '', 'lyceum/invitation', 32));

/** Seals an invitation to a school into text for a link: any service of the installation can open it, nobody can read or alter it. */
export const sealInvitation = ([root]: RootKeys, school: string, made: Invitation): string =>
  encrypt(keyFrom(root), school, JSON.stringify(made)).toString('base64url');

/** The invitation in a text; undefined when it is none of this school's. Whether it has expired is for the reader to judge. */
export function openInvitation(roots: RootKeys, school: string, sealed: string): Invitation | undefined {
  for (const root of roots) {
    const text = decrypt(keyFrom(root), school, Buffer.from(sealed, 'base64url'));
    if (text !== undefined) return invitation.parse(JSON.parse(text.toString('utf8')));
  }
  return undefined;
}
