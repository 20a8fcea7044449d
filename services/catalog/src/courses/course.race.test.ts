import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Catalog, startCatalog } from '../testing.ts';

const rounds = 8;

/** A published course always has a published lesson and an active lecturer, whatever happens at the same moment. */
describe('what a course needs to be public, while it is taken away', () => {
  let catalog: Catalog;
  beforeAll(async () => void (catalog = await startCatalog()));
  afterAll(() => catalog.close());

  const post = (path: string, body?: object) => catalog.call('POST', path, { body });
  const hire = async () => (await post('/api/lecturers', { display_name: 'Ana' })).body.id as string;
  const course = (...lecturer_ids: string[]) => catalog.create({ title: 'Raced', lecturer_ids });
  const archive = (id: string) => post(`/api/lecturers/${id}/archive`);

  /** Starts all at once; their statuses, sorted. */
  async function atOnce(...calls: (() => ReturnType<Catalog['call']>)[]): Promise<readonly number[]> {
    return (await Promise.all(calls.map((call) => call()))).map(({ status }) => status).sort();
  }

  const repeat = async (round: () => Promise<void>) => {
    for (let at = 0; at < rounds; at += 1) await round();
  };

  test('its last lesson: either the course is published or the lesson goes', () =>
    repeat(async () => {
      const { id } = await course(await hire());
      const lesson = `/api/courses/${id}/lessons/lesson_1`;
      const gone = await atOnce(
        () => post(`/api/courses/${id}/publish`),
        () => post(`${lesson}/unpublish`),
      );
      expect(gone).toEqual([200, 409]);
    }));

  test('its only lecturer: either the course is published or the profile ends', () =>
    repeat(async () => {
      const ana = await hire();
      const { id } = await course(ana);
      const ended = await atOnce(
        () => post(`/api/courses/${id}/publish`),
        () => archive(ana),
      );
      expect(ended).toEqual([200, 409]);
    }));

  test('two lecturers who both go, each because the other stays: one stays', () =>
    repeat(async () => {
      const [ana, bo] = [await hire(), await hire()];
      const { id } = await course(ana, bo);
      await post(`/api/courses/${id}/publish`);
      expect(
        await atOnce(
          () => archive(ana),
          () => archive(bo),
        ),
      ).toEqual([200, 409]);
    }));

  test('a lecturer who takes a public course over while the profile ends', () =>
    repeat(async () => {
      const [ana, bo] = [await hire(), await hire()];
      const { id } = await course(ana);
      await post(`/api/courses/${id}/publish`);
      const [, refused] = await atOnce(
        () => catalog.call('PATCH', `/api/courses/${id}`, { body: { lecturer_ids: [bo] } }),
        () => archive(bo),
      );
      expect([409, 422]).toContain(refused);
    }));

  test('a public course is not left to lecturers who are gone', async () => {
    const [ana, bo] = [await hire(), await hire()];
    const { id } = await course(ana, bo);
    await post(`/api/courses/${id}/publish`);
    expect((await archive(bo)).status).toBe(200);
    const left = await catalog.call('PATCH', `/api/courses/${id}`, { body: { lecturer_ids: [bo] } });
    expect([left.status, left.body.details[0].code]).toEqual([409, 'lecturer_missing']);
  });

  test('an erased person goes whoever needs them: the course stays public, and its readiness says what it lacks', async () => {
    const { id } = await course('lecturer_lists');
    await post(`/api/courses/${id}/publish`);
    await catalog.erase('acc_lists');
    expect((await catalog.call('GET', `/api/courses/${id}`)).body.status).toBe('published');
    const { body } = await catalog.call('GET', `/api/courses/${id}/readiness`);
    expect(body.unmet.map(({ code }: { code: string }) => code)).toEqual(['lecturer_missing']);
  });

  test('a lecturer is needed by what was published a moment ago, before any list has it', async () => {
    const ana = await hire();
    const { id } = await course(ana);
    await post(`/api/courses/${id}/publish`);
    expect((await archive(ana)).body.error).toBe('assigned');
    await post(`/api/courses/${id}/unpublish`);
    expect((await archive(ana)).status).toBe(200);
  });
});
