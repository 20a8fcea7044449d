import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import type { Got, Sent } from '@lyceum/testkit-service';
import { type Catalog, fileIds, startCatalog } from '../testing.ts';

/** What a stranger tries who knows every id and every parameter, to read what is taught for money or not published yet. */
let catalog: Catalog;
let shown: string;
let draft: string;
const lessons = new Map<string, string[]>();

/** Texts and ids that only the staff of the school, or who is enrolled, may find in any answer. */
const secrets = {
  note: 'the price goes up in May',
  'what a lesson teaches': 'fold the corner twice, then wait',
  'what a draft teaches': 'the chapter nobody has read',
  'the file of a lesson': fileIds.video,
  'the files of a product': fileIds.product,
  'an address of a file': '/media/files/',
  'where it is embedded': 'https://videos.example/secret-film',
  'the right answers': '"answers"',
} as const;

const strangers: Readonly<Record<string, Sent>> = {
  anonymous: { as: 'anonymous' },
  'a member': { as: { role: 'member', subject: 'acc_member', scopes: ['courses:read', 'curriculum:read'] } },
  'a member who claims staff scopes': { as: { role: 'member', subject: 'acc_member' } },
  'a lecturer of other courses': { as: { role: 'lecturer', subject: 'acc_other' } },
  'the owner of another school': { as: { role: 'owner', subject: 'acc_owner' }, school: 'school_2' },
};

const owner: TokenClaims = { role: 'owner', subject: 'acc_owner' };

async function made(path: string, body: object = {}): Promise<Got['body']> {
  const got = await catalog.call('POST', path, { as: owner, body });
  if (got.status >= 300) throw new Error(`${path}: ${got.status} ${JSON.stringify(got.body)}`);
  return got.body;
}

const choices = [
  { id: 'a', text: 'This' },
  { id: 'b', text: 'That' },
];
const quiz = { max_attempts: 3, questions: [{ id: 'q1', prompt: 'Which?', choices, answers: ['b'] }] };
const film = { file_id: fileIds.video, name: 'film.mp4' };

async function lesson(course: string, body: object, publish = true): Promise<void> {
  const at = `/api/courses/${course}/lessons`;
  const { id } = await made(at, { section_id: 'section_1', ...body });
  if (publish) await made(`${at}/${id}/publish`);
  lessons.set(course, [...(lessons.get(course) ?? []), id]);
}

beforeAll(async () => {
  catalog = await startCatalog();
  const lecturer_ids = ['lecturer_lecturer'];
  const internal_note = secrets.note;
  ({ id: shown } = await catalog.create({ title: 'Sold', lecturer_ids, internal_note }));
  ({ id: draft } = await catalog.create({ title: 'Hidden', lecturer_ids, internal_note }));
  for (const course of [shown, draft]) {
    await lesson(course, { title: 'Taught', type: 'text', body: secrets['what a lesson teaches'] });
    await lesson(course, { title: 'Film', type: 'video', file: film });
    await lesson(course, { title: 'Shown', type: 'embed', embed_url: secrets['where it is embedded'] });
    await lesson(course, { title: 'Exam', type: 'quiz', quiz, pass_mark: 50 });
    // Open to everybody, but for what is right.
    await lesson(course, { title: 'Trial', type: 'quiz', quiz, preview: true });
    await lesson(course, { title: 'Draft', type: 'text', body: secrets['what a draft teaches'], preview: true }, false);
  }
  await made(`/api/courses/${shown}/publish`);
  for (const title of ['Templates', 'Not yet']) {
    const { id } = await made('/api/digital_products', { title, prices: [{ amount: 900 }] });
    const files = [{ file_id: fileIds.product, name: 'templates.zip' }];
    await catalog.call('PUT', `/api/digital_products/${id}/files`, { as: owner, body: { files } });
    if (title === 'Templates') await made(`/api/digital_products/${id}/publish`);
  }
  await catalog.settled();
});
afterAll(() => catalog.close());

const told = ({ body, headers }: Got): readonly string[] => {
  const text = JSON.stringify([body ?? '', ...headers]);
  return Object.entries(secrets).flatMap(([what, secret]) => (text.includes(secret) ? [what] : []));
};

/** Every way to read courses, lessons and products by the description, with the ids of all that there is. */
async function places(): Promise<readonly string[]> {
  const { paths } = catalog.started.openapi as { paths: Record<string, Record<string, unknown>> };
  const { body } = await catalog.call('GET', '/api/digital_products', { as: owner });
  const products: readonly string[] = body.data.map(({ id }: { id: string }) => id);
  return Object.entries(paths).flatMap(([path, methods]) => {
    if (!('get' in methods)) return [];
    const filled = (course: string, id: string) => path.replace('{course}', course).replaceAll(/\{\w+\}/g, id);
    if (path.includes('{lesson}')) return [...lessons].flatMap(([course, all]) => all.map((id) => filled(course, id)));
    if (path.includes('{course}')) return [shown, draft].map((course) => filled(course, ''));
    const others = path.includes('{product}') ? products : ['lecturer_lecturer'];
    return [...new Set(others.map((id) => filled('', id)))];
  });
}

const queries = [
  '',
  '?expand=curriculum',
  '?expand=curriculum,lecturers,curriculum.lessons',
  '?fields=internal_note,curriculum,files,body,quiz,file,status',
  '?expand=curriculum&fields=curriculum',
  '?filter[status]=draft',
  '?status=draft',
  '?q=chapter',
  '?q=price',
  '?sort=internal_note',
  '?view=staff&role=owner&school=school_1&preview=true',
  '?limit=100',
];

describe('a stranger who knows every id', () => {
  test('there is something to find: the owner finds all of it', async () => {
    const found = new Set<string>();
    for (const place of await places())
      for (const what of told(await catalog.call('GET', place, { as: owner }))) found.add(what);
    expect([...found].toSorted()).toEqual(Object.keys(secrets).toSorted());
  });

  test.each(Object.entries(strangers))('%s reads nothing of it, however it is asked', async (_, sent) => {
    const all = await places();
    expect(all.length).toBeGreaterThan(20);
    for (const place of all)
      for (const query of queries) {
        const got = await catalog.call('GET', `${place}${query}`, sent);
        expect([place, query, got.status < 500, told(got)]).toEqual([place, query, true, []]);
      }
  });

  test.each(Object.entries(strangers))('%s gets no further by a cursor of the owner', async (name, sent) => {
    for (const list of ['/api/courses', '/api/digital_products', '/api/lecturers']) {
      const { body } = await catalog.call('GET', `${list}?limit=1`, { as: owner });
      expect([list, typeof body.next_cursor]).toEqual([list, 'string']);
      const got = await catalog.call('GET', `${list}?limit=1&cursor=${body.next_cursor}`, sent);
      // It is bound to the view that it was given for, and to the school; lecturers read lists as staff, of fewer rows.
      const refused = name.startsWith('a lecturer') ? [200] : [400, 403];
      expect([list, refused.includes(got.status), told(got)]).toEqual([list, true, []]);
    }
  });
});
