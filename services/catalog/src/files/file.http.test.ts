import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SignedPaths } from '@lyceum/contracts';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { type Catalog, type Sent, fileIds, startCatalog } from '../testing.ts';

let catalog: Catalog;
let issuer: string;
beforeAll(async () => {
  catalog = await startCatalog();
  issuer = catalog.ports.trust.school('school_1')!.issuer;
});
afterAll(() => catalog.close());
beforeEach(() => void (catalog.asked.away = false));

const lecturer: TokenClaims = { role: 'lecturer', subject: 'acc_lecturer' };
const member: TokenClaims = { role: 'member', subject: 'acc_member', scopes: ['courses:read', 'curriculum:read'] };
const send = (method: string, path: string, body?: object, sent: Sent = {}) =>
  catalog.call(method, path, { ...sent, ...(body ? { body } : {}) });
const address = (id: string) => `${issuer}/media/public/${id}`;

/** Where each image is named: what makes the thing, and the name of the member. */
const things = {
  course: { path: '/api/courses', title: 'title', name: 'cover', file: fileIds.cover },
  'digital product': { path: '/api/digital_products', title: 'title', name: 'cover', file: fileIds.cover },
  lecturer: { path: '/api/lecturers', title: 'display_name', name: 'avatar', file: fileIds.avatar },
} as const;

/** Files that no image may be, and what is said of each. */
const refusals: readonly (readonly [string, string, number, string])[] = [
  ['that there is none of', fileIds.none, 422, 'unknown_file'],
  ['of another school', fileIds.elsewhere, 422, 'unknown_file'],
  ['that was deleted', fileIds.deleted, 422, 'unknown_file'],
  ['that was uploaded for something else', fileIds.video, 422, 'wrong_purpose'],
];

describe.each(Object.entries(things))('the image of a %s', (_, { path, title, name, file }) => {
  const make = (image?: string | null, sent: Sent = {}) =>
    send('POST', path, { [title]: 'A thing', ...(image === undefined ? {} : { [name]: image }) }, sent);

  test('is a file of the school, by its id or by its address, or an address elsewhere, or none', async () => {
    const { body: made } = await make(file);
    const at = `${path}/${made.id}`;
    expect(made[name]).toBe(address(file));
    expect((await send('GET', at)).body[name]).toBe(address(file));
    const patched = async (image: string | null) => (await send('PATCH', at, { [name]: image })).body[name];
    expect(await patched('https://example.org/a.png')).toBe('https://example.org/a.png');
    expect(await patched(address(file))).toBe(address(file));
    expect(await patched(null)).toBeNull();
    await catalog.settled();
    expect((await make('https://example.org/b.png')).body[name]).toBe('https://example.org/b.png');
  });

  test('has its whole address in lists, too', async () => {
    const { body: made } = await make(file);
    await catalog.settled();
    const { body } = await send('GET', `${path}?ids=${made.id}`);
    expect(body.data[0][name]).toBe(address(file));
  });

  test.each(refusals)('is no file %s', async (_case, id, status, code) => {
    const refused = await make(id);
    expect([refused.status, refused.body.details]).toEqual([status, [expect.objectContaining({ path: name, code })]]);
    const { body: made } = await make();
    expect((await send('PATCH', `${path}/${made.id}`, { [name]: id })).status).toBe(status);
  });

  test('is no other text', async () => {
    for (const wrong of [
      'cover.png',
      'http://example.org/a.png',
      'upload_',
      `http://other.example/media/public/${file}`,
    ])
      expect([wrong, (await make(wrong)).status]).toEqual([wrong, 422]);
  });
});

describe('a file that is named', () => {
  test('409 file_not_ready while it is still to come; once it is ready it counts at once, also before the news arrives', async () => {
    const refused = await send('POST', '/api/courses', { title: 'x', cover: fileIds.coming });
    expect([refused.status, refused.body.error, refused.body.details[0].path]).toEqual([
      409,
      'file_not_ready',
      'cover',
    ]);
    const known = catalog.asked.files.get(fileIds.coming)!;
    catalog.asked.files.set(fileIds.coming, { ...known, state: 'ready' });
    expect((await send('POST', '/api/courses', { title: 'x', cover: fileIds.coming })).status).toBe(201);
    catalog.asked.files.set(fileIds.coming, known);
  });

  test('503 when it is not known and the media service is away; what is known to be ready does not need it', async () => {
    catalog.asked.away = true;
    const unsure = await send('POST', '/api/courses', { title: 'x', cover: fileIds.coming });
    expect([unsure.status, unsure.body.error]).toEqual([503, 'temporarily_unavailable']);
    expect((await send('POST', '/api/courses', { title: 'x', cover: fileIds.cover })).status).toBe(201);
  });

  test('is one’s own where lecturers name it; what a thing has already may stay', async () => {
    const others = await send('POST', '/api/courses', { title: 'x', cover: fileIds.cover }, { as: lecturer });
    expect([others.status, others.body.details[0].code]).toEqual([422, 'unknown_file']);
    const own = await send('POST', '/api/courses', { title: 'x', cover: fileIds.lecturers }, { as: lecturer });
    expect(own.status).toBe(201);
    await send('PATCH', `/api/courses/${own.body.id}`, { cover: fileIds.cover });
    const same = { cover: fileIds.cover, subtitle: 'y' };
    expect((await send('PATCH', `/api/courses/${own.body.id}`, same, { as: lecturer })).status).toBe(200);
  });
});

