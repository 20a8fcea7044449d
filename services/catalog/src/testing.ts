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
  /** Tells the catalog that a person of school_1 is erased. */
  erase(subject: string): Promise<void>;
}

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
  const service = await serviceUnderTest(catalog, { given });
  return {
    ...service,
    async create(body, sent) {
      const got = await service.call('POST', '/api/courses', { ...sent, body });
      if (got.status !== 201) throw new Error(`not created: ${got.status} ${JSON.stringify(got.body)}`);
      await addLesson(service, sent?.school ?? 'school_1', got.body.id);
      return { ...got.body, lesson_count: 1 };
    },
    erase: async (subject) => service.started.erased?.('school_1', subject),
  };
}
