import { clientLifetimes } from '@lyceum/contracts';

const minute = 60;
const day = 24 * 60 * minute;

/** How long things live, in seconds. */
export const lifetimes = {
  ...clientLifetimes,
  session: 14 * day,
  /** A browser is known to an account for so long after a sign-in. */
  knownDevice: 365 * day,
  /** A link in a mail that sets a new password. */
  resetLink: 30 * minute,
  /** Any other link in a mail. */
  mailLink: day,
  /** How long a client that cannot be reached is told of a sign-out again. */
  logoutRetry: 60 * minute,
  /** A signing key signs for so long. */
  signingKey: 90 * day,
  /** A signing key is published for so long before it signs, so that nobody meets a key that is unknown to him. */
  keyAnnounced: day,
  /** And for so long after: the longest token life, for clocks and processes that lag behind, and then some. */
  keyKept: 15 * minute,
  /** What a person agreed to for a confidential client. */
  consent: 90 * day,
  /** The use of a client is noted at most this often. */
  clientUseNoted: day,
  /** A registration after the last token that its use could give: who comes back late finds it still. */
  usedClientLapse: 30 * day,
  /** From the authorization request to the end of the person's part in it. */
  interaction: 60 * minute,
} as const;

/** Clocks of two processes may differ by this much, in seconds. */
export const clockSkew = 60;
