import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client as Registered, type Place, call, describeTopologies, patience } from '@lyceum/testkit';
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { inForce } from '../../testing/in-force.ts';

/** What an answer says. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects of an answer by asserting it
type Said = any;

/** What the clients of both packages have in common, as far as it is used here. */
interface Host {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: object): Promise<{ structuredContent?: Said; content?: Said; isError?: boolean; _meta?: Said }>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(asked: { uri: string }): Promise<{ contents: { text?: string; mimeType?: string }[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(asked: object): Promise<{ messages: { content: Said }[] }>;
  complete(asked: object): Promise<{ completion: { values: string[] } }>;
  close(): Promise<void>;
}

type Connect = (url: string, token?: string) => Promise<Host>;

const sending = (token: string | undefined) =>
  token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } };
const info = { name: 'test', version: '1.0.0' };

const first: Connect = async (url, token) => {
  const client = new Client1(info);
  await client.connect(new Transport1(new URL(url), sending(token)) as never);
  return client as unknown as Host;
};

const second =
  (mode: 'auto' | 'legacy'): Connect =>
  async (url, token) => {
    const client = new Client2(info, mode === 'auto' ? { versionNegotiation: { mode: 'auto' } } : {});
    await client.connect(new Transport2(new URL(url), sending(token)));
    return client as unknown as Host;
  };

