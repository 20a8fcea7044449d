import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, type Place, call, describeTopologiesIfLong } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** The site of a school through the real gateway: what is published shows within five seconds, and what is not does not. */
await describeTopologiesIfLong('the site of a school', ({ open }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let staff: string;
  const mark = randomUUID().slice(0, 8);
  const api = (path: string, options: Parameters<typeof call>[1] = {}) => call(`${system.baseUrl}/api${path}`, options);
  const shown = async (path: string) => {
    const response = await fetch(system.baseUrl + path, { redirect: 'manual', headers: { accept: 'text/html' } });
    return { status: response.status, location: response.headers.get('location'), text: await response.text() };
  };

  beforeAll(async () => {
    ({ system, close } = await open());
    const client = await Client.register(system.baseUrl);
    const scope = 'pages:read pages:write posts:read posts:write';
    staff = (await client.tokens('owner@lantern.test', system.password, scope)).access_token;
  }, 400_000);
  afterAll(() => close());

  async function send(method: string, path: string, json?: object) {
    const headers = { 'idempotency-key': randomUUID() };
    const got = await api(path, { method, token: staff, headers, ...(json ? { json } : {}) });
    expect([path, got.status < 300, got.body?.error]).toEqual([path, true, undefined]);
    return got.body;
  }

  /** Looks until something holds, for the five seconds that caches have. */
  async function within5s(holds: () => Promise<boolean>): Promise<void> {
    for (const end = Date.now() + 5_000; Date.now() < end; await pause(100)) if (await holds()) return;
    expect(await holds()).toBe(true);
  }

  test('shows a page once it is published, moves with its slug, and forgets it when it is taken back', async () => {
    const slug = `our-way-${mark}`;
    const blocks = [{ kind: 'hero', heading: `Slowly ${mark}` }];
    const { id } = await send('POST', '/pages', { title: 'Our way', slug, blocks });
    expect((await shown(`/p/${slug}`)).status).toBe(404);
    await send('POST', `/pages/${id}/publish`);
    await within5s(async () => (await shown(`/p/${slug}`)).text.includes(`Slowly ${mark}`));
    await within5s(async () => (await shown('/sitemap.xml')).text.includes(`/p/${slug}`));
    await within5s(async () => (await shown('/llms.txt')).text.includes(`/p/${slug}`));
    await send('PATCH', `/pages/${id}`, { slug: `the-way-${mark}`, title: 'Secret' });
    await within5s(async () => (await shown(`/p/${slug}`)).location === `/p/the-way-${mark}`);
    expect((await shown(`/p/the-way-${mark}`)).text).not.toContain('Secret');
    await send('POST', `/pages/${id}/unpublish`);
    await within5s(async () => (await shown(`/p/the-way-${mark}`)).status === 404);
  });

  test('shows a post to everybody, of one for members what everybody may see, and feeds what is public', async () => {
    const [open, members] = [`open-${mark}`, `members-${mark}`];
    for (const [slug, visibility] of [
      [open, 'public'],
      [members, 'members'],
    ] as const) {
      const { id } = await send('POST', '/posts', { title: slug, slug, visibility, body: `Text of ${slug}.` });
      await send('POST', `/posts/${id}/publish`);
    }
    await within5s(async () => (await shown('/posts.atom')).text.includes(`/posts/${open}`));
    expect((await shown('/posts.atom')).text).not.toContain(members);
    await within5s(async () => (await shown(`/posts/${open}`)).text.includes(`Text of ${open}.`));
    await within5s(async () => (await shown(`/posts/${members}`)).text.includes('for members of the school'));
    expect((await shown(`/posts/${members}`)).text).not.toContain('Text of');
  });

  test('has a home page, terms and privacy policy of every school, which show once they are published', async () => {
    for (const slug of ['home', 'terms', 'privacy'])
      expect((await api(`/pages/${slug}`, { token: staff })).body).toMatchObject({ kind: slug });
  });
});
