import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Person, type Place, call, describeTopologiesIfLong, patience } from '@lyceum/testkit';
import { Exporting, unzipped } from '../../testing/exporting.ts';
import { hasStatus, inForce } from '../../testing/in-force.ts';
import { ownSystems } from '../../testing/operating/own-systems.ts';
import { setTimeout as sleep } from 'node:timers/promises';

jest.setTimeout(120_000);

/** The connection was cut or refused; anything else is no end of a download. */
function isBrokenOff(error: unknown): void {
  if (!/aborted|ECONN|socket hang up/.test(String(error))) throw error;
}

const listed = (files: ReadonlyMap<string, string>, name: string) => JSON.parse(files.get(name)!) as object[];

/** All that every service knows of a person, by a link in a mail, until the person is erased. */
await describeTopologiesIfLong('the export of a person’s data', ({ name, open }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let zoe: Exporting;
  const api = (path: string, options: Parameters<typeof call>[1] = {}) =>
    call(`${system.baseUrl}/api${path}`, { token: zoe.token, ...options });
  beforeAll(async () => {
    ({ system, close } = await open());
    zoe = await Exporting.open(system, `zoe-${name}-${Date.now()}@export.test`);
  }, 400_000);
  afterAll(() => close());

  test('is a zip of what each service keeps, and of nobody else', async () => {
    const [free] = (await call(`${system.baseUrl}/api/courses?access=free`)).body.data as { id: string }[];
    const enroll = () => api('/account/enrollments', { json: { course_id: free!.id } });
    const { body: enrollment } = await inForce(patience, enroll, hasStatus(201));
    const lessons = (await api(`/account/enrollments/${enrollment.id}/lessons`)).body.data as { id: string }[];
    const learnt = `/account/enrollments/${enrollment.id}/lessons/${lessons[0]!.id}`;
    expect((await api(learnt, { method: 'PUT', json: { state: 'completed' } })).status).toBe(200);
    expect((await api('/account/notifications', { method: 'PATCH', json: { posts: false } })).status).toBe(200);
    const asked = await zoe.request();
    expect([asked.status, asked.body.status]).toEqual([202, 'requested']);
    const again = await zoe.request();
    expect([again.status, again.body.error]).toEqual([429, 'rate_limited']);
    const links = await zoe.links();
    expect(links).toHaveLength(1);
    const whole = (files: ReadonlyMap<string, string>) => listed(files, 'learning/progress.json').length === 1;
    const files = await inForce(patience, () => zoe.files(links[0]!), whole);
    const { records } = JSON.parse(files.get('index.json')!) as { records: Record<string, number> };
    expect(records).toMatchObject({
      'auth/account.json': 1,
      'auth/connected-apps.json': 1,
      'catalog/lecturer.json': 0,
      'learning/enrollments.json': 1,
      'learning/progress.json': 1,
      'media/uploads.json': 0,
      'school/member.json': 1,
      'school/notifications.json': 1,
    });
    expect(listed(files, 'auth/account.json')).toMatchObject([{ id: zoe.id, email: zoe.email }]);
    expect(listed(files, 'school/member.json')).toMatchObject([{ id: zoe.id, name: 'Zoë of the exports' }]);
    expect(listed(files, 'school/notifications.json')).toMatchObject([{ posts: false }]);
    expect(listed(files, 'learning/progress.json')).toMatchObject([{ lesson_id: lessons[0]!.id }]);
    expect(files.get('README.txt')).toContain('All that Lantern Craft School keeps about you');
    expect([...files.values()].join('\n')).not.toMatch(/@lantern\.test/);
  });

  test('is gone with the person', async () => {
    const [link] = await zoe.links();
    const erased = await call(`${system.operatorUrl}/internal/subjects/${zoe.id}/erase`, {
      method: 'POST',
      token: system.operatorToken,
      json: { school: zoe.school },
    });
    expect(erased.status).toBeLessThan(300);
    const gone = await inForce(
      patience,
      () => new Person().visit(link!),
      ({ status }) => status === 410,
    );
    expect(gone.status).toBe(410);
  });
});

describe('an export that is killed', () => {
  const { start, folder, systems } = ownSystems();

  test('before its mail is sent, and while it is downloaded: one mail, no half file, and all of it afterwards', async () => {
    const dataDir = await folder();
    const first = await start({ dataDir });
    const zoe = await Exporting.open(first, 'zoe@killed.test');
    const asked = await zoe.request();
    expect(asked.status).toBe(202);
    await systems.pop()!.kill();

    const second = await start({ dataDir, port: first.port });
    const [link, ...more] = await zoe.links();
    expect([typeof link, more]).toEqual(['string', []]);
    const before = await zoe.files(link!);
    const whole: boolean[] = [];
    const over = new AbortController();
    // What comes to its end is a whole zip: `unzipped` rejects any other.
    const download = async () => void whole.push((await unzipped(await zoe.download(link!))).has('index.json'));
    // One at a time: a second one of the same person would be told to wait.
    const downloading = (async () => {
      while (!over.signal.aborted) await download().catch(isBrokenOff);
    })();
    while (whole.length < 3) await sleep(5);
    await systems.pop()!.kill();
    over.abort();
    await downloading;
    expect([...new Set(whole)]).toEqual([true]);

    await start({ dataDir, port: second.port });
    const after = await zoe.files(link!);
    expect([...after.keys()]).toEqual([...before.keys()]);
    expect((await call(`${second.baseUrl}/api/account/export`, { token: zoe.token })).body).toMatchObject({
      status: 'requested',
      requested_at: asked.body.requested_at,
    });
    expect(await zoe.links()).toHaveLength(1);
  });
});
