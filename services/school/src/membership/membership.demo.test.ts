import { describe, expect, test } from '@jest/globals';
import { uuidv5 } from '@lyceum/kernel';
import { demoSchoolId } from '@lyceum/contracts';
import { engines, startSchools } from '../testing/school-service.ts';
import { fold } from '@lyceum/eventlog';
import { seedAccountHolders, seedOtherMembers } from './membership.demo.ts';
import { memberEmailKey } from '../members/member.email.ts';
import { memberDecider } from '../members/member.ts';
import { decideForPlatform } from '../members/member.write.ts';
import { startMembers } from '../testing/members.ts';
import { members } from '../members/member.view.ts';

describe('the demo members', () => {
  test('are 1 owner, 1 admin, 2 lecturers and 24 members, of whom 1 is suspended, 1 erased and 1 invited', async () => {
    const on = engines();
    const erased: string[] = [];
    const erase = async (school: string, subject: string) => {
      await on.vault.destroy(school, subject);
      erased.push(subject);
    };
    const schools = await startSchools(on, undefined, { erase });
    const demo = { password: 'unused here', port: 8080, baseUrl: 'http://127.0.0.1:8080' };
    await schools.started.seedDemo!(demo);
    await schools.started.seedDemoHistory!(demo);
    await schools.started.ready!();
    const lantern = demoSchoolId('lantern-craft');
    const counted = async (field: string, is: string) =>
      (await on.documents.query(members, lantern, { where: [{ field, is }], limit: 200 })).items.length;
    const roles = await Promise.all(['owner', 'admin', 'lecturer', 'member'].map((role) => counted('role', role)));
    expect(roles).toEqual([1, 1, 2, 24]);
    const statuses = await Promise.all(['invited', 'active', 'suspended', 'erased'].map((is) => counted('status', is)));
    expect(statuses).toEqual([1, 25, 1, 1]);

    const lane = on.log.laneOf(lantern);
    const head = await on.log.head(lane);
    await seedAccountHolders(schools.ports);
    await seedOtherMembers(schools.ports);
    expect(await on.log.head(lane)).toBe(head);
    const owner = await on.documents.get(members, lantern, `account_${uuidv5('demo-account', lantern, 'owner')}`);
    expect(owner).toMatchObject({ role: 'owner', status: 'active', name: 'Iris Lantern' });
    await schools.close();
  });

  test('have their roles also when their accounts were opened first, and keep those that people give them', async () => {
    const all = await startMembers();
    const lantern = demoSchoolId('lantern-craft');
    const owner = `account_${uuidv5('demo-account', lantern, 'owner')}`;
    const emailKey = await memberEmailKey(all.on.vault, lantern, 'owner@lantern.test');
    const join = {
      type: 'JoinSchool',
      email: 'owner@lantern.test',
      emailKey,
      name: 'Iris Lantern',
      role: 'member',
    } as const;
    await decideForPlatform(all.on, lantern, owner, join, uuidv5('first'));
    await seedAccountHolders(all.schools.ports);
    const role = async (id: string) => (await fold(all.on.log, memberDecider, lantern, id)).state?.role;
    expect(await role(owner)).toBe('owner');
    const admin = `account_${uuidv5('demo-account', lantern, 'admin')}`;
    const at = '2026-01-05T08:00:00.000Z';
    const demoted = { type: 'SetMemberRole', role: 'lecturer', by: owner, notBefore: at } as const;
    await decideForPlatform(all.on, lantern, admin, demoted, uuidv5('demoted'));
    await seedAccountHolders(all.schools.ports);
    expect(await role(admin)).toBe('lecturer');
    await all.close();
  });
});