describe('the file of a lesson', () => {
  let course: string;
  let at: string;
  const signed = () => new SignedPaths(catalog.ports.rootKeys);
  const lesson = async (body: object, publish = true) => {
    const got = await send('POST', `${at}/lessons`, {
      section_id: 'section_1',
      title: 'A film',
      type: 'video',
      ...body,
    });
    if (publish) await send('POST', `${at}/lessons/${got.body.id}/publish`);
    return got;
  };
  const file = { file_id: fileIds.video, name: 'film.mp4' };
  const read = (id: string, as: TokenClaims | 'anonymous', headers?: Record<string, string>) =>
    catalog.call('GET', `${at}/lessons/${id}`, { as, headers });

  beforeAll(async () => {
    ({ id: course } = await catalog.create({ title: 'Films', lecturer_ids: ['lecturer_lecturer'] }));
    at = `/api/courses/${course}`;
    await send('POST', `${at}/publish`);
  });

  test('has the size and the type that the upload found, whatever the client says', async () => {
    const { body } = await lesson({ file: { ...file, size: 1, type: 'text/html' } });
    expect(body.file).toMatchObject({ file_id: fileIds.video, name: 'film.mp4', size: 7, type: 'video/mp4' });
    const renamed = await send('PATCH', `${at}/lessons/${body.id}`, { file: { ...body.file, name: 'new.mp4' } });
    expect(renamed.body.file).toMatchObject({ name: 'new.mp4', size: 7, type: 'video/mp4' });
    for (const [id, code] of [
      [fileIds.cover, 'wrong_purpose'],
      [fileIds.none, 'unknown_file'],
    ] as const) {
      const refused = await lesson({ file: { ...file, file_id: id } }, false);
      expect([refused.status, refused.body.details[0]]).toEqual([
        422,
        expect.objectContaining({ path: 'file.file_id', code }),
      ]);
    }
  });

  test('has an address for readers who are entitled, and for nobody else', async () => {
    const { body: made } = await lesson({ file });
    const data = {
      enrollment_id: 'e',
      item_type: 'course',
      item_id: course,
      grant_id: 'g',
      source_type: 'staff',
      source_id: 's',
    };
    const times = { starts_at: '2020-01-01T00:00:00.000Z', expires_at: null };
    await catalog.publish('learning', {
      type: 'AccessGranted',
      data: { ...data, member_id: 'acc_enrolled', ...times },
    });
    await catalog.settled();
    for (const as of ['anonymous', member, { ...lecturer, subject: 'acc_other' }] as const)
      expect((await read(made.id, as)).body).not.toHaveProperty('file');
    for (const as of [{ ...member, subject: 'acc_enrolled' }, lecturer, {}]) {
      const { body } = await read(made.id, as);
      expect(body.file.url).toMatch(new RegExp(`^${issuer}/media/files/`));
      const permission = signed().open(body.file.url.split('/').at(-1));
      expect(permission).toMatchObject({ to: 'read', school: 'school_1', id: fileIds.video, size: 7 });
      const hours = (permission!.expires * 1_000 - catalog.clock.now()) / 3_600_000;
      expect(hours > 5 && hours <= 6).toBe(true);
      expect(Date.parse(body.file.url_expires_at)).toBe(permission!.expires * 1_000);
    }
    const { body: whole } = await catalog.call('GET', `${at}/curriculum`, { as: 'anonymous' });
    expect(JSON.stringify(whole)).not.toContain('/media/files/');
  });

  test('has the same address for a while, and an answer with it is never 304: an old one would end in a dead address', async () => {
    const { body: made } = await lesson({ file, preview: true });
    const [one, two] = [await read(made.id, 'anonymous'), await read(made.id, 'anonymous')];
    expect(one.body.file.url).toBe(two.body.file.url);
    const again = await read(made.id, 'anonymous', { 'If-None-Match': one.headers.get('etag') ?? '' });
    expect(again.status).toBe(200);
    catalog.clock.advance(3_600_000);
    expect((await read(made.id, 'anonymous')).body.file.url).not.toBe(one.body.file.url);
  });
});

