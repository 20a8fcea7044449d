import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoAccountId, demoCourseId, demoSchoolId } from '@lyceum/contracts';
import { uuidv5 } from '@lyceum/kernel';
import { found, until } from '@lyceum/testkit';
import { type ServiceUnderTest, serviceUnderTest } from '@lyceum/testkit-service';
import { enrollmentStream } from '../enrollments/enrollment.ts';
import { changeGrant } from '../granting/granting.ts';
import { learning } from '../module.ts';

const lantern = demoSchoolId('lantern-craft');
const music = demoSchoolId('north-quay');
const immediate = { type: 'immediate' };

/** What the catalog publishes of a demo course: so many lessons one after another, of which one is the quiz. */
function courseFacts(school: string, slug: string, lessons: number, quizAt?: number) {
  const course_id = demoCourseId(school, slug);
  const about = (type: string, data: object) => ({ type, data: { course_id, ...data }, school });
  const shown = { slug, title: slug, summary: null, access: 'free', listed: true, prices: [], seat_limit: null };
  return [
    about('CourseShown', { ...shown, lecturer_ids: [], access_days: null }),
    about('SectionAdded', { section_id: 'section_1', position: 0, release: immediate }),
    ...Array.from({ length: lessons }, (_, position) => {
      const isQuiz = position === quizAt;
      const lesson_id = `lesson_${slug}_${isQuiz ? 'quiz' : position}`;
      const said = { lesson_id, title: `Lesson ${position}`, duration_s: 600, preview: false, required: true };
      const judged = { type: isQuiz ? 'quiz' : 'video', pass_mark: isQuiz ? 50 : null, release: immediate };
      return [
        about('LessonAdded', { lesson_id, section_id: 'section_1', position }),
        about('LessonPublished', { ...said, ...judged }),
      ];
    }).flat(),
  ];
}

const catalog = [
  ...courseFacts(lantern, 'foundations', 13, 12),
  ...courseFacts(lantern, 'first-steps', 6),
  ...courseFacts(lantern, 'field-guide', 7),
  ...courseFacts(music, 'foundations', 4, 3),
  ...courseFacts(music, 'first-steps', 2),
];

const quiz = {
  version: 1,
  pass_mark: 50,
  max_attempts: 3,
  questions: [{ id: 'q1', choices: ['a', 'b'], answers: ['b'] }],
};

/** The catalog and the school, as far as they are asked; `away` is when they say nothing. */
const answering =
  (neighbours: { away: boolean }) =>
  async (_service: string, { kind, ids, lesson }: Readonly<Record<string, unknown>>): Promise<unknown> => {
    if (neighbours.away) throw new Error('away');
    if (kind === 'quiz-of-lesson') return String(lesson).endsWith('quiz') ? quiz : null;
    if (kind === 'certificate-of-course') return { certificate: true, title: 'A course' };
    const member = (id: string) => ({ id, name: `Name of ${id}`, email: `${id}@example.org`, tags: [] });
    return { members: ((ids ?? []) as readonly string[]).map(member) };
  };

const demo = { password: 'unused here', port: 8080, baseUrl: 'http://127.0.0.1:8080' };

const start = (neighbours: { away: boolean }) =>
  serviceUnderTest(learning, {
    schools: { [lantern]: 'USD', [music]: 'JPY' },
    published: { catalog },
    ports: { ask: answering(neighbours) },
  });

