import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { type Catalog, type Got, type Sent, fileIds, startCatalog } from '../testing.ts';

let catalog: Catalog;
let course: string;
let hidden: string;
let product: string;
let draft: string;
let issuer: string;
const lessons: Record<'taught' | 'preview' | 'draft', string> = { taught: '', preview: '', draft: '' };

const as = (claims: TokenClaims): Sent => ({ as: claims });
const reads = ['courses:read', 'curriculum:read', 'digital_products:read'] as const;
const callers = {
  anonymous: { as: 'anonymous' },
  member: as({ role: 'member', subject: 'acc_member', scopes: reads }),
  'enrolled member': as({ role: 'member', subject: 'acc_enrolled', scopes: reads }),
  // Whatever a token says: a role that may not is refused.
  'member with staff scopes': as({ role: 'member', subject: 'acc_member' }),
  'lecturer own': as({ role: 'lecturer', subject: 'acc_lecturer' }),
  'lecturer other': as({ role: 'lecturer', subject: 'acc_other' }),
  admin: as({ role: 'admin', subject: 'acc_admin' }),
  owner: as({ role: 'owner', subject: 'acc_owner' }),
  'other school': { as: { role: 'owner', subject: 'acc_owner' }, school: 'school_2' },
} satisfies Readonly<Record<string, Sent>>;

type Expected = Readonly<Record<keyof typeof callers, number | string>>;

const film = { file_id: fileIds.video, name: 'film.mp4' };
const archive = { file_id: fileIds.product, name: 'templates.zip' };
const owned: Sent = callers['lecturer own'];

async function made(path: string, body: object = {}, sent: Sent = {}): Promise<Got['body']> {
  const got = await catalog.call('POST', path, { ...sent, body });
  if (got.status >= 300) throw new Error(`${path}: ${got.status} ${JSON.stringify(got.body)}`);
  return got.body;
}

/** A published course of the lecturer, who did not upload what is in it. */
async function teach(): Promise<void> {
  ({ id: course } = await catalog.create({
    title: 'Films',
    lecturer_ids: ['lecturer_lecturer'],
    cover: fileIds.cover,
  }));
  const at = `/api/courses/${course}`;
  await made(`${at}/publish`);
  for (const name of ['taught', 'preview', 'draft'] as const) {
    const body = { section_id: 'section_1', title: name, type: 'video', file: film, preview: name === 'preview' };
    lessons[name] = (await made(`${at}/lessons`, body)).id;
    if (name !== 'draft') await made(`${at}/lessons/${lessons[name]}/publish`);
  }
}

/** The enrolled member is given access. */
async function give(item_type: string, item_id: string): Promise<void> {
  const grant = { enrollment_id: 'e', item_type, item_id, grant_id: 'g', source_type: 'staff', source_id: 's' };
  const times = { starts_at: '2020-01-01T00:00:00.000Z', expires_at: null };
  await catalog.publish('learning', { type: 'AccessGranted', data: { ...grant, member_id: 'acc_enrolled', ...times } });
}

beforeAll(async () => {
  catalog = await startCatalog();
  issuer = catalog.ports.trust.school('school_1')!.issuer;
  await teach();
  ({ id: hidden } = await catalog.create({ title: 'Drafted', lecturer_ids: ['lecturer_lecturer'] }));
  const priced = { prices: [{ amount: 900 }], title: 'Templates', cover: fileIds.lecturers };
  ({ id: product } = await made('/api/digital_products', priced, owned));
  ({ id: draft } = await made('/api/digital_products', { title: 'Not yet' }, owned));
  for (const id of [product, draft])
    await catalog.call('PUT', `/api/digital_products/${id}/files`, { body: { files: [archive] } });
  await made(`/api/digital_products/${product}/publish`);
  await give('course', course);
  await give('digital_product', product);
  await catalog.settled();
});
afterAll(() => catalog.close());

/** What somebody may do with the bytes of a lesson's file. */
const addressOf = (lesson: { locked?: boolean; file?: { url: string | null } | null }): string =>
  lesson.file?.url?.startsWith(`${issuer}/media/files/`) ? 'address' : 'file' in lesson ? 'file' : 'outline';

const inTree = (body: Got['body'], id: string): string => {
  const all = body.sections.flatMap((section: { lessons: { id: string }[] }) => section.lessons);
  const found = all.find((lesson: { id: string }) => lesson.id === id);
  return found ? addressOf(found) : 'absent';
};

const writers = {
  anonymous: 'access_denied',
  member: 'insufficient_scope',
  'enrolled member': 'insufficient_scope',
  'member with staff scopes': 'access_denied',
  'lecturer other': 'access_denied',
  'other school': 'not_found',
} as const;

const hiddenFrom = { ...writers, 'lecturer other': 'not_found' } as const;

const everybody = (answer: number | string): Expected => ({
  ...(Object.fromEntries(Object.keys(callers).map((name) => [name, answer])) as unknown as Expected),
  'other school': 'not_found',
});

/** What staff see, and others do not know of. */
const ofStaff = (answer: number | string, otherwise: number | string): Expected => ({
  ...everybody(otherwise),
  'lecturer own': answer,
  admin: answer,
  owner: answer,
});

