import { authFacts, schoolFacts } from '@lyceum/contracts';
import type { Holder, StatusChange } from './token-statuses.ts';

/** A fact without its envelope. */
interface Fact {
  readonly type: string;
  readonly data: unknown;
}

/** A change of the tokens of one person or client. */
type HolderChange = Omit<StatusChange, 'at'> & { readonly holder: Holder; readonly id: string };

/** The change that a fact of the school service makes to a member; undefined for other facts. Throws when the fact is malformed. */
export function schoolStatusChange({ type, data }: Fact): HolderChange | undefined {
  if (type === 'MemberRoleChanged') {
    // The tokens stay good: what was taken from the person is refused by the role, what is left still works.
    const { member_id: id, to } = schoolFacts.MemberRoleChanged.data.parse(data);
    return { holder: 'subject', id, role: to };
  }
  if (type === 'MemberSuspended') {
    const { member_id: id, tokens_not_before } = schoolFacts.MemberSuspended.data.parse(data);
    return { holder: 'subject', id, notBefore: tokens_not_before, blocked: true };
  }
  if (type === 'MemberReinstated') {
    const { member_id: id, role } = schoolFacts.MemberReinstated.data.parse(data);
    return { holder: 'subject', id, blocked: false, role };
  }
  if (type !== 'MemberErased') return undefined;
  const { member_id: id, tokens_not_before } = schoolFacts.MemberErased.data.parse(data);
  return { holder: 'subject', id, notBefore: tokens_not_before, blocked: 'for good' };
}

/** The change that a fact of the authorization server makes to a person or a client; undefined for other facts. Throws when the fact is malformed. */
export function authStatusChange({ type, data }: Fact): HolderChange | undefined {
  if (type === 'ClientDisabled') {
    const { client: id, tokens_not_before } = authFacts.ClientDisabled.data.parse(data);
    return { holder: 'client', id, notBefore: tokens_not_before, blocked: true };
  }
  if (type === 'ClientEnabled') {
    const { client: id } = authFacts.ClientEnabled.data.parse(data);
    return { holder: 'client', id, blocked: false };
  }
  if (type !== 'SessionsEnded') return undefined;
  const { account_id: id, tokens_not_before } = authFacts.SessionsEnded.data.parse(data);
  return { holder: 'subject', id, notBefore: tokens_not_before };
}
