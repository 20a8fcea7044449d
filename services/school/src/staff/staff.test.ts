import { given } from '@lyceum/testkit';
import type { Role } from '@lyceum/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { StaffEvent } from './staff.events.ts';
import { type Membership, staffDecider } from './staff.ts';

const joined = (member: string, role: 'owner' | 'admin'): StaffEvent => ({
  type: 'StaffJoined',
  data: { member, role },
});
const left = (member: string): StaffEvent => ({ type: 'StaffLeft', data: { member } });
const as = (role: Role, active = true): Membership => ({ role, active });
const school = given(staffDecider, joined('olga', 'owner'), joined('adam', 'admin'));
const roles: readonly Role[] = ['owner', 'admin', 'lecturer', 'member'];

describe('the staff of a school', () => {
  test.each(roles)('an owner makes anybody %s', (role) => {
    const asked = school.when({ by: 'olga', member: 'mia', before: as('member'), after: as(role) });
    if (role === 'owner' || role === 'admin') asked.then(joined('mia', role));
    else asked.unchanged();
  });

  test.each(['owner', 'admin'] as const)('only an owner makes somebody %s: an admin cannot', (role) => {
    for (const before of [undefined, as('member'), as('lecturer')])
      school.when({ by: 'adam', member: 'mia', before, after: as(role) }).rejected('role_not_allowed');
  });

  test('nobody raises a role above their own', () => {
    school.when({ by: 'adam', member: 'adam', before: as('admin'), after: as('owner') }).rejected('role_not_allowed');
  });

  test('an admin makes lecturers and members, and touches neither owners nor other admins', () => {
    school.when({ by: 'adam', member: 'mia', before: as('member'), after: as('lecturer') }).unchanged();
    for (const [member, role] of [
      ['olga', 'owner'],
      ['anna', 'admin'],
    ] as const)
      for (const after of [as('member'), as(role, false), undefined])
        school.when({ by: 'adam', member, before: as(role), after }).rejected('role_not_allowed');
  });

  test('anybody may step down, but for the last owner', () => {
    school.when({ by: 'adam', member: 'adam', before: as('admin'), after: as('member') }).then(left('adam'));
    school.when({ by: 'olga', member: 'olga', before: as('owner'), after: as('member') }).rejected('last_owner');
    given(staffDecider, joined('olga', 'owner'), joined('otto', 'owner'))
      .when({ by: 'olga', member: 'olga', before: as('owner'), after: as('admin') })
      .then(joined('olga', 'admin'));
  });

  test.each([
    ['demoted', as('member')],
    ['suspended', as('owner', false)],
    ['erased', undefined],
  ])('the last active owner cannot be %s, not even by the platform', (_, after) => {
    for (const by of ['olga', undefined])
      school.when({ by, member: 'olga', before: as('owner'), after }).rejected('last_owner');
  });

  test('a person who is gone already is gone, also as the last owner', () => {
    school
      .when({ by: undefined, member: 'olga', before: as('owner'), after: undefined, erased: true })
      .then(left('olga'));
  });

  test('who is none of the staff any more decides nothing, whatever their token says', () => {
    school.when({ by: 'mia', member: 'tom', before: undefined, after: as('member') }).rejected('access_denied');
  });

  test('an invited or suspended owner does not count as one', () => {
    school.when({ by: 'olga', member: 'otto', before: undefined, after: as('owner', false) }).unchanged();
    given(staffDecider, joined('olga', 'owner'))
      .when({ by: undefined, member: 'olga', before: as('owner'), after: as('lecturer') })
      .rejected('last_owner');
  });

  test('once there is an owner there always is one, whatever is asked by whom', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const standing = fc.option(fc.record({ role: fc.constantFrom(...roles), active: fc.boolean() }), {
      nil: undefined,
    });
    const asked = fc.record({ by: fc.option(name, { nil: undefined }), member: name, after: standing });
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 30 }), (commands) => {
        const memberships = new Map<string, Membership | undefined>([['a', as('owner')]]);
        const history: StaffEvent[] = [joined('a', 'owner')];
        for (const { by, member, after } of commands) {
          const { state } = given(staffDecider, ...history);
          const decision = staffDecider.decide({ by, member, before: memberships.get(member), after }, state);
          if ('rejected' in decision) continue;
          memberships.set(member, after);
          history.push(...decision);
        }
        const owners = [...memberships.values()].filter((each) => each?.active && each.role === 'owner');
        expect(owners.length).toBeGreaterThan(0);
        const counted = Object.values(given(staffDecider, ...history).state).filter((role) => role === 'owner');
        expect(counted).toHaveLength(owners.length);
      }),
    );
  });
});
