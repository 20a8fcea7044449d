/** What only the new release of these runs knows: a sign that a school hung up at a host of its own. */
export const novelSign = {
  type: 'SignHung',
  /** Its streams, which no other release has a name for. */
  stream: (host: string): string => `sign_${host}`,
  isStream: (stream: string): boolean => stream.startsWith('sign_'),
} as const;

/** What the event says. Of one that is `illegible` no fact can be made, until the release is a better one. */
export interface SignHung {
  readonly host: string;
  readonly illegible: boolean;
}

/** Set to `1` in the environment of a process that can tell of illegible signs too. */
export const readsAll = 'NOVEL_SIGNS_READ';
