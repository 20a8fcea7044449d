/** The pages of a signed-in person, relative to a school's base URL. */
export const ownPaths = {
  account: '/oauth/account',
  apps: '/oauth/account/apps',
  sessions: '/oauth/account/sessions',
  everywhere: '/oauth/account/everywhere',
  password: '/oauth/account/password',
  email: '/oauth/account/email',
  signIn: '/oauth/account/sign-in',
} as const;

/** Whether somebody may be sent to this address after signing in. */
export const isOwnPage = (path: string): boolean =>
  ([ownPaths.apps, ownPaths.sessions, ownPaths.password, ownPaths.email] as readonly string[]).includes(path);
