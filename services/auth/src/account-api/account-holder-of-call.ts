import type { Principal } from '@lyceum/oauth';
import type { Call } from '@lyceum/web';
import type { AccountHolder } from '../domain/accounts/account-holder.ts';

type Asked = Pick<Call, 'school' | 'principal' | 'meta'>;

/** Who calls. Throws without a token: the operations on accounts take no anonymous calls. */
export function callerOf({ principal }: Pick<Asked, 'principal'>): Principal {
  if (!principal) throw new Error('an operation on an account takes no anonymous calls');
  return principal;
}

/** The holder of the account that a token names. */
export const holderOf = (call: Asked): AccountHolder => ({
  school: call.school,
  account: callerOf(call).subject,
  meta: call.meta,
});
