import type { Account } from './account.state.ts';

/**
 * Whether the person was signed out everywhere after this was issued (seconds since the epoch). Whole seconds, as local
 * verifiers count them: what was issued in that second goes too.
 */
export const signedOutSince = ({ notBefore }: Pick<Account, 'notBefore'>, issued: number): boolean =>
  issued < Math.ceil(notBefore / 1000);
