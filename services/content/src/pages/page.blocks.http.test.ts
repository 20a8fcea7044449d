import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ContentUnderTest, fileIds, startContent } from '../testing.ts';

let service: ContentUnderTest;
beforeAll(async () => void (service = await startContent()));
afterAll(() => service.close());

const path = '/api/pages';

const send = (method: string, at: string, body?: object, headers = {}) =>
  service.call(method, `${path}/${at}`, { headers, ...(body ? { body } : {}) });

async function create(body: object = {}) {
  const got = await service.call('POST', path, { body: { title: 'Paper lanterns', ...body } });
  expect(got.status).toBe(201);
  return got.body;
}

const save = (id: string, version: number, body: object) =>
  send('PUT', `${id}/draft`, body, { 'if-match': `"${version}"` });

describe('what a page shows', () => {
  const image = { kind: 'image', image: fileIds.page, alt: 'A lantern' };

  test('are images of the school that are ready, by their addresses', async () => {
    const made = await create({ blocks: [image], seo: { image: fileIds.page } });
    const address = expect.stringMatching(new RegExp(`^https?://.*/media/public/${fileIds.page}$`));
    expect([made.blocks[0].image, made.seo.image]).toEqual([address, address]);
    const again = await save(made.id, 2, { title: 'x', blocks: made.blocks, seo: made.seo });
    expect(again.body.draft.blocks).toEqual(made.blocks);
    const { body } = await send('POST', `${made.id}/publish`, undefined);
    expect(body.blocks[0].image).toEqual(address);
  });

  test.each([
    [fileIds.coming, 409, 'file_not_ready'],
    [fileIds.elsewhere, 422, 'validation_failed'],
    [fileIds.none, 422, 'validation_failed'],
    [fileIds.product, 422, 'validation_failed'],
    ['javascript:alert(1)', 422, 'validation_failed'],
    ['http://example.test/x.png', 422, 'validation_failed'],
  ])('is no image %s: %i %s', async (file, status, error) => {
    const got = await service.call('POST', path, { body: { title: 'x', blocks: [{ ...image, image: file }] } });
    expect([got.status, got.body.error]).toEqual([status, error]);
  });

  test.each([
    [{ kind: 'script', text: 'x' }],
    [{ kind: 'hero', heading: 'x', onclick: 'x()' }],
    [{ kind: 'hero', heading: 'x', button: { label: 'x', url: 'javascript:alert(1)' } }],
    [{ kind: 'hero', heading: 'x', button: { label: 'x', url: '//example.test' } }],
    [{ kind: 'hero', heading: 'a\u0000b' }],
    [{ kind: 'hero', heading: 'x'.repeat(201) }],
    [{ kind: 'video', url: 'javascript:alert(1)', title: 'x' }],
    [{ kind: 'video', url: 'http://example.test/x.mp4', title: 'x' }],
    [{ kind: 'text', text: [{ type: 'paragraph', text: [{ text: 'x', link: 'javascript:alert(1)' }] }] }],
    [{ kind: 'text', text: '<script>alert(1)</script>' }],
    [{ kind: 'course_grid', courses: ['../x'] }],
    [{ kind: 'html_safe', html: 'x'.repeat(65_537) }],
  ])('is no block %j', async (block) => {
    const got = await service.call('POST', path, { body: { title: 'x', blocks: [block] } });
    expect([got.status, got.body.error]).toEqual([422, 'validation_failed']);
  });

  test('is HTML without what could run', async () => {
    const html = '<p onclick="x()">One<script>alert(1)</script> <a href="javascript:x">two</a></p>';
    const made = await create({ blocks: [{ kind: 'html_safe', html }] });
    expect(made.blocks).toEqual([{ kind: 'html_safe', html: '<p>One <a>two</a></p>' }]);
  });

  test('is 256 KiB and a hundred blocks at most', async () => {
    const text = (length: number) => ({ kind: 'html_safe', html: 'x'.repeat(length) });
    const refused = async (blocks: object[]) =>
      (await service.call('POST', path, { body: { title: 'x', blocks } })).status;
    expect(await refused([1, 2, 3, 4].map(() => text(65_000)))).toBe(201);
    expect(await refused([1, 2, 3, 4, 5].map(() => text(60_000)))).toBe(422);
    expect(await refused(Array.from({ length: 101 }, () => text(1)))).toBe(422);
    expect(await refused([1, 2, 3, 4, 5, 6].map(() => text(65_000)))).toBe(413);
  });
});
