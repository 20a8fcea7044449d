import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { disagreements } from '@lyceum/web';
import { type Sent, startNotes } from './testing/note-service.ts';
import { meanwhile, noteStatuses } from './testing/notes.ts';

let notes: Awaited<ReturnType<typeof startNotes>>;
beforeAll(async () => void (notes = await startNotes()));
afterAll(() => notes.close());

const member: TokenClaims = { role: 'member', subject: 'acc_member', scopes: ['posts:read'] };
const lecturer: TokenClaims = { role: 'lecturer', subject: 'acc_lecturer' };
let count = 0;

async function make(body: object = {}) {
  count += 1;
  notes.clock.advance(1000);
  const { status, body: made } = await notes.call('POST', '', { body: { title: `Note ${count}`, ...body } });
  expect(status).toBe(201);
  return made;
}
async function publish(body: object = {}) {
  const made = await make(body);
  return (await notes.call('POST', `/${made.id}/publish`)).body;
}
const change = (id: string, body: object, sent: Sent = {}) => notes.call('PATCH', `/${id}`, { ...sent, body });
async function listed(query: string, sent: Sent = {}): Promise<string[]> {
  await notes.settled();
  const { status, body } = await notes.call('GET', `?${query}`, sent);
  expect([query, status]).toEqual([query, 200]);
  return body.data.map(({ id }: { id: string }) => id);
}

describe('a list', () => {
  test('has what is not archived, and what is when status asks for it', async () => {
    const [open, archived] = [await publish({ tags: ['status'] }), await publish({ tags: ['status'] })];
    await notes.call('POST', `/${archived.id}/archive`);
    expect(await listed('tag=status')).toEqual([open.id]);
    expect(await listed('tag=status&status=archived')).toEqual([archived.id]);
    expect(await listed('tag=status&status=draft')).toEqual([]);
  });

  test('is narrowed by the filters of the area, by ids, and by both', async () => {
    const [a, b] = [await make({ tags: ['one', 'two'] }), await make({ tags: ['two'] })];
    expect((await listed('tag=two')).toSorted()).toEqual([a.id, b.id].toSorted());
    expect(await listed('tag=one')).toEqual([a.id]);
    expect(await listed(`ids=${a.id},${b.id}&tag=one`)).toEqual([a.id]);
    expect(await listed(`ids=${b.id}`)).toEqual([b.id]);
  });

  test('is narrowed by times', async () => {
    const [early, late] = [await make({ tags: ['time'] }), await make({ tags: ['time'] })];
    expect(await listed(`tag=time&created_after=${early.created_at}`)).toEqual([late.id]);
    expect(await listed(`tag=time&created_before=${late.created_at}`)).toEqual([early.id]);
  });

  test('finds beginnings of all words, without accents, and nothing for a text without a word', async () => {
    const found = await make({ title: 'Élan vital', summary: 'Paper lanterns' });
    for (const q of ['elan', 'lant VIT', 'paper elan']) expect(await listed(`q=${q}`)).toEqual([found.id]);
    for (const q of ['antern', 'elan other', '!']) expect(await listed(`q=${encodeURI(q)}`)).toEqual([]);
  });

  test('is in the order that is asked for, by default the first that the area names', async () => {
    const [a, b] = [await make({ tags: ['order'] }), await make({ tags: ['order'] })];
    notes.clock.advance(1000);
    await change(a.id, { summary: 'Later' });
    expect(await listed('tag=order')).toEqual([a.id, b.id]);
    expect(await listed('tag=order&sort=-created_at')).toEqual([b.id, a.id]);
    expect(await listed('tag=order&sort=updated_at')).toEqual([b.id, a.id]);
  });

  test('shows each thing without the members that its schema leaves out', async () => {
    const { id } = await make();
    await notes.settled();
    const { body } = await notes.call('GET', `?ids=${id}`);
    expect(body.data[0]).toMatchObject({ id, object: 'note', status: 'draft' });
    expect(body.data[0]).not.toHaveProperty('letters');
    expect((await notes.call('GET', `/${id}`)).body.letters).toBe(id.length);
  });

  test('takes no parameter that it does not know', async () => {
    expect((await notes.call('GET', '?colour=red')).status).toBeGreaterThanOrEqual(400);
    expect((await notes.call('GET', '?sort=title')).status).toBeGreaterThanOrEqual(400);
  });

  test('has a thing no longer that was deleted', async () => {
    const { id } = await make({ tags: ['deleted'] });
    expect(await listed('tag=deleted')).toEqual([id]);
    expect((await notes.call('DELETE', `/${id}`)).status).toBe(204);
    expect(await listed('tag=deleted')).toEqual([]);
  });
});

describe('If-Match (RFC 9110 §13.1.1)', () => {
  const withVersion = (...versions: number[]) => ({
    headers: { 'if-match': versions.map((each) => `"${each}"`).join(', ') },
  });

  test('of the present version lets a change through, of another one refuses it with 412', async () => {
    const { id, version } = await make();
    expect((await change(id, { summary: 'x' }, withVersion(version + 1))).body.error).toBe('precondition_failed');
    const changed = await change(id, { summary: 'x' }, withVersion(7, version));
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, `"${version + 1}"`]);
    expect((await notes.call('DELETE', `/${id}`, withVersion(version))).status).toBe(412);
    expect((await notes.call('DELETE', `/${id}`, withVersion(version + 1))).status).toBe(204);
  });
});

