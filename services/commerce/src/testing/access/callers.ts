import type { TokenClaims } from '@lyceum/oauth/testing';
import type { Sent } from '@lyceum/testkit-service';

/** Who calls, in the order of the columns of the table. */
export const callers = [
  'anonymous',
  'a guest with the secret',
  'a guest with another secret',
  'a member',
  'its buyer',
  'a lecturer',
  'an admin',
  'the owner',
  'the owner of another school',
] as const;

/** One of them. */
export type Caller = (typeof callers)[number];

/** Secrets of orders of guests: of the one that is asked for, and of another. */
export interface Secrets {
  readonly own: string;
  readonly other: string;
}

const guest = (secret: string): Sent => ({ as: 'anonymous', headers: { 'order-secret': secret } });
/** Every scope there is, whoever it is: what a role may not do, no scope does. */
const by = (role: TokenClaims['role'], subject: string): Sent => ({ as: { role: role ?? 'member', subject } });

/** The member whose things are asked for. */
export const buyer = 'account_buyer';

/** How a caller asks. */
export function sentBy(caller: Caller, secrets: Secrets): Sent {
  switch (caller) {
    case 'anonymous':
      return { as: 'anonymous' };
    case 'a guest with the secret':
      return guest(secrets.own);
    case 'a guest with another secret':
      return guest(secrets.other);
    case 'a member':
      return by('member', 'account_stranger');
    case 'its buyer':
      return by('member', buyer);
    case 'a lecturer':
      return by('lecturer', 'account_lecturer');
    case 'an admin':
      return by('admin', 'account_admin');
    case 'the owner':
      return by('owner', 'account_owner');
    case 'the owner of another school':
      return { ...by('owner', 'account_owner'), school: 'school_2' };
  }
}

/** Whether a caller has no token. */
export const isGuest = (caller: Caller): boolean =>
  caller === 'anonymous' || caller === 'a guest with the secret' || caller === 'a guest with another secret';
