import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Person, type Place, approve, call, describeTopologiesIfLong } from '@lyceum/testkit';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storedTokens, fileStore } from '../cli/index.ts';
import { type Change, SchoolError, followChanges, openSchool, pages } from '../index.ts';
import { program } from './program.ts';

/** The example program and the library under it, against the running system; a person signs in through the real pages. */
await describeTopologiesIfLong('the client', ({ open, lag }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let folder: string;
  let file: string;
  const email = 'owner@lantern.test';
  beforeAll(async () => {
    ({ system, close } = await open());
    folder = await mkdtemp(join(tmpdir(), 'lyceum-client-'));
    file = join(folder, 'logins.json');
  }, 180_000);
  afterAll(async () => {
    await close();
    await rm(folder, { recursive: true, force: true });
  });

  const run = async (...argv: string[]) => {
    const [said, noted]: [string[], string[]] = [[], []];
    const code = await program([...argv, '--school', system.baseUrl], {
      say: (line) => said.push(line),
      note: (line) => noted.push(line),
      open: async (url) => {
        const { left } = await approve(new Person(), url, email, system.password);
        expect((await fetch(left!)).status).toBe(200);
      },
      file,
      signal: AbortSignal.timeout(5_000),
    });
    return { code, said, noted };
  };
  const staffToken = async (scope: string) =>
    (await (await Client.register(system.baseUrl)).tokens(email, system.password, scope)).access_token;
  const someCourse = async () =>
    (await call(`${system.baseUrl}/api/courses?limit=1`)).body.data[0] as { id: string; slug: string };
  /** Takes a course back and publishes it again: two changes. */
  const stir = async (id: string, token: string) => {
    for (const step of ['unpublish', 'publish']) {
      const { headers } = await call(`${system.baseUrl}/api/courses/${id}`, { token });
      const match = { 'if-match': headers.get('etag')! };
      const done = await call(`${system.baseUrl}/api/courses/${id}/${step}`, { method: 'POST', token, headers: match });
      expect([step, done.status]).toEqual([step, 200]);
    }
  };
  const heardOf = async (
    id: string,
    count: number,
    options: Parameters<typeof followChanges>[1],
    begun: () => unknown,
  ) => {
    const end = new AbortController();
    const heard: Change[] = [];
    const following = followChanges(system.baseUrl, { ...options, signal: end.signal });
    const all = (async () => {
      for await (const { change } of following) {
        if ('course_id' in change.data && change.data.course_id === id) heard.push(change);
        if (heard.length === count) end.abort();
      }
    })();
    await begun();
    await all;
    return heard.map(({ type }) => type);
  };

  test('logs in by the browser page, lists the courses, and logs out for good', async () => {
    const before = await run('courses');
    expect(before.code).toBe(0);
    expect((await run('login')).said).toEqual([`Logged in at ${system.baseUrl}`]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const kept = JSON.parse(await readFile(file, 'utf8'))[system.baseUrl] as Record<string, string>;
    expect(Object.keys(kept).sort()).toEqual(['access_token', 'client_id', 'expires_at', 'refresh_token']);

    const { said } = await run('courses');
    expect(said.length).toBeGreaterThanOrEqual(before.said.length);
    expect(said.join('\n')).toContain((await someCourse()).slug);

    expect((await run('logout')).code).toBe(0);
    expect(JSON.parse(await readFile(file, 'utf8'))[system.baseUrl]).toEqual({ client_id: kept['client_id'] });
    const spent = await (
      await fetch(`${system.baseUrl}/api/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: kept['refresh_token']!,
          client_id: kept['client_id']!,
        }),
      })
    ).json();
    expect(spent).toMatchObject({ error: 'invalid_grant' });
  });

  test('fifty requests that need a new token at once use the refresh token once', async () => {
    await run('login');
    const store = fileStore(file);
    const kept = (await store.read(system.baseUrl))!;
    await store.write(system.baseUrl, { ...kept, expires_at: 0 });
    const sources = [storedTokens(system.baseUrl, store), storedTokens(system.baseUrl, fileStore(file))];
    const tokens = await Promise.all(Array.from({ length: 50 }, (_, n) => sources[n % 2]!()));
    expect(new Set(tokens).size).toBe(1);
    expect(tokens[0]).not.toBe(kept.access_token);
    const school = openSchool(system.baseUrl, { token: sources[0] });
    expect((await school.GET('/api/account')).response.status).toBe(200);
  });

  test('lists are read page by page, errors are values with a code', async () => {
    const school = openSchool(system.baseUrl);
    const slugs: string[] = [];
    for await (const { slug } of pages((cursor) =>
      school.GET('/api/courses', { params: { query: { limit: 1, ...(cursor ? { cursor } : {}) } } }),
    ))
      slugs.push(slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    const { error } = await school.GET('/api/courses/{course}', { params: { path: { course: 'course_none' } } });
    expect(error?.error).toBe('not_found');
  });

  test('the program tells what is wrong, and how it is used', async () => {
    const misused = await run('dance');
    expect([misused.code, misused.noted.join()]).toEqual([
      2,
      expect.stringMatching(/no command dance[^]*lyceum-school <command>/),
    ]);
    for (const asked of ['help', '--help', '-h'])
      expect(await run(asked)).toMatchObject({
        code: 0,
        said: [expect.stringContaining('lyceum-school <command>')],
        noted: [],
      });
    expect((await run('courses', '--loudly')).code).toBe(2);
    expect((await run('changes', '--after', 'nonsense')).noted.join()).toContain('invalid_request');
  });

  test('changes are heard as they happen, and again from the cursor before them', async () => {
    const token = await staffToken('courses:read courses:write');
    const { id } = await someCourse();
    const { body } = await call(`${system.baseUrl}/api/changes?after=now`);
    const types = ['CourseUnpublished', 'CoursePublished'];
    const live = await heardOf(id, 2, { after: body.next_cursor, types }, () => stir(id, token));
    expect(live).toEqual(types);
    expect(await heardOf(id, 2, { after: body.next_cursor, types }, () => {})).toEqual(live);
  });

  test('each type needs its scope: refused by name, left out otherwise; the public sees no members', async () => {
    const token = await staffToken('courses:read');
    const url = `${system.baseUrl}/api/changes`;
    const refused = await call(`${url}?types=MemberJoined`, { token });
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
    expect(refused.headers.get('www-authenticate')).toContain('scope="members:read"');
    const types = async (given?: string) =>
      new Set(
        ((await call(`${url}?limit=100`, given ? { token: given } : {})).body.data as Change[]).map(({ type }) => type),
      );
    const ofCourses = /^(Course|Price|SeatLimit|Lecturer(Assigned|Unassigned)$)/;
    expect([...(await types(token))].filter((type) => !ofCourses.test(type))).toEqual([]);
    expect([...(await types())].filter((type) => type.startsWith('Member'))).toEqual([]);
    const members = await staffToken('members:read');
    expect((await call(`${url}?types=MemberJoined`, { token: members })).status).toBe(200);
    const anonymous = followChanges(system.baseUrl, { types: ['Nothing'] });
    await expect(anonymous.next()).rejects.toThrow(SchoolError);
  });

  test('a revoked token ends its stream', async () => {
    const client = await Client.register(system.baseUrl);
    const { access_token: token } = await client.tokens(email, system.password, 'courses:read');
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` };
    const response = await fetch(`${system.baseUrl}/api/changes?after=now`, { headers });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = response.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    await client.revoke(token);
    const began = Date.now();
    while (!(await reader.read()).done);
    expect(Date.now() - began).toBeLessThan(5_000 + lag);
  });

  test('nobody holds more than five streams', async () => {
    const token = await staffToken('courses:read');
    const end = new AbortController();
    const open = () =>
      fetch(`${system.baseUrl}/api/changes?after=now`, {
        headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
        signal: end.signal,
      });
    for (let n = 0; n < 5; n += 1) expect((await open()).status).toBe(200);
    const sixth = await open();
    expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([429, '10']);
    end.abort();
  });
});
