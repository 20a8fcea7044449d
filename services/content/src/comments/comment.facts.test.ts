import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isoTime } from '@lyceum/kernel';
import { writeErasure } from '@lyceum/service';
import { setTimeout as delay } from 'node:timers/promises';
import { type Commented, hosts, memberOf, startCommented } from '../testing/commented.ts';

let service: Commented;
let reading: { close(): Promise<void> };
const seen: { readonly type: string; readonly data: unknown }[] = [];

beforeAll(async () => {
  service = await startCommented();
  reading = service.channel.subscribe({
    consumer: 'test',
    source: 'content',
    from: async () => 0,
    handle: async ({ facts }) => void seen.push(...facts.map(({ type, data }) => ({ type, data }))),
  });
});
afterAll(async () => {
  await reading.close();
  await service.close();
});

const of = (id: string) => seen.filter(({ data }) => (data as { comment_id?: string }).comment_id === id);

/** What others heard of a comment, once it is so much. */
async function heard(id: string, times: number) {
  for (let left = 400; left > 0 && of(id).length < times; left -= 1) await delay(5);
  return of(id);
}

let words = 0;
async function write(member: string, host: string): Promise<string> {
  const { status, body } = await service.post(member, host, `Paper number ${(words += 1)}, which nobody is told`);
  expect(status).toBe(201);
  return body.id;
}
const moderate = (id: string, action: string) =>
  service.call('POST', `/api/comments/${id}/moderation`, { as: {}, body: { action } });

test('other services hear that something was written, by whom and where, and not what; of what is public that it is', async () => {
  const id = await write('told', hosts.openCourse);
  await moderate(id, 'hide');
  const about = { comment_id: id, host_type: 'course', host_id: hosts.openCourse, public: true };
  expect(await heard(id, 2)).toEqual([
    { type: 'CommentPosted', data: { ...about, parent_id: null, author_ref: 'account_told', state: 'visible' } },
    { type: 'CommentHidden', data: about },
  ]);
  expect(JSON.stringify(seen)).not.toMatch(/Paper number|nobody is told/);
});

test('a change and a deletion by its author say that everybody read it', async () => {
  const id = await write('told', hosts.publicPost);
  const as = memberOf('told');
  await service.call('PATCH', `/api/comments/${id}`, { as, body: { body: 'Another word' } });
  await service.call('DELETE', `/api/comments/${id}`, { as });
  expect((await heard(id, 3)).map(({ type, data }) => [type, (data as { public?: true }).public])).toEqual([
    ['CommentPosted', true],
    ['CommentEdited', true],
    ['CommentDeleted', true],
  ]);
});

test.each([
  ['a course that not everybody may read', 'ada', hosts.paidCourse],
  ['a post for members', 'told', hosts.membersPost],
  ['a course that is in no list', 'told', hosts.unlistedCourse],
])('on %s nothing is public', async (_on, member, host) => {
  const id = await write(member, host);
  await moderate(id, 'hide');
  await moderate(id, 'restore');
  expect((await heard(id, 3)).map(({ data }) => Object.keys(data as object).includes('public'))).toEqual([
    false,
    false,
    false,
  ]);
});

test('when its author is erased, everybody who was told of it is told of its end', async () => {
  const id = await write('leaving', hosts.openCourse);
  await heard(id, 1);
  await service.settled();
  const subject = 'account_leaving';
  service.neighbours.erased.add(subject);
  await service.vault.destroy('school_1', subject);
  const at = isoTime(service.clock.now());
  await writeErasure(service.log, { school: 'school_1', subject, meta: { actor: 'system' }, at });
  expect((await heard(id, 2))[1]).toEqual({
    type: 'CommentDeleted',
    data: { comment_id: id, host_type: 'course', host_id: hosts.openCourse, public: true },
  });
});
