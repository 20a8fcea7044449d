import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import type { Sent } from '@lyceum/testkit-service';
import { type ContentUnderTest, startContent } from '../testing.ts';

let service: ContentUnderTest;
beforeAll(async () => {
  const answer = async (_service: string, question: Readonly<Record<string, unknown>>) =>
    question['kind'] === 'members-by-id'
      ? { members: (question['ids'] as string[]).map((id) => ({ id, name: id, avatar: null })) }
      : undefined;
  service = await startContent({ ports: { ask: answer }, settings: { RATE_LIMIT_FACTOR: 100 } });
  await service.publish('school', { type: 'SchoolChanged', data: { comment_policy: 'open' } });
});
afterAll(() => service.close());

const scopes: TokenClaims['scopes'] = ['account:write', 'comments:read', 'posts:write'];
const member: TokenClaims = { role: 'member', subject: 'account_member', scopes };
const writer: TokenClaims = { role: 'lecturer', subject: 'account_writer' };
const stranger: TokenClaims = { role: 'lecturer', subject: 'account_stranger', scopes };

async function post(more: object = {}, as: Sent['as'] = writer) {
  const body = { title: 'Paper lanterns', body: 'Fold.', ...more };
  const made = await service.call('POST', '/api/posts', { as: as ?? {}, body });
  expect(made.status).toBe(201);
  return made.body.id as string;
}

async function published(more: object = {}) {
  const id = await post(more);
  expect((await service.call('POST', `/api/posts/${id}/publish`, { as: writer })).status).toBe(200);
  return id;
}

let words = 0;
const comment = (host: string, as: Sent['as'] = member) =>
  service.call('POST', '/api/comments', { as: as ?? {}, body: { host, body: `Words ${(words += 1)}` } });
const refusal = async (host: string, as?: Sent['as']) => {
  const { status, body } = await comment(host, as);
  return [status, body.error];
};
const listed = async (host: string, as: Sent['as']) => {
  await service.settled();
  return (await service.call('GET', `/api/comments?host=${host}`, { as: as ?? {} })).body.data.length as number;
};

describe('comments on posts', () => {
  test('are read by whoever reads the text, and moderated by whoever changes the post', async () => {
    const [open, ours] = [await published(), await published({ visibility: 'members' })];
    const made = await comment(open);
    expect(made.body).toMatchObject({ host: { type: 'post', id: open }, state: 'visible' });
    expect((await comment(ours)).status).toBe(201);
    expect([await listed(open, 'anonymous'), await listed(ours, 'anonymous')]).toEqual([1, 0]);
    expect([await listed(open, member), await listed(ours, member)]).toEqual([1, 1]);
    const moderate = (as: Sent['as']) =>
      service.call('POST', `/api/comments/${made.body.id}/moderation`, { as: as ?? {}, body: { action: 'hide' } });
    expect((await moderate(stranger)).body.error).toBe('access_denied');
    expect((await moderate(writer)).body.state).toBe('hidden');
    expect(await listed(open, 'anonymous')).toBe(0);
    await comment(open);
    await service.settled();
    const counted = await service.call('GET', '/api/posts?limit=100', { as: 'anonymous' });
    const counts = new Map(
      counted.body.data.map((each: { id: string; comment_count: number }) => [each.id, each.comment_count]),
    );
    expect([counts.get(open), counts.get(ours)]).toEqual([1, 1]);
    const one = await service.call('GET', `/api/posts/${open}`, { as: 'anonymous' });
    expect(one.body.comment_count).toBe(1);
    const headers = { 'if-none-match': one.headers.get('etag') ?? '' };
    expect((await service.call('GET', `/api/posts/${open}`, { as: 'anonymous', headers })).status).toBe(200);
  });

  test('are for those who have the plan that opens the text', async () => {
    const id = await published({ visibility: 'plans', plan_ids: ['plan_1'] });
    expect(await refusal(id)).toEqual([409, 'host_locked']);
    expect(await refusal(id, writer)).toEqual([201, undefined]);
    expect(await listed(id, member)).toBe(0);
  });

  test('are taken as long as the post is public and takes them', async () => {
    const [draft, quiet, gone] = [await post(), await published({ comments_enabled: false }), await published()];
    expect(await refusal(draft)).toEqual([404, 'not_found']);
    expect(await refusal(draft, writer)).toEqual([409, 'comments_closed']);
    expect(await refusal(quiet)).toEqual([409, 'comments_closed']);
    expect(await refusal(gone)).toEqual([201, undefined]);
    await service.call('POST', `/api/posts/${gone}/unpublish`, { as: writer });
    expect(await refusal(gone)).toEqual([404, 'not_found']);
    expect([await listed(gone, member), await listed(gone, writer)]).toEqual([0, 1]);
  });
});
