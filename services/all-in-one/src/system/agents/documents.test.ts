import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { clientLifetimes, errors, scopeNames } from '@lyceum/contracts';
import fc from 'fast-check';
import { contradictions, limitsOf } from '../../testing/agents/schema-limits.ts';
import { declaredIn, hostileRequests } from '../../testing/attacks/hostile-request.ts';
import { Client, type System, call, startSystem, until } from '@lyceum/testkit';

/** What the documents of a school say is what a running system does. */
describe('the documents of a school', () => {
  let system: System;
  const texts: Record<string, string> = {};
  beforeAll(async () => {
    system = await startSystem({ env: { RATE_LIMIT_FACTOR: '1000' } });
    for (const path of ['/auth.md', '/llms.txt', '/pricing.md', '/', '/.well-known/api-catalog'])
      texts[path] = await (await fetch(system.baseUrl + path)).text();
  }, 400_000);
  afterAll(() => system.stop());

  const addressesIn = (text: string): readonly string[] => [
    ...new Set([...text.matchAll(/https?:\/\/[^\s"'<>)`\\]+/g)].map(([url]) => url.replace(/[.,;:]+$/, ''))),
  ];

  test('every address of the school in them answers, and none fails', async () => {
    const own = Object.values(texts)
      .flatMap(addressesIn)
      .filter((url) => url.startsWith(system.baseUrl) && !url.includes('CLIENT_ID'));
    expect(own.length).toBeGreaterThan(20);
    const onlyPost = ['/api/oauth/register', '/api/oauth/token', '/api/oauth/revoke', '/mcp', '/mcp/oauth'];
    for (const url of new Set(own)) {
      const { status } = await fetch(url, { redirect: 'manual' });
      const { pathname } = new URL(url);
      expect([url, onlyPost.includes(pathname) ? 405 : [200, 302, 303].includes(status) ? status : 200]).toEqual([
        url,
        status,
      ]);
    }
  });

  test('the description names every shape that appears twice, and says null only beside a type', async () => {
    const { paths, components } = (await call(`${system.baseUrl}/openapi.json`)).body as Record<string, object>;
    const places = new Map<string, string[]>();
    const untyped: string[] = [];
    const walk = (part: unknown, at: string): void => {
      if (typeof part !== 'object' || part === null) return;
      const { nullable, type, properties, anyOf, oneOf } = part as Record<string, unknown>;
      if (nullable === true && type === undefined) untyped.push(at);
      const shape = JSON.stringify(part);
      if ((properties ?? anyOf ?? oneOf) && shape.length > 100) places.set(shape, [...(places.get(shape) ?? []), at]);
      for (const [name, inner] of Object.entries(part)) walk(inner, `${at}/${name}`);
    };
    walk({ paths, schemas: (components as { schemas: object }).schemas }, '');
    expect(places.size).toBeGreaterThan(50);
    expect([...places.values()].filter((found) => found.length > 1)).toEqual([]);
    expect(untyped).toEqual([]);
  });

  test('the MCP tools that write take what the operations take: the same fields, values and limits', async () => {
    const document = (await call(`${system.baseUrl}/openapi.json`)).body;
    const { schemas } = document.components as { schemas: Record<string, object> };
    const client = await Client.register(system.baseUrl);
    const { access_token } = await client.tokens(
      'owner@lantern.test',
      system.password,
      'courses:write curriculum:write',
    );
    const answer = await fetch(`${system.baseUrl}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${access_token}`,
        'content-type': 'application/json',
        accept: 'application/json',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    const { result } = (await answer.json()) as {
      result: { tools: { name: string; inputSchema: { properties: object } }[] };
    };
    const inputOf = (name: string) => {
      const { inputSchema } = result.tools.find((tool) => tool.name === name)!;
      return limitsOf(inputSchema as never, inputSchema as never).properties;
    };
    const bodyOf = (name: string) => limitsOf(schemas[name] as never, document as never);
    const without = (limits: ReturnType<typeof bodyOf>, ...names: string[]) => ({
      ...limits,
      properties: Object.fromEntries(Object.entries(limits.properties).filter(([name]) => !names.includes(name))),
    });
    // Texts in blocks and quizzes are described loosely, since models write them better by an example than by their schema.
    const loose = ['description', 'body', 'quiz'];
    const course = without(inputOf('upsert_course')['fields']!, ...loose);
    const lesson = without(inputOf('upsert_lesson')['fields']!, ...loose);
    const { title, release } = inputOf('upsert_section') as Record<string, ReturnType<typeof bodyOf>>;
    const section = { ...bodyOf('ChangeSection'), properties: { title: title!, release: release! } };
    expect([
      ...contradictions(course, without(bodyOf('CreateCourse'), ...loose), 'new course'),
      ...contradictions(course, without(bodyOf('ChangeCourse'), ...loose), 'course'),
      // Files are uploaded, which no tool can do.
      ...contradictions(lesson, without(bodyOf('ChangeLesson'), 'file', ...loose), 'lesson'),
      ...contradictions(lesson, without(bodyOf('AddLesson'), 'file', 'section_id', 'position', ...loose), 'new lesson'),
      ...contradictions(section, bodyOf('ChangeSection'), 'section'),
    ]).toEqual([]);
    for (const [tool, body] of [
      [inputOf('upsert_course')['fields']!, 'ChangeCourse'],
      [inputOf('upsert_lesson')['fields']!, 'ChangeLesson'],
    ] as const)
      for (const name of loose.filter((each) => tool.properties[each] || bodyOf(body).properties[each]))
        expect([name, tool.properties[name]?.nullable]).toEqual([name, bodyOf(body).properties[name]?.nullable]);
  });

  test('the description begins with the areas, ends with the protocol, and says what each is about', async () => {
    const { tags } = (await call(`${system.baseUrl}/openapi.json`)).body as {
      tags: { name: string; description: string }[];
    };
    expect(tags.map(({ name }) => name).join(' ')).toBe(
      'courses curriculum lecturers digital_products membership_plans events coupons storage students orders checkout pages posts comments forms form_pages subscriptions analytics certificates school appearance members account changes discovery oauth',
    );
    for (const { description } of tags) expect(description).toMatch(/^[A-Z].{10}/);
  });

  test('the scopes of the guide are those of the metadata', async () => {
    const { scopes_supported } = (await call(`${system.baseUrl}/.well-known/oauth-authorization-server`)).body;
    const told = [...texts['/auth.md']!.matchAll(/^\| `([a-z_:]+)` \| [A-Z]/gm)].map(([, name]) => name);
    expect(told).toEqual(scopes_supported);
    expect(told).toEqual(scopeNames);
    expect(texts['/auth.md']).toContain('| `courses:write` | Write courses | operations of the API |');
    expect(texts['/auth.md']).toContain('| `forms:read` | Read forms | operations of the API |');
  });

  test('the errors of the guide have the statuses of the table', () => {
    const rows = [...texts['/auth.md']!.matchAll(/^\| `([a-z_]+)` \| (\d{3}) \|/gm)];
    expect(rows.map(([, code]) => code)).toEqual(Object.keys(errors));
    for (const [, code, status] of rows) expect(errors[code as keyof typeof errors].status).toBe(Number(status));
  });

  test('an access token lives as long as the guide says, and a refused registration is refused so', async () => {
    const client = await Client.register(system.baseUrl);
    const tokens = await client.tokens('owner@lantern.test', system.password, 'openid courses:read');
    expect(tokens.expires_in).toBe(clientLifetimes.accessToken);
    expect(texts['/auth.md']).toContain(`An access token lives ${tokens.expires_in / 60} minutes`);
    const refused = await fetch(`${system.baseUrl}/api/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['https://app.example/callback'] }),
    });
    const { error } = (await refused.json()) as { error: string };
    expect([refused.status, error]).toEqual([400, 'invalid_redirect_uri']);
    expect(texts['/auth.md']).toContain(`{"error":"${error}"`);
  });

  test('the price list has every course of the API with its prices, and no other', async () => {
    const { data } = (await call(`${system.baseUrl}/api/courses?limit=100`)).body as {
      data: { id: string; title: string; prices: { amount: number; currency: string }[] }[];
    };
    expect(data.length).toBeGreaterThan(2);
    const told = [...texts['/pricing.md']!.matchAll(/^\| Id \| `(course_[^`]+)` \|$([^#]*)/gm)];
    const priced = told.map(([, id, rest]) => [
      id,
      [...rest!.matchAll(/`(\d+)` `([A-Z]{3})`/g)].map(([, amount, currency]) => ({
        amount: Number(amount),
        currency,
      })),
    ]);
    expect(priced).toEqual(
      data.map(({ id, prices }) => [id, prices.map(({ amount, currency }) => ({ amount, currency }))]),
    );
    for (const { id } of data) expect(texts['/llms.txt']).toContain(id);
  });

  test('the OpenAPI document names every status that operations answer with, whatever is sent', async () => {
    const document = (await call(`${system.baseUrl}/openapi.json`)).body;
    const undocumented: string[] = [];
    for (const declared of declaredIn(document)) {
      const { responses } = document.paths[declared.path][declared.method.toLowerCase()];
      for (const request of fc.sample(hostileRequests(declared, {}), { numRuns: 2, seed: 3 })) {
        const { method, url, headers, body } = request;
        const { status } = await fetch(system.baseUrl + url, {
          method,
          headers,
          redirect: 'manual',
          ...(body === undefined ? {} : { body: body as string }),
        });
        if (!Object.hasOwn(responses, String(status)))
          undocumented.push(`${method} ${declared.path}: ${status} ${url}`);
      }
    }
    expect(undocumented).toEqual([]);
  }, 60_000);

  test('a membership plan stands in the price list, on the landing page and in list_offers within 5 s of a change', async () => {
    const client = await Client.register(system.baseUrl);
    const scope = 'openid membership_plans:read membership_plans:write';
    const { access_token: token } = await client.tokens('owner@lantern.test', system.password, scope);
    const path = `${system.baseUrl}/api/membership_plans`;
    const body = { name: 'Night owls', price: { amount: 1_234 }, interval_count: 2, grants: { courses: 'all' } };
    const write = (method: string, at: string, sent?: object) =>
      call(path + at, { method, token, ...(sent ? { json: sent } : {}) });
    const { id } = (await write('POST', '', body)).body as { id: string };
    const texted = async (at: string) => (await fetch(system.baseUrl + at)).text();
    const offered = async () => {
      const params = { name: 'list_offers', arguments: { kind: 'membership_plan' } };
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const asked = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const more = { 'mcp-protocol-version': '2025-11-25' };
      return (
        await fetch(`${system.baseUrl}/mcp`, { method: 'POST', headers: { ...headers, ...more }, body: asked })
      ).text();
    };
    const within5s = async (said: string) => {
      const deadline = Date.now() + 5_000;
      for (;;) {
        const all = await Promise.all([texted('/pricing.md'), texted('/'), offered()]);
        if (all.every((text) => text.includes(said))) return;
        if (Date.now() > deadline) expect(all.map((text) => text.includes(said))).toEqual([true, true, true]);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    expect(await texted('/pricing.md')).not.toContain(id);
    expect((await write('POST', `/${id}/publish`)).status).toBe(200);
    await within5s('$12.34 every 2 months');
    await write('PATCH', `/${id}`, { price: { amount: 4_321 } });
    await within5s('$43.21 every 2 months');
    await write('POST', `/${id}/retire`);
    const deadline = Date.now() + 5_000;
    let text = id;
    while (text.includes(id) && Date.now() < deadline) text = await texted('/pricing.md');
    expect(text).not.toContain(id);
  }, 60_000);

  test('a course that is unpublished leaves the price list soon after', async () => {
    const client = await Client.register(system.baseUrl);
    const scope = 'openid courses:read courses:write';
    const { access_token: token } = await client.tokens('owner@lantern.test', system.password, scope);
    const { data } = (await call(`${system.baseUrl}/api/courses`)).body as { data: { id: string }[] };
    const { id } = data[0]!;
    expect(texts['/pricing.md']).toContain(id);
    const answer = await call(`${system.baseUrl}/api/courses/${id}/unpublish`, { method: 'POST', token });
    expect(answer.status).toBe(200);
    const prices = async () => (await fetch(`${system.baseUrl}/pricing.md`)).text();
    await until(async () => !(await prices()).includes(id), 'a price list without it');
  });
});
