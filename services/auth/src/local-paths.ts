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

/** Whether a person may be sent to this address after signing in. */
export const isAccountPage = (path: string): boolean => pagesAfterSignIn.includes(path);

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
