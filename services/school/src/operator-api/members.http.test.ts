import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Members, startMembers } from '../testing/members.ts';

let all: Members;
beforeEach(async () => {
  all = await startMembers();
});
afterEach(() => all.close());

const operate = (method: string, path: string, body?: unknown) =>
  all.schools.call(method, `/internal/members${path}`, { school: all.school, ...(body ? { body } : {}) });

describe('newcomer 26: the operator and the members of a school', () => {
  test('lists them without what the school notes about them, by role and status', async () => {
    await all.call('PATCH', `/api/members/${all.people.lecturer}`, { body: { note: 'Prefers to be called.' } });
    await all.settled();
    const { status, body } = await operate('GET', `?school=${all.school}`);
    expect([status, body.data.length, body.has_more]).toEqual([200, 4, false]);
    expect(JSON.stringify(body)).not.toMatch(/Prefers|email_key/);
    const only = await operate('GET', `?school=${all.school}&role=lecturer&status=active`);
    expect(only.body.data).toEqual([
      {
        object: 'member',
        id: all.people.lecturer,
        name: 'The lecturer',
        email: 'lecturer@loom.example',
        role: 'lecturer',
        status: 'active',
        created_at: expect.any(String),
      },
    ]);
    expect((await operate('GET', '?school=school_none')).status).toBe(404);
  });

  test('shuts one out and in again; the last owner stays', async () => {
    const at = (who: string, verb: string) => operate('POST', `/${who}/${verb}`, { school: all.school });
    const { admin, owner } = all.people;
    const out = await at(admin, 'suspend');
    expect([out.status, out.body.status]).toEqual([200, 'suspended']);
    expect((await at(admin, 'suspend')).body.status).toBe('suspended');
    expect((await at(admin, 'reinstate')).body.status).toBe('active');
    expect((await at(owner, 'suspend')).body.error).toBe('last_owner');
    expect((await at('account_00000000-0000-7000-8000-000000000000', 'suspend')).status).toBe(404);
  });
});