/** The official clients at the server of a school: whoever signs in sees more by the same tools. */
await describeTopologies('the MCP server', ({ open }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let token: string;
  beforeAll(async () => {
    ({ system, close } = await open());
    const client = await Registered.register(system.baseUrl);
    const scope =
      'courses:read courses:write curriculum:read curriculum:write account:read account:write lecturers:read school:read';
    ({ access_token: token } = await client.tokens('owner@lantern.test', system.password, scope));
  }, 400_000);
  afterAll(() => close());

  const url = () => `${system.baseUrl}/mcp`;
  const clients: [string, Connect][] = [
    ['@modelcontextprotocol/sdk 1', first],
    ['@modelcontextprotocol/client 2, as of 2025', second('legacy')],
    ['@modelcontextprotocol/client 2, as of 2026', second('auto')],
  ];

  test.each(clients)('%s lists, calls, reads, completes and pages without a token', async (_, connect) => {
    const host = await connect(url());
    const { tools } = await host.listTools();
    expect(tools.map(({ name }) => name)).toContain('search_courses');
    expect(tools.map(({ name }) => name)).not.toContain('upsert_course');

    const slugs: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 20; pages += 1) {
      const page = await host.callTool({
        name: 'search_courses',
        arguments: { limit: 1, ...(cursor === undefined ? {} : { cursor }) },
      });
      slugs.push(...page.structuredContent.items.map(({ slug }: { slug: string }) => slug));
      cursor = page.structuredContent.next_cursor ?? undefined;
      if (cursor === undefined) break;
    }
    const { body } = await call(`${system.baseUrl}/api/courses?limit=100`);
    const listed: readonly string[] = body.data.map(({ slug }: { slug: string }) => slug);
    // Other suites publish courses meanwhile.
    expect(slugs).toEqual(listed.filter((slug) => slugs.includes(slug)));
    expect(slugs).toEqual(expect.arrayContaining(['winter-group', 'field-guide', 'first-steps', 'foundations']));

    const { resources } = await host.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['school://catalog', 'school://pricing', 'school://llms']);
    for (const { uri } of resources) expect((await host.readResource({ uri })).contents[0]?.text).toBeTruthy();
    const one = await host.readResource({ uri: `school://courses/${slugs[0]}` });
    expect(one.contents.map(({ mimeType }) => mimeType)).toEqual(['application/json', 'text/markdown']);
    // Clients of version 2 say -32602 themselves, whatever they were told.
    const absent = connect === first ? -32002 : -32602;
    await expect(host.readResource({ uri: 'school://courses/nothing-here' })).rejects.toMatchObject({ code: absent });

    expect((await host.listPrompts()).prompts).toHaveLength(3);
    const prompt = await host.getPrompt({ name: 'recommend_course', arguments: { goal: 'fold lanterns' } });
    expect(prompt.messages[0]?.content.text).toContain('fold lanterns');
    const ref = { type: 'ref/resource', uri: 'school://courses/{slug}' };
    const value = slugs[0]!.slice(0, 3);
    const completed = await host.complete({ ref, argument: { name: 'slug', value } });
    expect(completed.completion.values).toContain(slugs[0]);

    const account = await host.callTool({ name: 'get_my_account', arguments: {} });
    expect(account.isError).toBe(true);
    expect(account._meta['mcp/www_authenticate'][0]).toContain(
      `resource_metadata="${system.baseUrl}/.well-known/oauth-protected-resource/mcp"`,
    );
    await host.close();
  });

  test.each(clients)('%s tells people what they learn, and with which lesson they go on', async (_, connect) => {
    // Courses of other suites have seats.
    const { id: course_id, title } = (await call(`${system.baseUrl}/api/courses/first-steps`)).body;
    const enroll = () => call(`${system.baseUrl}/api/account/enrollments`, { token, json: { course_id } });
    const enrolled = await inForce(patience, enroll, ({ status }) => status === 201 || status === 409);
    expect([201, 409]).toContain(enrolled.status);
    const host = await connect(url(), token);
    const list = async () =>
      (await host.callTool({ name: 'list_my_courses', arguments: {} })).structuredContent.items as Said[];
    const isMine = (item: Said): boolean => item.course_id === course_id;
    const mine = (await inForce(patience, list, (items) => items.some(isMine))).find(isMine)!;
    expect(mine).toMatchObject({ course_id, title, state: 'active', progress: { completed: 0, percent: 0 } });
    expect(mine.progress.required).toBeGreaterThan(0);
    expect(mine.next_lesson).toMatchObject({ id: expect.stringMatching(/^lesson_/), title: expect.any(String) });
    await host.close();
  });

  test('those who run the school read by it what is sold: orders, memberships, coupons within 5 s, which others are not told of', async () => {
    const staff = await Registered.register(system.baseUrl);
    const scope =
      'account:read courses:read orders:read coupons:read coupons:write subscriptions:read subscriptions:write membership_plans:read membership_plans:write';
    const { access_token: own } = await staff.tokens('owner@lantern.test', system.password, scope);
    const api = (path: string, json?: object) =>
      call(`${system.baseUrl}/api${path}`, { token: own, ...(json ? { json } : {}) });
    const host = await second('auto')(url(), own);
    const tool = async (name: string, args: object = {}) =>
      (await host.callTool({ name, arguments: args })).structuredContent;

    const { data: orders } = (await api('/orders?limit=5')).body;
    const listed = (await tool('list_orders', { limit: 5 })).items;
    expect(listed.map(({ id, total }: Said) => [id, total])).toEqual(orders.map(({ id, total }: Said) => [id, total]));
    expect(listed.length).toBeGreaterThan(0);

    const plan = (
      await api('/membership_plans', { name: 'Told by MCP', price: { amount: 700 }, grants: { posts: true } })
    ).body;
    await api(`/membership_plans/${plan.id}/publish`, {});
    const { sub } = (await api('/account')).body;
    const given = await api('/subscriptions', { member_id: sub, plan_id: plan.id });
    expect(given.status).toBe(201);
    const mine = async () => (await tool('list_my_subscriptions')).items.map(({ id }: Said) => id) as string[];
    expect(await inForce(patience, mine, (ids) => ids.includes(given.body.id))).toContain(given.body.id);

    const code = `MCP${plan.id.slice(-8)}`.toUpperCase();
    expect((await api('/coupons', { code, kind: 'percent', value: 10 })).status).toBe(201);
    const codes = async () =>
      ((await tool('list_offers', { kind: 'coupon' })).coupons as Said[]).map((coupon) => coupon.code as string);
    expect(await inForce(5_000, codes, (all) => all.includes(code))).toContain(code);
    await host.close();
    for (const other of [undefined, token]) {
      const stranger = await second('auto')(url(), other);
      const { structuredContent } = await stranger.callTool({ name: 'list_offers', arguments: { kind: 'coupon' } });
      expect(structuredContent).toMatchObject({ items: [], next_cursor: null });
      expect(structuredContent).not.toHaveProperty('coupons');
      await stranger.close();
    }
  });

  test.each(clients)('%s enrolls for the staff, and its student goes on with the next lesson', async (_, connect) => {
    const registered = await Registered.register(system.baseUrl);
    const tokenOf = async (email: string, scope: string) =>
      (await registered.tokens(email, system.password, scope)).access_token;
    const staff = await tokenOf(
      'owner@lantern.test',
      'courses:read courses:write curriculum:write lecturers:read students:read students:write',
    );
    const own = await tokenOf('lecturer@lantern.test', 'openid account:read account:write');
    const send = async (path: string, json: object = {}) => {
      const { status, body } = await call(`${system.baseUrl}/api${path}`, { token: staff, json });
      expect([path, status < 300]).toEqual([path, true]);
      return body;
    };
    const { body: lecturers } = await call(`${system.baseUrl}/api/lecturers`);
    const course = await send('/courses', { title: 'In two steps', lecturer_ids: [lecturers.data[0].id] });
    const section = await send(`/courses/${course.id}/sections`, { title: 'All' });
    for (const title of ['First', 'Second']) {
      const lesson = await send(`/courses/${course.id}/lessons`, { section_id: section.id, title, type: 'text' });
      await send(`/courses/${course.id}/lessons/${lesson.id}/publish`);
    }
    await send(`/courses/${course.id}/publish`);

    const [teacher, student] = [await connect(url(), staff), await connect(url(), own)];
    const { body: account } = await call(`${system.baseUrl}/api/account`, { token: own });
    const given = { course: course.id, member_id: account.sub, idempotency_key: `key-${Math.random()}` };
    const enroll = () => teacher.callTool({ name: 'enroll_student', arguments: given });
    const enrolled = await inForce(patience, enroll, ({ isError }) => !isError);
    expect(enrolled.structuredContent).toMatchObject({ student_id: account.sub, invited: false });
    const list = async () =>
      (await teacher.callTool({ name: 'list_students', arguments: { course: course.id } })).structuredContent.items;
    // Members of the demo have a plan that opens every course.
    const isTheirs = ({ id }: Said): boolean => id === account.sub;
    const found = await inForce(patience, list, (items: Said[]) => items.some(isTheirs));
    expect(found.filter(isTheirs)).toMatchObject([{ email: 'lecturer@lantern.test' }]);

    const mine = async () => {
      const { structuredContent } = await student.callTool({ name: 'list_my_courses', arguments: {} });
      return structuredContent.items.find((item: Said) => item.course_id === course.id);
    };
    const first = await inForce(
      patience,
      mine,
      (item: Said) => item?.next_lesson !== undefined && item.next_lesson !== null,
    );
    expect(first).toMatchObject({ progress: { completed: 0, required: 2 }, next_lesson: { title: 'First' } });
    const at = `${system.baseUrl}/api/account/enrollments/${first.enrollment_id}/lessons/${first.next_lesson.id}`;
    expect((await call(at, { method: 'PUT', token: own, json: { state: 'completed' } })).status).toBe(200);
    const next = await inForce(patience, mine, (item: Said) => item.progress.completed === 1);
    expect(next).toMatchObject({ progress: { percent: 50 }, next_lesson: { title: 'Second' } });
    await Promise.all([teacher.close(), student.close()]);
  });

  test.each(clients)('%s sees more with a token, and writes', async (_, connect) => {
    const host = await connect(url(), token);
    const account = await host.callTool({ name: 'get_my_account', arguments: {} });
    expect(account.structuredContent.account).toMatchObject({ email: 'owner@lantern.test', role: 'owner' });
    const { tools } = await host.listTools();
    expect(tools.map(({ name }) => name)).toContain('upsert_course');

    const found = await host.callTool({ name: 'search_courses', arguments: { limit: 50 } });
    expect(found.structuredContent.view).toEqual({ as: 'staff', scopes_used: ['courses:read'] });
    expect(found.structuredContent.items.some(({ status }: { status: string }) => status === 'draft')).toBe(true);

    const { body: lecturers } = await call(`${system.baseUrl}/api/lecturers`);
    const fields = { title: 'Kites over the sea', access: 'free', lecturer_ids: [lecturers.data[0].id] };
    const args = { fields, idempotency_key: `key-${Math.random()}` };
    const created = await host.callTool({ name: 'upsert_course', arguments: args });
    const again = await host.callTool({ name: 'upsert_course', arguments: args });
    expect(created.structuredContent).toMatchObject({ version: 2, course: { status: 'draft' } });
    expect(again.structuredContent.course.id).toBe(created.structuredContent.course.id);
    const { id } = created.structuredContent.course;
    const write = (name: string, given: object) =>
      host.callTool({ name, arguments: { ...given, idempotency_key: `key-${Math.random()}` } });
    const refused = await write('publish_course', { id });
    expect(refused.isError).toBe(true);
    const [{ text }] = refused.content;
    for (const tool of ['upsert_section', 'upsert_lesson', 'publish_lesson']) expect(text).toContain(tool);

    const section = await write('upsert_section', { course: id, title: 'Wind' });
    const section_id = section.structuredContent.section.id;
    const lesson = { title: 'The bridle', body: 'Tie it.\n\nPull it.', release: { type: 'after_days', days: 2 } };
    const added = await write('upsert_lesson', { course: id, section_id, fields: lesson });
    expect(added.structuredContent.lesson).toMatchObject({ status: 'draft', release: lesson.release });
    const lesson_id = added.structuredContent.lesson.id;
    const { version } = (await write('publish_lesson', { course: id, id: lesson_id })).structuredContent;
    const sections = [{ id: section_id, lessons: [lesson_id] }];
    expect((await write('order_curriculum', { course: id, sections, version })).isError).toBeFalsy();
    expect((await write('publish_course', { id })).structuredContent?.course.status).toBe('published');
    await host.close();
  });

  test('RFC 9728 §3.3: the metadata of the server names the server, and both challenges name the metadata', async () => {
    const bad = await call(url(), { token: 'nonsense', json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    expect([bad.status, bad.body.error]).toEqual([401, 'invalid_token']);
    const [, named] = /resource_metadata="([^"]+)"/.exec(bad.headers.get('www-authenticate') ?? '') ?? [];
    const { body } = await call(named!);
    expect(body).toMatchObject({ resource: url(), authorization_servers: [system.baseUrl] });
    expect(body.scopes_supported).not.toContain('courses:write');
  });
});
