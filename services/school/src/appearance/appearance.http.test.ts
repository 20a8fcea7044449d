import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Members, startMembers } from '../testing/members.ts';

let at: Members;
beforeEach(async () => {
  at = await startMembers();
});
afterEach(() => at.close());

const path = '/api/appearance';
const palette = { accent: '#2447C8', background: '#eef2f9', surface: '#ffffff', text: '#121a2e' };
const save = (body: object, version = 0) =>
  at.call('PUT', `${path}/draft`, { as: 'owner', body, headers: { 'if-match': `"${version}"` } });

describe('the appearance of a school over HTTP', () => {
  test('is ours until somebody chooses; everybody sees it, and only staff the revisions', async () => {
    const { status, body } = await at.call('GET', path, { as: 'visitor' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'appearance', revision: 0, published_at: null, typography: 'system' });
    expect(body).not.toHaveProperty('revisions');
    expect((await at.call('GET', path, { as: 'owner' })).body).toMatchObject({ revisions: [], draft: false });
  });

  test('is drafted, published, told to other services, and rolled back', async () => {
    const drafted = await save({ palette, typography: 'rounded', logo_text: 'Loom & Co' });
    expect(drafted.status).toBe(200);
    expect(drafted.headers.get('etag')).toBe('"1"');
    expect(drafted.body).toMatchObject({ saved: true, warnings: [], palette: { accent: '#2447c8' }, layout: 'card' });
    expect((await at.call('GET', path, { as: 'visitor' })).body.revision).toBe(0);
    const published = await at.call('POST', `${path}/publish`, { as: 'owner', headers: { 'if-match': '"1"' } });
    expect([published.status, published.body.revision, published.body.logo_text]).toEqual([200, 1, 'Loom & Co']);
    await save({}, 2);
    await at.call('POST', `${path}/publish`, { as: 'owner' });
    const back = await at.call('POST', `${path}/rollback`, { as: 'owner', body: { revision: 1 } });
    expect([back.body.revision, back.body.typography]).toEqual([3, 'rounded']);
    const facts = (await at.schools.heard()).filter(({ fact }) => fact.type === 'AppearancePublished');
    expect(facts.map(({ fact }) => (fact.data as { revision: number }).revision)).toEqual([1, 2, 3]);
  });

  test('answers a discard with what is public', async () => {
    await save({ palette });
    const { body } = await at.call('POST', `${path}/discard`, { as: 'owner' });
    expect(body).toMatchObject({ saved: false, palette: { accent: '#14605a' } });
    expect((await at.call('POST', `${path}/publish`, { as: 'owner' })).body.error).toBe('not_ready');
    const nowhere = await at.call('POST', `${path}/rollback`, { as: 'owner', body: { revision: 9 } });
    expect([nowhere.status, nowhere.body.error]).toEqual([404, 'not_found']);
  });

  test('needs If-Match for a draft, and the right one', async () => {
    const without = await at.call('PUT', `${path}/draft`, { as: 'owner', body: {} });
    expect([without.status, without.body.error]).toEqual([428, 'precondition_required']);
    await save({ palette });
    const late = await save({ palette }, 0);
    expect([late.status, late.body.error]).toEqual([412, 'precondition_failed']);
  });

  test('WCAG 2.2 §1.4.3: says which colours are hard to read, and takes them all the same', async () => {
    const { status, body } = await save({ palette: { accent: '#ffff00', text: '#cccccc' } });
    expect(status).toBe(200);
    expect(body.warnings.map(({ fields }: { fields: string[] }) => fields)).toEqual([
      ['palette.text', 'palette.background'],
      ['palette.text', 'palette.surface'],
      ['palette.accent', 'palette.background'],
      ['palette.accent', 'palette.surface'],
    ]);
  });

  test.each([
    [{ palette: { accent: 'red' } }, 'palette.accent'],
    [{ palette: { accent: '#12345' } }, 'palette.accent'],
    [{ typography: 'comic' }, 'typography'],
    [{ logo_text: 'x'.repeat(41) }, 'logo_text'],
    [{ custom_css: '@import "x";' }, 'custom_css'],
    [{ custom_css: 'a{background:url(//x)}' }, 'custom_css'],
    [{ colour: 'red' }, 'colour'],
  ])('refuses %j', async (body, field) => {
    const refused = await save(body);
    expect([refused.status, refused.body.error]).toEqual([422, 'validation_failed']);
    expect(JSON.stringify(refused.body.details)).toContain(field);
  });

  test.each(['lecturer', 'member', 'visitor'] as const)('is not for a %s to change or to see drafts of', async (as) => {
    const headers = { 'if-match': '"0"' };
    expect((await at.call('GET', `${path}/draft`, { as })).status).toBe(403);
    expect((await at.call('PUT', `${path}/draft`, { as, body: {}, headers })).status).toBe(403);
    for (const verb of ['publish', 'discard'])
      expect((await at.call('POST', `${path}/${verb}`, { as })).status).toBe(403);
  });
});
