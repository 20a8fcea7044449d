import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FactOf } from '@lyceum/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import { type ContentUnderTest, startContent } from '../testing.ts';

let service: ContentUnderTest;
const heard: FactOf<'content'>[] = [];
let subscription: { close(): Promise<unknown> };
beforeAll(async () => {
  service = await startContent();
  subscription = service.channel.subscribe({
    consumer: 'test',
    source: 'content',
    from: async () => 0,
    handle: async ({ facts }) => void heard.push(...(facts as unknown as FactOf<'content'>[])),
  });
});
afterAll(async () => {
  await subscription.close();
  await service.close();
});

const send = async (method: string, path: string, body?: object) =>
  (await service.call(method, `/api${path}`, body ? { body } : {})).body;

/** What was published about one thing, once there is so much of it. */
async function about(id: string, count: number): Promise<readonly (readonly [string, object])[]> {
  const found = () => heard.filter(({ data }) => Object.values(data).includes(id));
  for (let left = 200; left > 0 && found().length < count; left -= 1) await pause(25);
  return found().map(({ type, data }) => [type, data]);
}

describe('what other services and the change feed hear', () => {
  test('of a page: every change by its id, and of what is public what everybody may know', async () => {
    const { id } = await send('POST', '/pages', { title: 'Our way' });
    const page = { page_id: id };
    const shown = { ...page, slug: 'our-way', title: 'Our way', noindex: false };
    await send('POST', `/pages/${id}/schedule`, { scheduled_for: '2027-01-01T00:00:00Z' });
    await send('POST', `/pages/${id}/schedule`, { scheduled_for: null });
    await send('POST', `/pages/${id}/publish`);
    await send('PATCH', `/pages/${id}`, { slug: 'the-way', title: 'Secret' });
    await send('POST', `/pages/${id}/archive`);
    expect(await about(id, 9)).toEqual([
      ['PageCreated', page],
      ['PageScheduled', { ...page, scheduled_for: '2027-01-01T00:00:00.000Z' }],
      ['PageScheduled', { ...page, scheduled_for: null }],
      ['PagePublished', { ...shown, revision: 1 }],
      ['PageDraftSaved', page],
      ['PageSlugChanged', page],
      ['PageShown', { ...shown, slug: 'the-way' }],
      ['PageUnpublished', page],
      ['PageArchived', page],
    ]);
  });

  test('of a post: neither its text, nor which plans open it, nor whether it is pinned', async () => {
    const said = { title: 'A post', excerpt: 'Hidden', body: 'Hidden', visibility: 'plans', plan_ids: ['plan_hidden'] };
    const { id } = await send('POST', '/posts', said);
    const post = { post_id: id };
    const shown = { ...post, slug: 'a-post', title: 'A post', visibility: 'plans' };
    await send('POST', `/posts/${id}/publish`);
    await send('POST', `/posts/${id}/pin`);
    await send('PATCH', `/posts/${id}`, { comments_enabled: false });
    await send('POST', `/posts/${id}/unpublish`);
    const found = await about(id, 7);
    expect(found).toEqual([
      ['PostCreated', post],
      ['PostPublished', { ...shown, revision: 1 }],
      ['PostPinned', post],
      ['PostShown', shown],
      ['PostChanged', post],
      ['PostShown', shown],
      ['PostUnpublished', post],
    ]);
    expect(JSON.stringify(found)).not.toMatch(/hidden/i);
  });
});
