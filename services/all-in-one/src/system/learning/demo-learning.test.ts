import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, type Place, call, demoHistory, describeWithHistory, patience } from '@lyceum/testkit';
import { hasStatus, inForce } from '../../testing/in-force.ts';

interface Enrollment {
  readonly id: string;
  readonly state: string;
  readonly progress: { readonly percent: number };
  readonly completed_at: string | null;
  readonly certificate_id: string | null;
}

interface Student {
  readonly id: string;
  readonly enrollments: readonly Enrollment[];
}

/** What people of the demo schools have learnt: something of everything that there is to see. */
await describeWithHistory('the learning of the demo', ({ open }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  beforeAll(async () => {
    ({ system, close } = await open());
    await demoHistory(system);
  }, 600_000);
  afterAll(() => close());

  test.each([
    ['Lantern Craft', () => system.baseUrl, 'owner@lantern.test', 5],
    ['North Quay', () => system.northQuayUrl, 'owner@northquay.test', 3],
  ] as const)('of %s is at every stage', async (_, base, owner, stages) => {
    const client = await Client.register(base());
    const scopes = 'students:read members:read courses:read';
    const { access_token: token } = await client.tokens(owner, system.password, scopes);
    /** What is there; where many ask at once, as often as it takes. */
    const get = async (path: string) => {
      const { status, body } = await inForce(patience, () => call(`${base()}/api${path}`, { token }), hasStatus(200));
      if (status !== 200) throw new Error(`${path}: ${status} ${body.error}`);
      return body;
    };
    const course = (await get('/courses/foundations')).id as string;
    const list = async (): Promise<readonly Student[]> => (await get(`/students?course_id=${course}&limit=100`)).data;
    const isComplete = (students: readonly Student[]) =>
      students.flatMap(({ enrollments }) => enrollments).filter((each) => each.certificate_id !== null).length >= 2;
    const students = await inForce(patience, list, isComplete);
    const all = students.flatMap(({ id, enrollments }) => enrollments.map((each) => ({ member: id, ...each })));
    expect(new Set(all.map(({ progress }) => progress.percent)).size).toBeGreaterThanOrEqual(stages);
    expect(all.some(({ state }) => state === 'lapsed')).toBe(true);

    // Other suites that share the system certify people, too.
    const validities = async () => {
      const certified = (await list()).flatMap(({ id, enrollments }) =>
        enrollments.flatMap((each) => each.certificate_id ?? []).map((certificate) => ({ id, certificate })),
      );
      return Promise.all(
        certified.map(
          async ({ id, certificate }) => (await get(`/students/${id}/certificates/${certificate}`)).valid as boolean,
        ),
      );
    };
    const isBoth = (valid: readonly boolean[]) => valid.includes(true) && valid.includes(false);
    expect(isBoth(await inForce(patience, validities, isBoth))).toBe(true);

    const attempts = await Promise.all(
      all.map(async ({ member, id }) => (await get(`/students/${member}/enrollments/${id}/attempts`)).data),
    );
    const [passed, exhausted] = [
      attempts.filter((each) => each.some((attempt: { passed: boolean }) => attempt.passed)),
      attempts.filter(([newest]) => newest?.attempts_left === 0 && !newest.passed),
    ];
    expect([passed.length > 0, exhausted.length > 0]).toEqual([true, true]);
    const noted = (await get('/members?limit=100')).data.filter(({ note }: { note: string | null }) => note !== null);
    expect(noted.length).toBeGreaterThan(0);
  });
});