const taught: Expected = { ...ofStaff('address', 'outline'), 'enrolled member': 'address' };

type Row = readonly [
  what: string,
  method: string,
  path: () => string,
  body: object | undefined,
  said: ((body: Got['body']) => string) | undefined,
  expected: Expected,
];

const lesson = (name: keyof typeof lessons) => () => `/api/courses/${course}/lessons/${lessons[name]}`;
const curriculum = () => `/api/courses/${course}/curriculum`;
const expanded = () => `/api/courses/${course}?expand=curriculum`;
const ofProduct = () => `/api/digital_products/${product}`;
const filesOf = (body: Got['body']) => ('files' in body ? `files ${body.files.length}` : 'summaries');
const coverOf = (body: Got['body']) => (body.cover?.startsWith(`${issuer}/media/public/`) ? 'cover' : 'none');

/** Every way to a file, and to name one, and what comes of it for whom. */
const table: readonly Row[] = [
  ['the film of a lesson', 'GET', lesson('taught'), undefined, addressOf, taught],
  ['the same in the curriculum', 'GET', curriculum, undefined, (body) => inTree(body, lessons.taught), taught],
  [
    'the same in the expanded course',
    'GET',
    expanded,
    undefined,
    (body) => inTree(body.curriculum, lessons.taught),
    taught,
  ],
  ['the film of a preview', 'GET', lesson('preview'), undefined, addressOf, everybody('address')],
  ['the film of a draft', 'GET', lesson('draft'), undefined, addressOf, ofStaff('address', 'not_found')],
  [
    'drafts in the curriculum',
    'GET',
    curriculum,
    undefined,
    (body) => inTree(body, lessons.draft),
    ofStaff('address', 'absent'),
  ],
  ['the cover of a course', 'GET', () => `/api/courses/${course}`, undefined, coverOf, everybody('cover')],
  ['the cover of a product', 'GET', ofProduct, undefined, coverOf, everybody('cover')],
  ['the files of a product', 'GET', ofProduct, undefined, filesOf, ofStaff('files 1', 'summaries')],
  [
    'what may be downloaded of a product',
    'GET',
    ofProduct,
    undefined,
    ({ downloads }) => (downloads ? 'downloads' : 'none'),
    { ...everybody('none'), 'enrolled member': 'downloads' },
  ],
  [
    'the files of a product that is a draft',
    'GET',
    () => `/api/digital_products/${draft}`,
    undefined,
    filesOf,
    ofStaff('files 1', 'not_found'),
  ],
  [
    'naming the film in a new lesson',
    'POST',
    () => `/api/courses/${course}/lessons`,
    { section_id: 'section_1', title: 'Named', type: 'video', file: film },
    undefined,
    { ...writers, 'lecturer own': 'validation_failed', admin: 201, owner: 201 },
  ],
  [
    'keeping the film of a lesson',
    'PATCH',
    lesson('taught'),
    { file: film },
    undefined,
    { ...writers, 'lecturer own': 200, admin: 200, owner: 200 },
  ],
  [
    'naming another film in a lesson',
    'PATCH',
    lesson('preview'),
    { file: { file_id: fileIds.document, name: 'a.pdf' } },
    undefined,
    { ...writers, 'lecturer own': 'validation_failed', admin: 200, owner: 200 },
  ],
  [
    'naming the cover of a course',
    'PATCH',
    () => `/api/courses/${hidden}`,
    { cover: fileIds.cover },
    undefined,
    { ...hiddenFrom, 'lecturer own': 'validation_failed', admin: 200, owner: 200 },
  ],
  [
    'naming the files of a product',
    'PUT',
    () => `${ofProduct()}/files`,
    { files: [archive] },
    undefined,
    { ...writers, 'lecturer own': 200, admin: 200, owner: 200 },
  ],
  [
    'renaming the file of a product that is a draft',
    'PUT',
    () => `/api/digital_products/${draft}/files`,
    { files: [{ ...archive, name: 'another name.zip' }] },
    undefined,
    { ...hiddenFrom, 'lecturer own': 200, admin: 200, owner: 200 },
  ],
];

describe('who reads and names files', () => {
  test.each(table)('%s', async (_, method, path, body, said, expected) => {
    const all: Record<string, number | string> = {};
    for (const [name, sent] of Object.entries(callers) as [string, Sent][]) {
      const got = await catalog.call(method, path(), { ...sent, ...(body ? { body } : {}) });
      all[name] = got.body?.error ?? (said && got.status === 200 ? said(got.body) : got.status);
    }
    expect(all).toEqual(expected);
  });

  test('no list and no public answer bears an id or an address of what is not public', async () => {
    const paths = ['/api/courses', '/api/digital_products', curriculum(), expanded(), ofProduct(), lesson('taught')()];
    for (const name of ['anonymous', 'member', 'lecturer other', 'other school'] as const)
      for (const path of paths) {
        const said = JSON.stringify((await catalog.call('GET', path, callers[name])).body);
        expect([name, path, said.includes(fileIds.product)]).toEqual([name, path, false]);
        const isTaught = path === lesson('taught')();
        if (isTaught) expect([name, said.includes('/media/files/')]).toEqual([name, false]);
      }
  });
});
