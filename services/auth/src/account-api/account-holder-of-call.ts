import type { Call } from '@lyceum/web';
import type { AccountHolder } from '../domain/accounts/account-holder.ts';

/** The holder of the account that a token names. The operation takes no anonymous calls, so there is a principal. */
export const holderOf = ({ school, principal, meta }: Pick<Call, 'school' | 'principal' | 'meta'>): AccountHolder => ({
  school,
  account: principal!.subject,
  meta,
});
