import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Members, startMembers } from '../testing/members.ts';

let all: Members;
const [logo, avatar, coming] = [1, 2, 3].map((number) => `upload_00000000-0000-7000-8000-00000000000${number}`) as [
  string,
  string,
  string,
];
beforeAll(async () => {
  all = await startMembers();
  const file = { access: 'public', content_type: 'image/png', size: 7, owner_id: 'account_1' };
  all.files.set(logo, { ...file, state: 'ready', purpose: 'page_image' });
  all.files.set(avatar, { ...file, state: 'ready', purpose: 'avatar' });
  all.files.set(coming, { ...file, state: 'announced', purpose: 'page_image' });
});
afterAll(() => all.close());

const address = (id: string) => `https://loom.example/media/public/${id}`;
const told = async (...types: readonly string[]) =>
  (await all.schools.heard()).filter(({ fact }) => types.includes(fact.type)).map(({ fact }) => [fact.type, fact.data]);
const held = async (id: string) => {
  await all.settled();
  return all.schools.started.answer?.({ kind: 'held-files', school: all.school, ids: [id] });
};

describe('the images of a school and of its members', () => {
  test('a logo is an uploaded file, shown by its address and told by its path, until it is another one', async () => {
    const patch = (body: object) => all.call('PATCH', '/api/school', { body });
    expect((await patch({ logo })).body.logo).toBe(address(logo));
    expect((await all.call('GET', '/api/school', { as: 'visitor' })).body.logo).toBe(address(logo));
    expect(await told('SchoolChanged', 'FileReferenced')).toEqual([
      ['SchoolChanged', { logo: `/media/public/${logo}` }],
      ['FileReferenced', { file_id: logo, holder_id: 'profile' }],
    ]);
    expect(await held(logo)).toEqual({ held: [logo] });
    expect((await patch({ favicon: address(logo), logo: 'https://cdn.example/a.png' })).body).toMatchObject({
      favicon: address(logo),
      logo: 'https://cdn.example/a.png',
    });
    expect(await told('FileReleased')).toEqual([]);
    await patch({ favicon: null });
    expect(await told('FileReleased')).toEqual([['FileReleased', { file_id: logo, holder_id: 'profile' }]]);
    expect(await held(logo)).toEqual({ held: [] });
  });

  test('a file that is not ready is 409, one for something else 422', async () => {
    const patch = async (body: object) => {
      const got = await all.call('PATCH', '/api/school', { body });
      return [got.status, got.body.error, got.body.details[0].code];
    };
    expect(await patch({ logo: coming })).toEqual([409, 'file_not_ready', 'file_not_ready']);
    expect(await patch({ logo: avatar })).toEqual([422, 'validation_failed', 'wrong_purpose']);
  });

  test('an avatar is an uploaded file until its member is erased', async () => {
    const member = all.people.member;
    const { body } = await all.call('PATCH', `/api/members/${member}`, { body: { avatar } });
    expect(body.avatar).toBe(address(avatar));
    await all.settled();
    const { body: list } = await all.call('GET', `/api/members?ids=${member}`);
    expect(list.data[0].avatar).toBe(address(avatar));
    expect(await held(avatar)).toEqual({ held: [avatar] });
    await all.call('POST', `/api/members/${member}/erase`);
    expect(await held(avatar)).toEqual({ held: [] });
    expect((await told('FileReleased')).at(-1)).toEqual(['FileReleased', { file_id: avatar, holder_id: member }]);
  });
});
