import type { Call } from '@lyceum/web';
import type { AccountHolder } from '../domain/accounts/account-holder.ts';

/** Whose account a token stands for. The operation takes no anonymous calls, so there is a principal. */
export const holderOf = ({ school, principal, meta }: Pick<Call, 'school' | 'principal' | 'meta'>): AccountHolder => ({
  school,
  account: principal!.subject,
  meta,
});
