import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ContentUnderTest, startContent } from '../../testing.ts';
import { formIdOf } from '../form.ts';

let service: ContentUnderTest;
beforeAll(async () => void (service = await startContent()));
afterAll(() => service.close());

const block = (more: object = {}) => ({
  kind: 'form',
  key: 'contact',
  name: 'Contact',
  fields: [{ key: 'email', label: 'Your address', type: 'email', required: true }],
  consent: 'I want letters.',
  tag_on_submit: 'letters',
  ...more,
});

async function page(...blocks: object[]) {
  const { status, body } = await service.call('POST', '/api/pages', { body: { title: 'Write to us', blocks } });
  expect(status).toBe(201);
  return body;
}

const act = (id: string, what: string) => service.call('POST', `/api/pages/${id}/${what}`);
const statusOf = async (form: string) => (await service.call('GET', `/api/forms/${form}`)).body.status as unknown;
const send = async (form: string) => {
  const body = { answers: { email: 'ada@example.org' } };
  return (await service.call('POST', `/api/forms/${form}/submissions`, { as: 'anonymous', body })).status;
};

describe('a form of a page', () => {
  test('lives exactly while a published page shows it', async () => {
    const { id } = await page(block());
    const form = formIdOf(id, 'contact');
    expect([await statusOf(form), await send(form)]).toEqual([undefined, 404]);
    await act(id, 'publish');
    expect([await statusOf(form), await send(form)]).toEqual(['live', 201]);
    await act(id, 'unpublish');
    expect([await statusOf(form), await send(form)]).toEqual(['retired', 404]);
    await act(id, 'publish');
    expect(await statusOf(form)).toBe('live');
    await act(id, 'archive');
    expect(await statusOf(form)).toBe('retired');
  });

  test('changes and goes with the next publishing, not with the draft', async () => {
    const { id } = await page(block());
    const form = formIdOf(id, 'contact');
    await act(id, 'publish');
    await service.call('PATCH', `/api/pages/${id}`, { body: { blocks: [block({ submit_message: 'Thanks' })] } });
    const messageOf = async () => (await service.call('GET', `/api/forms/${form}`)).body.submit_message;
    expect(await messageOf()).toBe('');
    await act(id, 'publish');
    expect(await messageOf()).toBe('Thanks');
    await service.call('PATCH', `/api/pages/${id}`, { body: { blocks: [] } });
    expect(await statusOf(form)).toBe('live');
    await act(id, 'publish');
    expect(await statusOf(form)).toBe('retired');
  });

  test('is named in the page, where only the staff see the tag that it gives', async () => {
    const { id, blocks } = await page(block());
    expect(blocks[0]).toMatchObject({ form_id: formIdOf(id, 'contact'), tag_on_submit: 'letters' });
    await act(id, 'publish');
    const seen = (await service.call('GET', `/api/pages/${id}`, { as: 'anonymous' })).body.blocks[0];
    expect(seen).toMatchObject({ form_id: formIdOf(id, 'contact'), tag_on_submit: null });
    // What was read is sent back as it is.
    const { version } = (await service.call('GET', `/api/pages/${id}`)).body;
    const saved = await service.call('PATCH', `/api/pages/${id}`, { body: { blocks } });
    expect(saved.body.version).toBe(version);
  });

  test('has a key of its own in its page', async () => {
    const body = { title: 'Twice', blocks: [block(), block()] };
    expect((await service.call('POST', '/api/pages', { body })).status).toBe(422);
  });
});
