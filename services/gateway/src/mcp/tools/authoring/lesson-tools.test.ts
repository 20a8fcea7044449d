import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestService, auth, catalog, courses, give, school } from '../../testing/catalog.ts';
import { type McpTestServer, type Said, openMcpTestServer } from '../../testing/mcp-test-server.ts';

const key = { idempotency_key: 'key-00000001' };
const course = courses[0]!;

describe('a course that MCP begins', () => {
  let edge: McpTestServer;
  let token: string;
  beforeEach(async () => {
    edge = await openMcpTestServer({ auth, catalog, school });
    token = await edge.school.token({ role: 'lecturer' });
  });
  afterEach(() => edge.close());

  const call = async (name: string, args: object, at = edge) =>
    (await at.modern('tools/call', { name, arguments: { ...args, ...key } }, { token })).body['result'] as Said;
  const written = () => edge.seen.filter(({ method }) => method !== 'GET').map(({ method, url }) => `${method} ${url}`);

  test('is given sections and lessons, in order and published, by the operations of the API', async () => {
    const of = { course: 'course-0' };
    for (const [name, args] of [
      ['upsert_section', { ...of, title: 'Wind' }],
      ['upsert_section', { ...of, id: 'section_1', title: 'Sea', confirm: true }],
      [
        'upsert_lesson',
        { ...of, section_id: 'section_1', fields: { title: 'The bridle', release: { type: 'immediate' } } },
      ],
      ['upsert_lesson', { ...of, id: 'lesson_1', fields: { preview: true }, confirm: true }],
      ['order_curriculum', { ...of, sections: [{ id: 'section_1', lessons: ['lesson_1'] }], version: 3 }],
      ['publish_lesson', { ...of, id: 'lesson_1' }],
    ] as const) {
      const said = await call(name, args);
      expect([name, said['isError'], said['structuredContent']?.version]).toEqual([name, undefined, 3]);
    }
    const path = `/api/courses/${course.id}`;
    expect(written()).toEqual([
      `POST ${path}/sections`,
      `PATCH ${path}/sections/section_1`,
      `POST ${path}/lessons`,
      `PATCH ${path}/lessons/lesson_1`,
      `PUT ${path}/curriculum/order`,
      `POST ${path}/lessons/lesson_1/publish`,
    ]);
    const changes = edge.seen.filter(({ method }) => method !== 'GET');
    for (const { headers } of changes) expect(headers['idempotency-key']).toBe('"key-00000001"');
    expect(changes.find(({ method }) => method === 'PUT')!.headers['if-match']).toBe('"3"');
  });

  test.each([
    ['upsert_section', { id: 'section_1', title: 'Sea' }],
    ['upsert_lesson', { id: 'lesson_1', fields: { title: 'Knots' } }],
  ])('%s overwrites nothing before the person has agreed', async (name, args) => {
    const said = await call(name, { course: 'course-0', ...args });
    expect([said['isError'], said['content'][0].text]).toEqual([true, expect.stringContaining('confirm: true')]);
    expect(written()).toEqual([]);
  });

  test.each([
    ['lesson_missing', ['upsert_section', 'upsert_lesson', 'publish_lesson']],
    ['price_missing', ['upsert_course']],
    ['lecturer_missing', ['upsert_course']],
  ])('a refusal for %s names the tools that mend it', async (code, tools) => {
    const body = { error: 'not_ready', error_description: 'It is not complete', details: [{ code }] };
    const refusing: TestService = (request) => (request.method === 'GET' ? catalog(request) : give(409, body));
    const strict = await openMcpTestServer({ catalog: refusing }, { issuer: edge.school.issuer });
    token = await strict.school.token({ role: 'lecturer' });
    const said = await call('publish_course', { id: 'course-0' }, strict);
    await strict.close();
    expect(said['isError']).toBe(true);
    for (const tool of tools) expect(said['content'][0].text).toContain(tool);
  });

  test('a field of a course that nobody can write is refused with its name', async () => {
    const said = await call('upsert_course', { fields: { title: 'New', colour: 'red' } });
    expect([said['isError'], said['content'][0].text]).toEqual([true, expect.stringContaining('colour')]);
    expect(written()).toEqual([]);
  });
});

describe('what agents are told', () => {
  test('the list of all tools stays below 12,000 tokens, and says which fields of a course can be written', async () => {
    const edge = await openMcpTestServer();
    const { body } = await edge.legacy('tools/list', {}, await edge.school.token());
    await edge.close();
    const { tools } = body['result'];
    expect(JSON.stringify(tools).length / 4).toBeLessThanOrEqual(12_000);
    const { inputSchema } = tools.find(({ name }: { name: string }) => name === 'upsert_course');
    expect(Object.keys(inputSchema.properties.fields.properties)).toEqual(
      expect.arrayContaining(['title', 'description', 'access', 'prices', 'lecturer_ids']),
    );
    expect(inputSchema.properties.fields.additionalProperties).toBe(false);
  });

  test('descriptions are Markdown and prices are words; the blocks are there for those who ask', async () => {
    const blocks = [{ type: 'paragraph', text: [{ text: 'Fold ' }, { text: 'paper', marks: ['bold'] }] }];
    const known: Readonly<Record<string, object>> = {
      paid: { ...course, description: blocks },
      open: { ...course, description: blocks, access: 'open', prices: [] },
    };
    const edge = await openMcpTestServer({
      catalog: ({ path }) => give(200, { ...known[path.split('/').at(-1)!], view: 'anonymous' }),
    });
    const call = async (name: string, args: object) =>
      (await edge.modern('tools/call', { name, arguments: args })).body['result'].structuredContent as Said;
    const { text } = await call('fetch', { id: 'paid' });
    expect([text.includes('Fold **paper**'), text.includes('Price: $49.00')]).toEqual([true, true]);
    expect((await call('fetch', { id: 'open' }))['text']).not.toMatch(/Price: open/i);
    const got = await call('get_course', { id: 'paid', include: ['description_blocks'] });
    expect([got['course'].description, got['description_blocks']]).toEqual(['Fold **paper**', blocks]);
    await edge.close();
  });
});
