import { claimStream, execute } from '@lyceum/eventlog';
import { uuidv5 } from '@lyceum/kernel';
import { type GivenEvent, type Got, type Sent, type ServiceUnderTest, serviceUnderTest } from '@lyceum/testkit-service';
import type { Operation } from '@lyceum/web';
import { newLesson } from './curriculum/curriculum.input.ts';
import { type CurriculumCommand, curriculumDecider, curriculumStream } from './curriculum/curriculum.ts';
import { lecturerMember } from './lecturers/lecturer.ts';
import { catalog, catalogSlices } from './module.ts';

export type { Got, Sent } from '@lyceum/testkit-service';

/** All operations of the catalogue. */
export const catalogOperations = catalogSlices.flatMap(({ operations }) => operations as readonly Operation[]);

/** The catalog with two schools: school_1 (USD) and school_2 (JPY), and lecturers in both. */
export interface Catalog extends ServiceUnderTest {
  /** Creates a course, with a published lesson in it, and gives the body of its creation. */
  create(body: object, sent?: Sent): Promise<Got['body']>;
  /** What the media service answers. */
  readonly asked: Asked;
  /** Tells the catalog that a person of school_1 is erased. */
  erase(subject: string): Promise<void>;
}

/** Files of school_1 by what they are; one of school_2. Owned by `acc_owner`, but for the one of a lecturer. */
export const fileIds = {
  cover: 'upload_00000000-0000-7000-8000-000000000001',
  video: 'upload_00000000-0000-7000-8000-000000000002',
  document: 'upload_00000000-0000-7000-8000-000000000003',
  product: 'upload_00000000-0000-7000-8000-000000000004',
  avatar: 'upload_00000000-0000-7000-8000-000000000005',
  lecturers: 'upload_00000000-0000-7000-8000-000000000006',
  coming: 'upload_00000000-0000-7000-8000-000000000007',
  elsewhere: 'upload_00000000-0000-7000-8000-000000000008',
  deleted: 'upload_00000000-0000-7000-8000-000000000009',
  none: 'upload_00000000-0000-7000-8000-000000000010',
} as const;

type FileName = keyof typeof fileIds;

const announced = (name: FileName, purpose: string, more: object = {}) => ({
  type: 'FileAnnounced',
  data: {
    file_id: fileIds[name],
    purpose,
    access: /cover|avatar/.test(purpose) ? 'public' : 'private',
    content_type: 'text/plain',
    size: 7,
    owner_id: 'acc_owner',
    ...more,
  },
});

const ready = (name: FileName, content_type: string) => ({
  type: 'FileReady',
  data: { file_id: fileIds[name], content_type, size: 7, sha256: 'ab' },
});

const school = 'school_2';

/** What the media service has published before a test. */
const mediaFacts = [
  announced('cover', 'cover'),
  ready('cover', 'image/png'),
  announced('video', 'lesson_video'),
  ready('video', 'video/mp4'),
  announced('document', 'lesson_file'),
  ready('document', 'application/pdf'),
  announced('product', 'product_file'),
  ready('product', 'application/zip'),
  announced('avatar', 'avatar'),
  ready('avatar', 'image/png'),
  announced('lecturers', 'cover', { owner_id: 'acc_lecturer' }),
  ready('lecturers', 'image/png'),
  announced('coming', 'cover'),
  { ...announced('elsewhere', 'cover'), school },
  { ...ready('elsewhere', 'image/png'), school },
  announced('deleted', 'cover'),
  ready('deleted', 'image/png'),
  { type: 'FileDeleted', data: { file_id: fileIds.deleted } },
];

/** What the media service answers about files of school_1 of which no news has arrived. */
interface Asked {
  /** Those that there are; `away`: it does not answer. */
  readonly files: Map<string, object>;
  away: boolean;
}

const answering =
  (asked: Asked) =>
  async (service: string, question: Readonly<Record<string, unknown>>): Promise<unknown> => {
    if (service !== 'media' || question['kind'] !== 'files') return undefined;
    if (asked.away) throw new Error('away');
    const ids = question['ids'] as readonly string[];
    const found = question['school'] === 'school_1' ? ids.filter((id) => asked.files.has(id)) : [];
    return { files: Object.fromEntries(found.map((id) => [id, asked.files.get(id)])) };
  };

/** The lecturers of both schools: by number, and those of the accounts that tests sign in with. */
const lecturers: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`lecturer_${index}`, undefined])),
  ...Object.fromEntries(['lecturer', 'lists', 'pager'].map((name) => [`lecturer_${name}`, `acc_${name}`])),
};

/** The events of the lecturers of a school, each with a link where there is an account. */
const lecturerEvents = (): readonly GivenEvent[] =>
  Object.entries(lecturers).flatMap(([stream, member_id]) => {
    const said = { title: '', bio: '', avatar: '', links: [], contact_email: '', position: 0, by: 'system' };
    const slug = stream.replace('_', '-');
    const added = { stream, type: 'LecturerAdded', data: { slug, display_name: stream, ...said } };
    if (member_id === undefined) return [added];
    const claim = { stream: claimStream(lecturerMember, member_id), type: 'Claimed', data: { by: stream } };
    return [added, { stream, type: 'LecturerLinked', data: { member_id } }, claim];
  });

/** Gives a course a section with one published lesson. */
async function addLesson({ log }: Pick<ServiceUnderTest, 'log'>, tenant: string, course: string): Promise<void> {
  const fields = newLesson({ section_id: 'section_1', title: 'A lesson', type: 'text' });
  const meta = { actor: 'system' };
  const request = { tenant, stream: curriculumStream(course), at: '2026-01-01T00:00:00.000Z', meta };
  const release = { type: 'immediate' } as const;
  const commands: readonly CurriculumCommand[] = [
    { type: 'AddSection', id: 'section_1', title: 'A section', release },
    { type: 'AddLesson', id: 'lesson_1', section_id: 'section_1', fields },
    { type: 'PublishLesson', id: 'lesson_1' },
  ];
  for (const command of commands)
    await execute(log, curriculumDecider, {
      ...request,
      command,
      commitId: uuidv5('test', command.type, tenant, course),
    });
}

/** Starts the catalog. */
export async function startCatalog(): Promise<Catalog> {
  const given = { school_1: lecturerEvents(), school_2: lecturerEvents() };
  const asked: Asked = {
    files: new Map([[fileIds.coming, { ...announced('coming', 'cover').data, state: 'announced' }]]),
    away: false,
  };
  const service = await serviceUnderTest(catalog, {
    given,
    published: { media: mediaFacts },
    ports: { ask: answering(asked) },
  });
  return {
    ...service,
    asked,
    async create(body, sent) {
      const got = await service.call('POST', '/api/courses', { ...sent, body });
      if (got.status !== 201) throw new Error(`not created: ${got.status} ${JSON.stringify(got.body)}`);
      await addLesson(service, sent?.school ?? 'school_1', got.body.id);
      return { ...got.body, lesson_count: 1 };
    },
    erase: async (subject) => service.started.erased?.('school_1', subject),
  };
}
