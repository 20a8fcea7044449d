import { describe, expect, test } from '@jest/globals';
import type { Incoming } from '@lyceum/documents';
import { memberProjection } from './member.projection.ts';

const member_id = 'account_1';
const at = '2026-01-05T08:00:00.000Z';
const fact = (type: string, data: object): Incoming => ({
  tenant: 's',
  stream: member_id,
  type,
  schema: 1,
  version: 1,
  at,
  position: 1,
  data: { member_id, ...data },
});
const after = (...facts: readonly Incoming[]) =>
  facts.reduce<Record<string, unknown> | null>(
    (before, each) => memberProjection.project(each, before ?? undefined),
    null,
  );

const joined = fact('MemberJoined', { role: 'admin' });
const suspended = fact('MemberSuspended', { tokens_not_before: at });

describe('what is known of members', () => {
  test('is the role that they joined with, and the one that they have now', () => {
    expect(after(joined)).toEqual({ role: 'admin', status: 'active' });
    const demoted = fact('MemberRoleChanged', { from: 'admin', to: 'member', by: 'x', tokens_not_before: at });
    expect(after(joined, demoted)).toEqual({ role: 'member', status: 'active' });
    expect(after(demoted)).toBeNull();
  });

  test('is that they are suspended, reinstated or erased', () => {
    expect(after(joined, suspended)).toEqual({ role: 'admin', status: 'suspended' });
    expect(after(joined, suspended, fact('MemberReinstated', { role: 'admin' }))).toEqual({
      role: 'admin',
      status: 'active',
    });
    expect(after(joined, fact('MemberErased', { tokens_not_before: at }))).toMatchObject({ status: 'erased' });
  });

  test('comes from facts about members only, under their ids', () => {
    expect(memberProjection.key(joined)).toBe(member_id);
    expect(memberProjection.key(fact('SchoolMoved', {}))).toBeUndefined();
  });
});
