import { describe, expect, test } from '@jest/globals';
import { demoCourseId } from '@lyceum/contracts';
import { claimant, fold, memoryEventLog } from '@lyceum/eventlog';
import { uuidv5 } from '@lyceum/kernel';
import { slugClaim, courseDecider } from '../courses/course.ts';
import { unmet } from '../courses/course.rules.ts';
import type { Course } from '../courses/course.state.ts';
import { lecturerMember } from '../lecturers/lecturer.ts';
import { curriculumDecider, curriculumStream } from '../curriculum/curriculum.ts';
import { seedCatalog } from './demo.ts';
import { demoSchools } from './demo-courses.ts';

const lanterns = `school_${uuidv5('demo-school', 'lantern-craft')}`;
const music = `school_${uuidv5('demo-school', 'north-quay')}`;

async function seeded() {
  const log = memoryEventLog();
  await seedCatalog({ log });
  const read = async (school: string, slug: string) =>
    (await fold(log, courseDecider, school, demoCourseId(school, slug))).state as Course;
  return { log, read };
}

describe('the demo courses', () => {
  test('cover every access but members at Lantern Craft School, and one draft is not ready', async () => {
    const { read } = await seeded();
    const courses = await Promise.all(demoSchools[0]!.courses.map(({ body }) => read(lanterns, body.slug)));
    expect(courses.filter(({ status }) => status === 'published').map(({ access }) => access)).toEqual([
      'paid',
      'free',
      'open',
      'presale',
    ]);
    const drafts = courses.filter(({ status }) => status === 'draft');
    expect(drafts.map((draft) => unmet(draft, 'USD').map(({ code }) => code))).toEqual([
      ['price_missing', 'lesson_missing', 'lecturer_missing'],
    ]);
    expect(courses.map(({ seat_limit }) => seat_limit)).toContain(3);
  });

  test('have slugs in common with North Quay Music, whose prices are in yen', async () => {
    const { log, read } = await seeded();
    const [here, there] = [await read(lanterns, 'foundations'), await read(music, 'foundations')];
    expect(here.prices.map(({ currency }) => currency)).toEqual(['USD']);
    expect(there.prices.map(({ currency }) => currency)).toEqual(['JPY']);
    expect(await claimant(log, lanterns, slugClaim, 'foundations')).toBe(here.id);
    expect(await claimant(log, music, slugClaim, 'foundations')).toBe(there.id);
  });

  test('are written once, and what people changed since is left alone', async () => {
    const { log, read } = await seeded();
    const heads = async () => Promise.all(Array.from({ length: log.lanes }, (_, lane) => log.head(lane)));
    await log.append({
      tenant: lanterns,
      expectations: [],
      events: [
        {
          stream: demoCourseId(lanterns, 'first-steps'),
          type: 'CourseChanged',
          schema: 1,
          data: { fields: { title: 'Mine' } },
        },
      ],
      commitId: uuidv5('a change'),
      fingerprint: '',
      at: '2026-12-01T00:00:00.000Z',
      meta: { actor: 'someone' },
    });
    const before = await heads();
    await seedCatalog({ log });
    expect(await heads()).toEqual(before);
    expect((await read(lanterns, 'first-steps')).title).toBe('Mine');
  });

  test('belong to the demo lecturer, so that the demo account can edit them', async () => {
    const { log, read } = await seeded();
    const lecturer = `account_${uuidv5('demo-account', lanterns, 'lecturer')}`;
    expect(await read(lanterns, 'winter-group')).toMatchObject({
      created_by: lecturer,
      lecturer_ids: [await claimant(log, lanterns, lecturerMember, lecturer)],
    });
  });

  test('have 12 sections, 40 lessons and 6 previews at Lantern Craft School, with a drip and a quiz', async () => {
    const { log } = await seeded();
    const curricula = await Promise.all(
      demoSchools[0]!.courses.map(async ({ body }) => {
        const stream = curriculumStream(demoCourseId(lanterns, body.slug));
        return (await fold(log, curriculumDecider, lanterns, stream)).state;
      }),
    );
    const sections = curricula.flatMap((curriculum) => curriculum.sections);
    const lessons = sections.flatMap((section) => section.lessons);
    expect([sections.length, lessons.length]).toEqual([12, 40]);
    expect(lessons.filter(({ preview }) => preview)).toHaveLength(6);
    expect(new Set(lessons.map(({ release }) => release.type))).toContain('after_days');
    expect(lessons.some(({ quiz }) => quiz !== null)).toBe(true);
  });
});
