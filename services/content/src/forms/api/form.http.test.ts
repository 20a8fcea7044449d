import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Sent, type ServiceUnderTest, serviceUnderTest } from '@lyceum/testkit-service';
import { content } from '../../module.ts';
import { formIds, pageId, shownForms } from '../../testing/shown-forms.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await serviceUnderTest(content, { given: { school_1: shownForms } });
  await service.settled();
});
afterAll(() => service.close());

const ids = async (query: string, sent: Sent = {}) =>
  (await service.call('GET', `/api/forms?${query}`, sent)).body.data.map(({ id }: { id: string }) => id).toSorted();

const live = [formIds.contact, formIds.newsletter].toSorted();
const head = { role: 'admin', scopes: ['forms:read'] } as const;
const seen = (as: Sent['as'], id: string) => service.call('GET', `/api/forms/${id}`, as ? { as } : {});

describe('forms', () => {
  test('that public pages show are everybody’s to read, but for what is the staff’s', async () => {
    const { status, body } = await seen('anonymous', formIds.newsletter);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: formIds.newsletter,
      object: 'form',
      page_id: pageId,
      name: 'Form newsletter',
      fields: [
        { key: 'name', label: 'Your name', type: 'text', required: false, max: 5000, options: [] },
        { key: 'email', label: 'Your address', type: 'email', required: true, max: 254, options: [] },
      ],
      consent: 'I want letters about new courses.',
      submit_message: '',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      version: 1,
      view: 'anonymous',
    });
    expect((await seen(head, formIds.newsletter)).body).toMatchObject({
      key: 'newsletter',
      status: 'live',
      tag_on_submit: 'newsletter',
      view: 'staff',
    });
  });

  test('that no page shows any more are those of owners and admins', async () => {
    expect((await seen('anonymous', formIds.retired)).status).toBe(404);
    expect((await seen({ role: 'lecturer', scopes: ['forms:read'] }, formIds.retired)).status).toBe(404);
    expect((await seen(head, formIds.retired)).body.status).toBe('retired');
    expect(await ids('')).toEqual(live);
    expect(await ids('', { as: 'anonymous' })).toEqual(live);
    expect(await ids('status=retired', { as: 'anonymous' })).toEqual([]);
    expect(await ids('status=retired')).toEqual([formIds.retired]);
    expect(await ids(`page_id=${pageId}`)).toEqual(live);
    expect(await ids('page_id=page_other')).toEqual([]);
  });

  test('of another school are not there, and a token without the scope is refused', async () => {
    expect((await service.call('GET', `/api/forms/${formIds.contact}`, { school: 'school_2' })).status).toBe(404);
    expect(await ids('', { school: 'school_2' })).toEqual([]);
    const refused = await seen({ role: 'member', scopes: ['account:read'] }, formIds.contact);
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
  });
});
