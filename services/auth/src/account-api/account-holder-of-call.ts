import type { Call } from '@lyceum/web';
import type { Own } from '../domain/accounts/account-holder.ts';

/** Whose account a token stands for. The operation takes no anonymous calls, so there is a principal. */
export const ownOf = ({ school, principal, meta }: Pick<Call, 'school' | 'principal' | 'meta'>): Own => ({
  school,
  account: principal!.subject,
  meta,
});
