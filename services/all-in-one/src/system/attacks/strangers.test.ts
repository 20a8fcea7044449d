import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, type Place, call, demoHistory, describeWithHistory, patience } from '@lyceum/testkit';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type DocumentedRead, documentedReads, markedFields } from '../../testing/attacks/hidden-fields.ts';
import { inForce } from '../../testing/in-force.ts';

/** What a student of the list has. */
interface Student {
  readonly id: string;
  readonly enrollments: readonly Readonly<Record<string, string | null>>[];
}

/** Whoever has no token, or only a member's, asks for everything that there is. */
await describeWithHistory('strangers', ({ open }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let document: Record<string, unknown>;
  let staff: string;
  let student: string;
  let outsider: string;
  let ids: Readonly<Record<string, readonly string[]>>;
  /** Addresses of other people, which only staff may see. */
  let addresses: readonly string[];
  const get = (path: string, token?: string) => call(`${system.baseUrl}${path}`, token === undefined ? {} : { token });
  const idsIn = async (path: string): Promise<readonly string[]> =>
    (await get(path, staff)).body.data.map(({ id }: { id: string }) => id);

  beforeAll(async () => {
    ({ system, close } = await open());
    const tokenOf = async (base: string, email: string) => {
      const client = await Client.register(base);
      const { scopes_supported } = (await call(`${base}/.well-known/oauth-authorization-server`)).body;
      return (await client.tokens(email, system.password, scopes_supported.join(' '))).access_token;
    };
    staff = await tokenOf(system.baseUrl, 'owner@lantern.test');
    student = await tokenOf(system.baseUrl, 'student@lantern.test');
    outsider = await tokenOf(system.northQuayUrl, 'owner@northquay.test');
    document = (await get('/openapi.json')).body;
    await demoHistory(system);
    ids = await known();
    const { data } = (await get('/api/members?limit=100', staff)).body;
    const others = data.filter(({ email }: { email: string | null }) => email !== 'student@lantern.test');
    addresses = others.flatMap(({ email }: { email: string | null }) => email ?? []);
  }, 600_000);
  afterAll(() => close());

  /** Ids of all that there is, by the names that paths have for them. */
  async function known(): Promise<typeof ids> {
    const courses = await idsIn('/api/courses?limit=100');
    const lessons = await Promise.all(
      courses.map(async (course) => {
        const { sections } = (await get(`/api/courses/${course}/curriculum`, staff)).body;
        return sections.flatMap((section: { lessons: { id: string }[] }) => section.lessons.map(({ id }) => id));
      }),
    );
    const listed = async (): Promise<readonly Student[]> => (await get('/api/students?limit=100', staff)).body.data;
    // Who learns what is known to the list a moment after the start.
    const students = await inForce(patience, listed, (data) => data.length > 0);
    const present = (name: string): readonly string[] =>
      students.flatMap(({ enrollments }) => enrollments.flatMap((each) => each[name] ?? []));
    return {
      course: courses,
      lesson: lessons.flat(),
      lecturer: await idsIn('/api/lecturers?limit=100'),
      product: await idsIn('/api/digital_products?limit=100'),
      member: await idsIn('/api/members?limit=100'),
      student: students.map(({ id }) => id),
      enrollment: present('id'),
      certificate: present('certificate_id'),
    };
  }

  /** Addresses of a read: with a few ids of each kind, and with all that it shows whole when it is asked to. */
  function addressesOf({ path, expansions }: DocumentedRead): readonly string[] {
    const fill = (turn: number) =>
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        const all = ids[name] ?? ['unknown'];
        return all[turn % Math.max(1, all.length)] ?? 'unknown';
      });
    const filled = path.includes('{') ? [...new Set([0, 1, 2].map(fill))] : [path];
    const expand = expansions.length > 0 ? `?expand=${expansions.join(',')}` : undefined;
    return filled.flatMap((each) => (expand === undefined ? [each] : [each, `${each}${expand}`]));
  }

  // Streams, and what belongs to a browser, have no views.
  const reads = () => documentedReads(document).filter(({ path }) => /^\/(api|certificates)\//.test(path));

  /** Every address with what is wrong with its answer; and how many answers had something in them. */
  async function crawl(token: string | undefined, hidden: ReadonlySet<string>) {
    const wrong: string[] = [];
    let answered = 0;
    const marked = new Set<string>();
    for (const read of reads())
      for (const address of addressesOf(read)) {
        const { status, body } = await get(address, token);
        if (!read.statuses.includes(String(status))) wrong.push(`${address}: ${status} is not documented`);
        if (status !== 200) continue;
        answered += 1;
        for (const { at, sees } of markedFields(body, read.schema, document)) {
          marked.add(`${read.path}${at.replaceAll(/\[\d+\]/g, '[]')}`);
          if (hidden.has(sees)) wrong.push(`${address}: ${at} is for ${sees}`);
        }
        const text = JSON.stringify(body);
        if (hidden.has('staff'))
          for (const email of addresses) if (text.includes(email)) wrong.push(`${address}: ${email}`);
      }
    return { wrong, answered, marked };
  }

  test('anonymous crawl of every documented GET: zero S or M fields (schema-driven)', async () => {
    expect(reads().length).toBeGreaterThan(25);
    const { wrong, answered } = await crawl(undefined, new Set(['member', 'staff']));
    expect(wrong).toEqual([]);
    expect(answered).toBeGreaterThan(15);
  });

  test('a member crawls every documented GET: zero S fields', async () => {
    const { wrong, answered } = await crawl(student, new Set(['staff']));
    expect(wrong).toEqual([]);
    expect(answered).toBeGreaterThan(15);
  });

  test('the owner crawls the same and finds the fields that others do not: the crawl can fail', async () => {
    const { wrong, marked } = await crawl(staff, new Set());
    expect(wrong).toEqual([]);
    expect([...marked]).toEqual(
      expect.arrayContaining(['/api/courses.data[].internal_note', '/api/members.data[].email']),
    );
    expect(marked.size).toBeGreaterThan(20);
  });

  test('the change feed tells a member and a visitor nothing of who learns what', async () => {
    const types = ['AccessGranted', 'LessonCompleted', 'EnrollmentCompleted', 'MemberJoined'];
    const feed = async (token?: string) => (await get(`/api/changes?limit=100&types=${types.join(',')}`, token)).body;
    const json = { course_id: ids['course']!.at(-1)!, expires_at: null };
    const at = `${system.baseUrl}/api/students/${ids['student']!.at(-1)!}/enrollments`;
    // Another run on this system may have enrolled them.
    expect([201, 409]).toContain((await call(at, { token: staff, json })).status);
    const told = await inForce(
      patience,
      () => feed(staff),
      ({ data }) => data.length > 0,
    );
    expect(told.data.length).toBeGreaterThan(0);
    for (const token of [undefined, student]) {
      expect((await feed(token)).data ?? []).toEqual([]);
      const all = (await get('/api/changes?limit=100', token)).body;
      expect(all.data.filter(({ type }: { type: string }) => types.includes(type))).toEqual([]);
    }
    expect((await get('/api/changes', outsider)).status).toBe(401);
  });

  test('the tools of agents do for a member what the API does: nothing of others, no writing, no other school', async () => {
    const connect = async (token: string) => {
      const client = new McpClient({ name: 'test', version: '1.0.0' });
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${system.baseUrl}/mcp`), { requestInit }));
      return client;
    };
    const client = await connect(student);
    const idempotency_key = `key-${Date.now()}`;
    const member_id = ids['student']![0]!;
    const course = ids['course']![0]!;
    const refused = [
      ['list_students', {}],
      ['enroll_student', { course, member_id, idempotency_key }],
      ['upsert_course', { fields: { title: 'Mine' }, idempotency_key }],
      ['publish_course', { id: course, idempotency_key }],
    ] as const;
    for (const [name, args] of refused) {
      const said = await client.callTool({ name, arguments: args });
      expect([name, said.isError]).toEqual([name, true]);
    }
    const own = await client.callTool({ name: 'list_my_courses', arguments: {} });
    expect(addresses.some((email) => JSON.stringify(own).includes(email))).toBe(false);
    const drafts = await get('/api/courses?status=draft', staff);
    const found = await client.callTool({
      name: 'lookup_courses',
      arguments: { ids: drafts.body.data.map(({ id }: { id: string }) => id).slice(0, 10) },
    });
    expect((found.structuredContent as { courses: unknown[] }).courses).toEqual([]);
    await client.close();
    await expect(connect(outsider)).rejects.toThrow();
  });
});
