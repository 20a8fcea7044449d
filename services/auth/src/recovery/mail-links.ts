import type { ChangeSide } from '../domain/accounts/account.state.ts';
import { linkPaths } from '../local-paths.ts';
import type { School } from '../school-projections/school.ts';
import { sha256 } from '../sealing/digest.ts';
import type { Sealer } from '../sealing/sealer.ts';

/** What a link does. */
export type LinkKind = keyof typeof linkPaths;

interface Links {
  /** Bound to the password that it replaces: its use, or any other change, ends it. */
  readonly reset: { readonly account: string; readonly password: string };
  readonly verify: { readonly account: string; readonly emailKey: string };
  /** Bound to the address that it is sent to, and to the request, which is named by its end (RFC 3339). */
  readonly export: { readonly account: string; readonly emailKey: string; readonly expires: string };
  readonly change: { readonly account: string; readonly change: string; readonly side: ChangeSide };
}

/** What a link of this kind says. */
export type LinkOf<Kind extends LinkKind> = Links[Kind];

type Sealing = Pick<Sealer, 'seal' | 'open'>;

/** What binds a link to a password hash without telling it. */
export const passwordMark = (passwordHash: string): string => sha256(passwordHash);

/**
 * An address at the school, by its issuer, that carries sealed who may do what until when (RFC 3339). Nothing of it is
 * stored: nobody who reads the log, or the queue of mails, can make one.
 */
export function linkTo<Kind extends LinkKind>(
  sealer: Sealing,
  school: Pick<School, 'id' | 'issuer'>,
  kind: Kind,
  link: LinkOf<Kind>,
  until: string,
): string {
  const token = sealer.seal('link', [kind, school.id], JSON.stringify({ ...link, until }));
  return `${school.issuer}${linkPaths[kind]}?token=${token}`;
}

/** What a token of a link says; undefined when it is not one, is altered, of another school or kind, or has expired. */
export function openLink<Kind extends LinkKind>(
  sealer: Sealing,
  school: Pick<School, 'id'>,
  kind: Kind,
  token: string,
  now: number,
): LinkOf<Kind> | undefined {
  if (token.length > 2_000) return undefined;
  const text = sealer.open('link', [kind, school.id], token);
  if (text === undefined) return undefined;
  const { until, ...link } = JSON.parse(text) as LinkOf<Kind> & { readonly until: string };
  return now < Date.parse(until) ? (link as unknown as LinkOf<Kind>) : undefined;
}
