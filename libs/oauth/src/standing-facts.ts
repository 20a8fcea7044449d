import { authFacts, schoolFacts } from '@lyceum/contracts';
import type { Standings } from './standings.ts';

/** A fact without its envelope. */
interface Fact {
  readonly type: string;
  readonly data: unknown;
}

/** Learns what the school service says of its members. Other facts are ignored; a malformed one throws. */
export function learnSchoolFact(known: Standings, school: string, at: string, { type, data }: Fact): void {
  if (type === 'MemberRoleChanged') {
    // The tokens stay good: what was taken from the person is refused by the role, what is left still works.
    const { member_id, to } = schoolFacts.MemberRoleChanged.data.parse(data);
    known.learn(school, 'subject', member_id, { at, role: to });
  } else if (type === 'MemberSuspended') {
    const { member_id, tokens_not_before } = schoolFacts.MemberSuspended.data.parse(data);
    known.learn(school, 'subject', member_id, { at, notBefore: tokens_not_before, blocked: true });
  } else if (type === 'MemberReinstated') {
    const { member_id, role } = schoolFacts.MemberReinstated.data.parse(data);
    known.learn(school, 'subject', member_id, { at, blocked: false, role });
  } else if (type === 'MemberErased') {
    const { member_id, tokens_not_before } = schoolFacts.MemberErased.data.parse(data);
    known.learn(school, 'subject', member_id, { at, notBefore: tokens_not_before, blocked: 'for good' });
  }
}

/** Learns what the authorization server says of people and clients. Other facts are ignored; a malformed one throws. */
export function learnAuthFact(known: Standings, school: string, at: string, { type, data }: Fact): void {
  if (type === 'ClientDisabled') {
    const { client, tokens_not_before } = authFacts.ClientDisabled.data.parse(data);
    known.learn(school, 'client', client, { at, notBefore: tokens_not_before, blocked: true });
  } else if (type === 'ClientEnabled') {
    const { client } = authFacts.ClientEnabled.data.parse(data);
    known.learn(school, 'client', client, { at, blocked: false });
  } else if (type === 'SessionsEnded') {
    const { account_id, tokens_not_before } = authFacts.SessionsEnded.data.parse(data);
    known.learn(school, 'subject', account_id, { at, notBefore: tokens_not_before });
  }
}
