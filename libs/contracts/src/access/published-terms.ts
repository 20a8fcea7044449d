/** How long what clients hold lives, in seconds: what documents for client developers promise. */
export const clientLifetimes = {
  /** An authorization code. */
  code: 60,
  accessToken: 600,
  idToken: 600,
  /** A refresh token that is not used. */
  refreshIdle: 14 * 86_400,
  /** A grant's refresh tokens altogether. */
  refreshAbsolute: 90 * 86_400,
  /** A registration that never got a token. */
  unusedClient: 86_400,
} as const;

/** Requests per minute at the OAuth endpoints, each multiplied by the installation's RATE_LIMIT_FACTOR; by whom they are counted. */
export const clientLimits = {
  register: { perMinute: 10, by: 'address' },
  authorize: { perMinute: 60, by: 'address' },
  token: { perMinute: 60, by: 'client and address' },
  revoke: { perMinute: 60, by: 'client and address' },
  introspect: { perMinute: 600, by: 'client' },
  userinfo: { perMinute: 120, by: 'person' },
} as const;

/** Requests per minute at every other path of the API, multiplied as those; by whom they are counted. */
export const apiLimits = {
  token: { perMinute: 600, by: 'client and person' },
  anonymous: { perMinute: 120, by: 'address' },
} as const;
