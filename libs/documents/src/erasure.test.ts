import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Incoming } from './projector/incoming.ts';
import { memoryDocuments } from './memory/memory.ts';
import type { Collection, Documents } from './port.ts';
import type { Projection } from './projection.ts';
import { projector } from './projector/projector.ts';
import { sqliteDocuments } from './sqlite/sqlite.ts';

const comments: Collection = { name: 'comments', version: 1, fields: { author: 'text', mentions: 'set' } };

const project: Projection['project'] = ({ data }) => ({ mentions: [], ...(data as object) });
const key: Projection['key'] = ({ stream, type }) => (type === 'Commented' ? stream : undefined);
const base = { collection: comments, key, project };

const event = (position: number, type: string, stream: string, data: unknown, tenant = 's'): Incoming => ({
  tenant,
  stream,
  type,
  schema: 1,
  version: 1,
  at: '2026-01-05T08:00:00.000Z',
  position,
  data,
});
const said = (position: number, stream: string, author: string, more: object = {}, tenant = 's') =>
  event(position, 'Commented', stream, { author, text: `words of ${author}`, ...more }, tenant);
const erased = (position: number, subject: string, tenant = 's') =>
  event(position, 'SubjectErased', `subject-${subject}`, { subject }, tenant);

/** Applies events, so many in a batch, and gives what is left. */
async function after(
  projection: Projection,
  events: readonly Incoming[],
  batch: number,
  documents = memoryDocuments(),
) {
  await documents.open(comments);
  const { handle } = projector({ documents, projection, source: 'content' });
  for (let from = 0; from < events.length; from += batch)
    await handle(
      0,
      events
        .slice(from, from + batch)
        .map((each) => ({ previous: each.position - 1, position: each.position, events: [each] })),
    );
  const left: Record<string, unknown> = {};
  for (const tenant of ['s', 'other'])
    for (const { id, body } of (await documents.query(comments, tenant, { limit: 200 })).items)
      left[`${tenant}/${id}`] = body;
  return left;
}

describe('erasing a subject from documents', () => {
  const byField: Projection = { ...base, erase: { documents: { field: 'author' } } };
  const history = [
    said(1, 'c1', 'ada'),
    said(2, 'c2', 'bob'),
    said(3, 'c3', 'ada'),
    said(4, 'c1', 'ada', {}, 'other'),
    erased(5, 'ada'),
  ];

  test.each([1, 2, 5])(
    'deletes the documents that a field names, of that school only (batches of %i)',
    async (batch) => {
      expect(Object.keys(await after(byField, history, batch))).toEqual(['s/c2', 'other/c1']);
    },
  );

  test('covers more documents than a page holds', async () => {
    const many = Array.from({ length: 450 }, (_, n) => said(n + 1, `c${n}`, n === 7 ? 'bob' : 'ada'));
    expect(Object.keys(await after(byField, [...many, erased(451, 'ada')], 100))).toEqual(['s/c7']);
  });

  test('keeps what a projection wants to keep without the person', async () => {
    const mentions: Projection = {
      ...base,
      erase: {
        documents: { field: 'mentions' },
        forget: (body, subject) => ({
          ...body,
          text: '',
          mentions: (body['mentions'] as string[]).filter((each) => each !== subject),
        }),
      },
    };
    const events = [
      said(1, 'c1', 'bob', { mentions: ['ada', 'eve'] }),
      said(2, 'c2', 'bob', { mentions: ['eve'] }),
      erased(3, 'ada'),
    ];
    for (const batch of [1, 3]) {
      const left = await after(mentions, events, batch);
      expect(left['s/c1']).toEqual({ author: 'bob', text: '', mentions: ['eve'] });
      expect(left['s/c2']).toMatchObject({ text: 'words of bob' });
    }
  });

  test('finds documents by an id that follows from the subject, and minds none that is not there', async () => {
    const byId: Projection = { ...base, erase: { documents: (subject) => [`profile-${subject}`] } };
    const left = await after(
      byId,
      [said(1, 'profile-ada', 'ada'), said(2, 'c2', 'ada'), erased(3, 'ada'), erased(4, 'eve')],
      2,
    );
    expect(Object.keys(left)).toEqual(['s/c2']);
  });

  test('is no business of a projection that does not declare it', async () => {
    expect(Object.keys(await after(base, history, 2))).toHaveLength(4);
  });
});

const folder = await mkdtemp(join(tmpdir(), 'lyceum-erasure-'));
afterAll(() => rm(folder, { recursive: true }));

test('sqliteDocuments: after a scrub no byte of an erased person is in any file, also after page splits', async () => {
  const documents: Documents = await sqliteDocuments({ file: join(folder, 'documents.db') });
  const raw = async () =>
    (await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1')))).join('');
  const projection: Projection = { ...base, erase: { documents: { field: 'author' } } };
  const events = Array.from({ length: 1_500 }, (_, n) => {
    const subject = n % 3 === 0 ? 'canary-ada' : `other-${n}`;
    return said(n + 1, `c${n % 900}`, subject, {
      text: `${subject} ${'x'.repeat((n * 37) % 500)}`,
      mentions: [subject],
    });
  });
  await after(projection, events, 50, documents);
  expect(await raw()).toContain('canary-ada');
  const { handle } = projector({ documents, projection, source: 'content' });
  await handle(0, [{ previous: 1_500, position: 1_501, events: [erased(1_501, 'canary-ada')] }]);
  await documents.scrub!();
  expect((await raw()).split('canary-ada').length - 1).toBe(0);
  expect(await raw()).toContain('other-1499');
  await documents.close();
});
