import { oauthPaths } from '@lyceum/contracts';

/** The pages of a signed-in person, relative to a school's base URL. */
export const accountPaths = {
  account: '/oauth/account',
  apps: '/oauth/account/apps',
  sessions: '/oauth/account/sessions',
  everywhere: '/oauth/account/everywhere',
  password: '/oauth/account/password',
  email: '/oauth/account/email',
  signIn: '/oauth/account/sign-in',
} as const;

const pagesAfterSignIn: readonly string[] = [
  accountPaths.apps,
  accountPaths.sessions,
  accountPaths.password,
  accountPaths.email,
];

/** The checkout page of the school, with what is to be bought, or the page of an order. */
const checkoutAddress = /^\/checkout(?:\/order_[0-9a-f-]{36})?(?:\?[\w%:.=&+*-]{0,2000})?$/;

/** Whether a person may be sent to this address after signing in: a page of the school's own address, never another one. */
export const isAfterSignIn = (address: string): boolean =>
  pagesAfterSignIn.includes(address) || checkoutAddress.test(address);

/** The forms of an authorization request. */
export const interactionPaths = { signIn: '/oauth/sign-in', consent: '/oauth/consent' } as const;

/** The page for a person who forgot the password. */
export const resetPath = '/oauth/reset';

/** The pages behind the links in mails. */
export const linkPaths = {
  reset: '/oauth/reset/password',
  verify: '/oauth/verify-email',
  change: '/oauth/change-email',
  export: '/oauth/export',
} as const;

/** The page on which an account is opened: with an invitation, or without one where the school is open. */
export const signUpPath = '/oauth/sign-up';

/** The end-session endpoint, and where its page posts. */
export const logoutPaths = { endSession: oauthPaths.endSession, confirm: `${oauthPaths.endSession}/confirm` } as const;
