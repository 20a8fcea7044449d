import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { MemberEvent } from './member.events.ts';
import { type StaffedCommand, staffedMemberDecider } from './member.staff.ts';
import type { MemberCommand } from './member.ts';

const notBefore = '2026-01-05T08:00:01Z';
const joined = (role: 'owner' | 'admin' | 'lecturer'): MemberEvent => ({
  type: 'MemberJoined',
  data: { email: 'o@x.example', email_key: 'k', name: 'Olga', role },
});
const asked = (command: MemberCommand, more: Partial<StaffedCommand> = {}): StaffedCommand => ({
  member: 'account_1',
  command,
  by: undefined,
  erased: false,
  staff: { account_1: 'owner' },
  ...more,
});
const suspend: MemberCommand = { type: 'SuspendMember', by: 'account_1', notBefore };
const left = { stream: 'staff', schema: 1, type: 'StaffLeft', data: { member: 'account_1' } };

/** The side events of an accepted command. */
function sideEvents(history: readonly MemberEvent[], command: StaffedCommand) {
  const { state } = given(staffedMemberDecider, ...history);
  const decision = staffedMemberDecider.decide(command, state);
  if ('rejected' in decision) throw new Error(decision.reason);
  return staffedMemberDecider.sideEvents!(state, given(staffedMemberDecider, ...history, ...decision).state, command);
}

describe('a member of the staff', () => {
  test('is not suspended as the last owner', () => {
    given(staffedMemberDecider, joined('owner')).when(asked(suspend)).rejected('last_owner');
  });

  test('leaves the staff in the same commit when another owner stays', () => {
    const command = asked(suspend, { staff: { account_1: 'owner', account_2: 'owner' } });
    given(staffedMemberDecider, joined('owner'))
      .when(command)
      .then({ type: 'MemberSuspended', data: { by: 'account_1', tokens_not_before: notBefore } });
    expect(sideEvents([joined('owner')], command)).toEqual([left]);
  });

  test('leaves it when the person is gone already, also as the last owner', () => {
    const command = asked({ type: 'EraseMember', by: 'operator', notBefore }, { erased: true });
    expect(sideEvents([joined('owner')], command)).toEqual([left]);
  });

  test('is not changed by a member who left the staff', () => {
    const command = asked(suspend, { by: 'account_2', staff: { account_1: 'owner', account_3: 'owner' } });
    given(staffedMemberDecider, joined('lecturer')).when(command).rejected('access_denied');
  });

  test('is nobody whom the platform lets join as a lecturer, and notes need no consent', () => {
    const join: MemberCommand = {
      type: 'JoinSchool',
      email: 'o@x.example',
      emailKey: 'k',
      name: 'Olga',
      role: 'lecturer',
    };
    expect(sideEvents([], asked(join))).toEqual([]);
    const note = asked({ type: 'ChangeMember', changes: { note: 'new' } }, { by: 'account_9', staff: {} });
    expect(sideEvents([joined('owner')], note)).toEqual([]);
  });
});