describe('the learning of the demo', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await start({ away: false });
    service.clock.advance(Date.parse('2026-12-01T00:00:00Z') - service.clock.now());
    await service.settled();
    await service.started.seedDemoHistory?.(demo);
    await service.settled();
  });
  afterAll(() => service.close());

  const enrollmentOf = (school: string, local: string, slug = 'foundations') =>
    enrollmentStream(demoAccountId(school, local), demoCourseId(school, slug));
  const read = async (school: string, local: string, slug?: string) => {
    const at = `/api/students/${demoAccountId(school, local)}/enrollments/${enrollmentOf(school, local, slug)}`;
    return (await service.call('GET', at, { school })).body;
  };
  const attempts = async (school: string, local: string) => {
    const at = `/api/students/${demoAccountId(school, local)}/enrollments/${enrollmentOf(school, local)}/attempts`;
    const { body } = await service.call('GET', at, { school });
    return body.data.map(({ passed }: { passed: boolean }) => passed).toReversed();
  };
  /** The certificate of who has completed: the reaction that issues it may be on its way. */
  async function certificate(school: string, local: string) {
    const issued = async (): Promise<string | undefined> => (await read(school, local)).certificate_id ?? undefined;
    const id = await found(issued, `a certificate of ${local}`);
    const at = `/api/students/${demoAccountId(school, local)}/certificates/${id}`;
    return (await service.call('GET', at, { school })).body;
  }

  test.each([
    [lantern, 'ana.duarte', 100],
    [lantern, 'ben.okafor', 38],
    [lantern, 'dmitri.volkov', 23],
    [lantern, 'hana.suzuki', 0],
    [lantern, 'uwe.brandt', 0],
    [music, 'aoi.tanaka', 100],
    [music, 'bram.de.wit', 75],
    [music, 'daichi.sato', 25],
  ])('at several stages: %s %s %d %%', async (school, local, percent) => {
    expect((await read(school, local)).progress.percent).toBe(percent);
  });

  test('quizzes are passed, failed and exhausted, in both schools', async () => {
    expect(await attempts(lantern, 'ana.duarte')).toEqual([false, true]);
    expect(await attempts(lantern, 'femke.visser')).toEqual([false]);
    expect(await attempts(lantern, 'elif.demir')).toEqual([false, false, false]);
    expect(await attempts(music, 'aoi.tanaka')).toEqual([true]);
    expect(await attempts(music, 'bram.de.wit')).toEqual([false, false]);
  });

  test('certificates are issued, and one of each school is revoked', async () => {
    for (const [school, local, valid] of [
      [lantern, 'ana.duarte', true],
      [lantern, 'chiara.conti', false],
      [music, 'aoi.tanaka', true],
      [music, 'carla.ruiz', false],
    ] as const)
      expect([local, await certificate(school, local)]).toMatchObject([local, { valid }]);
  });

  test('access was taken back, or has ended by time; others have it still', async () => {
    const states = await Promise.all(
      [
        [lantern, 'dmitri.volkov'],
        [lantern, 'gabriel.silva'],
        [music, 'daichi.sato'],
        [lantern, 'ben.okafor'],
      ].map(async ([school, local]) => (await read(school!, local!)).state),
    );
    expect(states).toEqual(['lapsed', 'lapsed', 'lapsed', 'active']);
  });

  test('is written once, and what people changed since is left alone', async () => {
    await certificate(lantern, 'ana.duarte');
    await certificate(music, 'aoi.tanaka');
    const reset = `/api/students/${demoAccountId(lantern, 'ben.okafor')}/enrollments/${enrollmentOf(lantern, 'ben.okafor')}`;
    expect((await service.call('POST', `${reset}/progress-reset`, { school: lantern })).status).toBe(200);
    await service.settled();
    const heads = () => Promise.all([lantern, music].map((school) => service.log.head(service.log.laneOf(school))));
    const before = await heads();
    await service.started.seedDemoHistory?.(demo);
    await service.settled();
    expect(await heads()).toEqual(before);
    expect((await read(lantern, 'ben.okafor')).progress.percent).toBe(0);
  });
});

test('who has other access by now keeps it, and learns as the demo says all the same', async () => {
  const service = await start({ away: false });
  try {
    service.clock.advance(Date.parse('2026-12-01T00:00:00Z') - service.clock.now());
    await service.settled();
    const [member_id, item_id] = [demoAccountId(lantern, 'ana.duarte'), demoCourseId(lantern, 'foundations')];
    const at = '2026-08-01T00:00:00.000Z';
    const source = { source_type: 'staff', source_id: 'by_hand' } as const;
    await changeGrant(service.log, {
      tenant: lantern,
      item_type: 'course',
      item_id,
      member_id,
      command: { type: 'GrantAccess', ...source, starts_at: at, expires_at: null },
      at,
      meta: { actor: 'account_owner' },
      commitId: uuidv5('demo-test', 'by hand'),
    });
    await service.started.seedDemoHistory?.(demo);
    await service.settled();
    const path = `/api/students/${member_id}/enrollments/${enrollmentStream(member_id, item_id)}`;
    const { grants, progress } = (await service.call('GET', path, { school: lantern })).body;
    expect([grants.length, progress.percent]).toEqual([1, 100]);
  } finally {
    await service.close();
  }
});

test('what needs a service that is away is reported, and written when it is tried again', async () => {
  const neighbours = { away: true };
  const service = await start(neighbours);
  try {
    await service.settled();
    await expect(service.started.seedDemoHistory?.(demo)).rejects.toThrow('awaited');
    neighbours.away = false;
    await service.started.seedDemoHistory?.(demo);
    const certified = async () => {
      const { body } = await service.call('GET', '/api/students?limit=100', { school: music });
      const all = body.data.flatMap(
        ({ enrollments }: { enrollments: { certificate_id: string | null }[] }) => enrollments,
      );
      return all.filter(({ certificate_id }: { certificate_id: string | null }) => certificate_id !== null).length;
    };
    await until(async () => (await certified()) >= 2, 'two certificates');
    expect(await certified()).toBe(2);
  } finally {
    await service.close();
  }
});