describe('what the catalog says of the files that its things name', () => {
  const heard: { type: string; file_id: string; holder_id: string }[] = [];
  beforeAll(() => {
    catalog.channel.subscribe({
      consumer: 'test',
      source: 'catalog',
      from: async () => 0,
      handle: async ({ facts }) =>
        void heard.push(
          ...facts
            .filter(({ type }) => type === 'FileReferenced' || type === 'FileReleased')
            .map(({ type, data }) => ({ type, ...(data as { file_id: string; holder_id: string }) })),
        ),
    });
  });
  const about = async (holder: string, count: number) => {
    const found = () =>
      heard.filter(({ holder_id }) => holder_id === holder).map(({ type, file_id }) => [type, file_id]);
    for (let left = 200; left > 0 && found().length < count; left -= 1) await delay(5);
    return found();
  };
  const held = async (id: string) => {
    await catalog.settled();
    const answer = await catalog.started.answer?.({ kind: 'held-files', school: 'school_1', ids: [id] });
    return (answer as { held: string[] }).held.length === 1;
  };

  test('a file is referenced as long as a product, a draft too, names it, and released when it names another or is deleted', async () => {
    const { body: made } = await send('POST', '/api/digital_products', { title: 'x', cover: fileIds.lecturers });
    const at = `/api/digital_products/${made.id}`;
    await send('PUT', `${at}/files`, { files: [{ file_id: fileIds.product, name: 'a.zip' }] });
    expect(await held(fileIds.product)).toBe(true);
    await send('PUT', `${at}/files`, { files: [] });
    await send('DELETE', at);
    expect(await about(made.id, 4)).toEqual([
      ['FileReferenced', fileIds.lecturers],
      ['FileReferenced', fileIds.product],
      ['FileReleased', fileIds.product],
      ['FileReleased', fileIds.lecturers],
    ]);
    expect(await held(fileIds.product)).toBe(false);
  });

  test('each lesson names its file by itself: also a copy, and until its course is deleted', async () => {
    const { id: course } = await catalog.create({ title: 'Handouts' });
    const body = { section_id: 'section_1', title: 'One', file: { file_id: fileIds.document, name: 'a.pdf' } };
    const { body: lesson } = await send('POST', `/api/courses/${course}/lessons`, body);
    const { body: copy } = await send('POST', `/api/courses/${course}/duplicate`);
    const { body: copied } = await send('GET', `/api/courses/${copy.id}/curriculum`);
    const [other] = copied.sections[0].lessons.filter(({ title }: { title: string }) => title === 'One');
    await send('PATCH', `/api/courses/${course}/lessons/${lesson.id}`, { file: null });
    expect(await held(fileIds.document)).toBe(true);
    expect(await about(lesson.id, 2)).toEqual([
      ['FileReferenced', fileIds.document],
      ['FileReleased', fileIds.document],
    ]);
    expect((await send('DELETE', `/api/courses/${copy.id}`)).status).toBe(204);
    expect(await about(other.id, 2)).toEqual([
      ['FileReferenced', fileIds.document],
      ['FileReleased', fileIds.document],
    ]);
    expect(await held(fileIds.document)).toBe(false);
  });

  test('a section takes the files of its lessons along, and a profile its avatar', async () => {
    const { id: course } = await catalog.create({ title: 'Sections' });
    const { body: section } = await send('POST', `/api/courses/${course}/sections`, { title: 'Two' });
    const body = { section_id: section.id, title: 'One', file: { file_id: fileIds.document, name: 'a.pdf' } };
    const { body: lesson } = await send('POST', `/api/courses/${course}/lessons`, body);
    await send('DELETE', `/api/courses/${course}/sections/${section.id}`);
    expect((await about(lesson.id, 2)).at(-1)).toEqual(['FileReleased', fileIds.document]);
    const { body: profile } = await send('POST', '/api/lecturers', { display_name: 'Zed', avatar: fileIds.avatar });
    await send('DELETE', `/api/lecturers/${profile.id}`);
    expect(await about(profile.id, 2)).toEqual([
      ['FileReferenced', fileIds.avatar],
      ['FileReleased', fileIds.avatar],
    ]);
  });
});
