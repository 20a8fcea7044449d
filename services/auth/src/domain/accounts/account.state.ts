/** The two addresses that confirm a change: the present one and the new one. */
export type ChangeSide = 'present' | 'next';

/** An address that is to take the place of the present one. */
export interface PendingEmail {
  readonly change: string;
  readonly email: string;
  readonly emailKey: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly confirmed: readonly ChangeSide[];
}

/** A person who can sign in to one school. */
export interface Account {
  readonly email: string;
  /** The keyed hash under which the address is claimed. */
  readonly emailKey: string;
  readonly name: string;
  /** BCP 47; null = never said. */
  readonly locale: string | null;
  /** IANA name; null = never said. */
  readonly timezone: string | null;
  readonly passwordHash: string;
  /** RFC 3339: when name or e-mail were last set. */
  readonly updated: string;
  /** Milliseconds since the epoch: what was signed in or granted before is void. 0 = nothing is. */
  readonly notBefore: number;
  readonly emailVerified: boolean;
  /** Milliseconds since the epoch; 0 = never. */
  readonly verificationAsked: number;
  readonly pendingEmail?: PendingEmail;
}

/** An account whose person is erased; it may have been closed since. */
interface Gone {
  readonly emailKey: string;
  readonly gone: 'erased' | 'closed';
}

/** What there is of an account; undefined = there never was one. */
export type AccountState = Account | Gone | undefined;

/** The account, if it can be used to sign in. */
export const openAccountIn = (state: AccountState): Account | undefined =>
  state === undefined || 'gone' in state ? undefined : state;

/** What a command to an account can be rejected for. */
export type AccountRejection = 'email_taken' | 'invalid_state' | 'not_found';
