import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Sent } from '@lyceum/testkit-service';
import { type Commented, hosts, lecturerOf, memberOf, startCommented } from '../../testing/commented.ts';

let service: Commented;
beforeAll(async () => void (service = await startCommented()));
afterAll(() => service.close());

let words = 0;
const text = () => `How thick is the paper of lantern ${(words += 1)}?`;
const owner: Sent['as'] = { role: 'owner' };
const [ada, bob] = [memberOf('ada'), memberOf('bob')];

const call = (method: string, path: string, as: Sent['as']) => service.call(method, path, as ? { as } : {});

async function posted(member: string, host: string) {
  const got = await service.post(member, host, text());
  expect([got.status, got.body.state]).toEqual([201, 'visible']);
  await service.settled();
  return got.body;
}

describe('comments', () => {
  test('of the whole school are listed for those who run it; lecturers get those on their courses, others their own', async () => {
    const [paid, open] = [await posted('ada', hosts.paidLesson), await posted('bob', hosts.openCourse)];
    const ids = async (as: Sent['as'], query = '') => {
      const { body } = await call('GET', `/api/comments?limit=100${query}`, as);
      return body.data.map(({ id }: { id: string }) => id) as string[];
    };
    expect(await ids(owner)).toEqual(expect.arrayContaining([paid.id, open.id]));
    expect(await ids(owner, '&author_id=account_bob&state=visible')).not.toContain(paid.id);
    const taught = await ids(lecturerOf('teacher'));
    expect([taught.includes(paid.id), taught.includes(open.id)]).toEqual([true, false]);
    const own = await ids(bob);
    expect([own.includes(paid.id), own.includes(open.id)]).toEqual([false, true]);
    expect(await ids('anonymous')).toEqual([]);
    const { body } = await call('GET', `/api/comments?host=${hosts.openCourse}&author_id=account_bob`, 'anonymous');
    expect(body.data).toEqual([]);
  });

  test('of oneself are listed under the account', async () => {
    const { id } = await posted('solo', hosts.openCourse);
    const own = await call('GET', '/api/account/comments', memberOf('solo'));
    expect(own.body.data).toEqual([
      expect.objectContaining({
        id,
        object: 'comment',
        host: { type: 'course', id: hosts.openCourse },
        state: 'visible',
      }),
    ]);
    expect((await call('GET', '/api/account/comments', 'anonymous')).body.error).toBe('access_denied');
    expect((await call('GET', '/api/account/comments', { ...ada, scopes: ['comments:read'] })).body.error).toBe(
      'insufficient_scope',
    );
  });

  test('are written five times in a minute by one member, where nothing multiplies that', async () => {
    const strict = await startCommented({ settings: { RATE_LIMIT_FACTOR: 1 } });
    const statuses = [];
    for (let times = 0; times < 6; times += 1)
      statuses.push((await strict.post('ada', hosts.openCourse, text())).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    expect((await strict.post('bob', hosts.openCourse, text())).status).toBe(201);
    await strict.close();
  });
});
