import { clientLifetimes } from '@lyceum/contracts';

const minute = 60;
const day = 24 * 60 * minute;

/** Durations, in seconds. */
export const lifetimes = {
  ...clientLifetimes,
  session: 14 * day,
  /** A browser is known to an account for so long after a sign-in. */
  knownDevice: 365 * day,
  /** A link in a mail that sets a new password. */
  resetLink: 30 * minute,
  /** A link in a mail that confirms something. */
  mailLink: day,
  /** The link to what is known of a person: nothing is changed by it, and people read mail late. */
  exportLink: 7 * day,
  /** How long the notification of a sign-out is repeated to a client that cannot be reached. */
  logoutRetry: 60 * minute,
  /** A signing key signs for so long. */
  signingKey: 90 * day,
  /** A signing key is published for so long before it signs, so that no verifier meets an unknown key. */
  keyAnnounced: day,
  /** A key verifies for so long after: longer than any token is valid, for clocks and processes that lag behind. */
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