describe('a merge patch (RFC 7396 §2)', () => {
  test('leaves what it does not name', async () => {
    const { id } = await make({ summary: 'Stays', tags: ['stays'] });
    expect((await change(id, { title: 'Other' })).body).toMatchObject({
      title: 'Other',
      summary: 'Stays',
      tags: ['stays'],
    });
  });

  test('clears by null: to null, or to what the area says', async () => {
    const { id } = await make({ summary: 'Goes', tags: ['goes'] });
    expect((await change(id, { summary: null, tags: null })).body).toMatchObject({ summary: null, tags: [] });
  });

  test('replaces a list by a list', async () => {
    const { id } = await make({ tags: ['a', 'b'] });
    expect((await change(id, { tags: ['c'] })).body.tags).toEqual(['c']);
  });

  test('is 422 with a member that nobody knows, or null where something has to be, and changes nothing then', async () => {
    const { id, version } = await make();
    for (const body of [
      { summary: 'x', colour: 'red' },
      { summary: 'x', title: null },
    ])
      expect((await change(id, body)).body.error).toBe('validation_failed');
    expect((await notes.call('GET', `/${id}`)).body).toMatchObject({ version, summary: null });
  });

  test('that changes nothing leaves the version', async () => {
    const { id, version, title } = await make();
    expect((await change(id, { title })).body.version).toBe(version);
    expect((await change(id, {})).body.version).toBe(version);
  });
});

describe('a slug', () => {
  test('is made of the title, and gives way to one that is taken', async () => {
    const [first, second] = [await make({ title: 'Same title' }), await make({ title: 'Same title' })];
    expect(first.slug).toBe('same-title');
    expect(second.slug).toMatch(/^same-title-[0-9a-f]{6}$/);
  });

  test('that the client states is 409 slug_taken where another thing has it, at creation and later', async () => {
    await make({ slug: 'stated' });
    const { id } = await make();
    expect((await notes.call('POST', '', { body: { title: 'x', slug: 'stated' } })).body.error).toBe('slug_taken');
    expect((await change(id, { slug: 'stated' })).body.error).toBe('slug_taken');
  });

  test('that a thing had before redirects with 308, and still names the thing to those who change it', async () => {
    const { id } = await make({ slug: 'before' });
    await change(id, { slug: 'after' });
    const moved = await notes.call('GET', '/before');
    expect([moved.status, moved.headers.get('location')]).toEqual([308, '/api/posts/after']);
    expect((await change('before', { summary: 'x' })).body.id).toBe(id);
  });

  test('is free again when its thing is deleted', async () => {
    const { id } = await make({ slug: 'freed' });
    await notes.call('DELETE', `/${id}`);
    expect((await make({ slug: 'freed' })).slug).toBe('freed');
  });
});

describe('the status table', () => {
  test('says what the error table says, and each rejection has its status', async () => {
    expect(disagreements(noteStatuses)).toEqual([]);
    const { id } = await publish();
    await notes.call('POST', `/${id}/archive`);
    const refused = await notes.call('POST', `/${id}/publish`);
    expect([refused.status, refused.body.error]).toEqual([409, 'invalid_state']);
    expect((await notes.call('GET', '/note_00000000-0000-7000-8000-999999999999')).status).toBe(404);
    expect((await notes.call('GET', '/no-such-slug')).status).toBe(404);
  });
});

describe('access', () => {
  test('what is open is everybody’s, without what the staff see', async () => {
    const { id } = await publish();
    for (const as of ['anonymous', member, lecturer] as const) {
      const { status, body } = await notes.call('GET', `/${id}`, { as });
      expect([status, 'status' in body]).toEqual([200, false]);
    }
    expect((await notes.call('GET', `/${id}`)).body).toMatchObject({ status: 'published', view: 'staff' });
  });

  test('what is not open is 404 for all but those who change it, and in their lists only', async () => {
    const { id } = await make({ tags: ['hidden'] });
    for (const as of ['anonymous', member, lecturer] as const) {
      expect((await notes.call('GET', `/${id}`, { as })).status).toBe(404);
      expect(await listed('tag=hidden', { as })).toEqual([]);
    }
    expect(await listed('tag=hidden')).toEqual([id]);
  });

  test('a change needs a token, its scope and one of the roles, in this order', async () => {
    const { id } = await publish();
    const refusal = async (as: Sent['as']) => (await change(id, { title: 'x' }, as ? { as } : {})).body.error;
    expect(await refusal('anonymous')).toBe('access_denied');
    expect(await refusal({ scopes: ['posts:read'] })).toBe('insufficient_scope');
    expect(await refusal(lecturer)).toBe('access_denied');
    expect(await refusal({ role: 'admin' })).toBeUndefined();
  });
});

describe('a derived command', () => {
  test('is derived again from the thing as it is, when the thing has changed meanwhile', async () => {
    const { id } = await make({ title: 'a' });
    meanwhile.write = async () => {
      delete meanwhile.write;
      await change(id, { title: 'b' });
    };
    expect((await notes.call('POST', `/${id}/double`)).body).toMatchObject({ title: 'bb', version: 3 });
  });
});
