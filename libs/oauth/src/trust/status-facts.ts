import { authFacts, schoolFacts } from '@lyceum/contracts';
import type { Holder, News } from './statuses.ts';

/** A fact without its envelope. */
interface Fact {
  readonly type: string;
  readonly data: unknown;
}

/** What a fact says of a person or a client. */
type Said = Omit<News, 'at'> & { readonly holder: Holder; readonly id: string };

/** What the school service says of its members; undefined for other facts. Throws when the fact is malformed. */
export function schoolNews({ type, data }: Fact): Said | undefined {
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

/** What the authorization server says of people and clients; undefined for other facts. Throws when the fact is malformed. */
export function authNews({ type, data }: Fact): Said | undefined {
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
