import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Person, type System, call, formsOf, startSystem } from '@lyceum/testkit';
import fc from 'fast-check';
import { type HostileRequest, declaredIn, hostileRequests, marker, wellFormed } from '../testing/hostile-request.ts';

/** Requests for each operation. The seed is fixed, so that a run says the same twice. */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 15);
const seed = Number(process.env['FUZZ_SEED'] ?? 9700);
const owner = 'owner@lantern.test';

/** What must stand in no answer: where our code is, and what only a developer understands. */
const inside = /\bat [\w.<> ]+ \(|\.(?:ts|js):\d+|node_modules|node:internal|TypeError|SQLITE_|ZodError/;

/** Everything that the description of the API declares is asked for with whatever may come. */
describe('hostile requests', () => {
  let system: System;
  let token: string;
  let ids: Record<string, readonly string[]>;
  const documents: Record<string, unknown>[] = [];
  beforeAll(async () => {
    system = await startSystem({ env: { RATE_LIMIT_FACTOR: '100000', LOG_LEVEL: 'info' } });
    documents.push((await call(`${system.baseUrl}/openapi.json`)).body);
    token = await signIn();
    const courses = await call(`${system.baseUrl}/api/courses`, { token });
    ids = { course: courses.body.data.map(({ id }: { id: string }) => id) };
  }, 180_000);
  afterAll(() => system.stop());

  async function signIn(): Promise<string> {
    const client = await Client.register(system.baseUrl);
    const { scopes_supported } = (await call(`${system.baseUrl}/.well-known/openid-configuration`)).body;
    return (await client.tokens(owner, system.password, scopes_supported.join(' '))).access_token;
  }

  /** What the system wrote about a request that failed. */
  const logged = (requestId: string): string =>
    system
      .output()
      .split('\n')
      .filter((line) => line.includes(requestId) && line.includes('"err"'))
      .join('\n');

  /** Sends it and looks at the answer; what is wrong with it, or nothing. */
  async function judge(
    { method, url, headers, body }: HostileRequest,
    as: string | undefined,
  ): Promise<string | undefined> {
    const response = await fetch(`${system.baseUrl}${url}`, {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(as === undefined ? {} : { authorization: `Bearer ${as}` }) },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const type = response.headers.get('content-type') ?? '';
    if (response.status >= 500) return `${response.status}: ${logged(response.headers.get('x-request-id')!)}`;
    if (response.status >= 400 && inside.test(text)) return `it tells what is inside: ${text}`;
    if (type.startsWith('text/html') && text.includes('<fuzz')) return 'it shows markup that was sent';
    if (response.status >= 400 && type.startsWith('application/json') && typeof JSON.parse(text).error !== 'string')
      return `an error without a code: ${text}`;
    if (response.headers.get('x-content-type-options') !== 'nosniff') return 'a browser may guess what it is';
    return undefined;
  }

  test('there are operations of every service to ask for', () => {
    const paths = declaredIn(documents[0]!).map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(60);
    for (const service of ['/api/courses', '/api/members', '/api/oauth/token', '/oauth/reset'])
      expect(paths).toContain(service);
  });

  test('nothing that is sent to any operation, by anybody, is a failure of ours', async () => {
    const operations = declaredIn(documents[0]!);
    const wrong: string[] = [];
    await Promise.all(
      Array.from({ length: 6 }, async (_, lane) => {
        for (const declared of operations.filter((__, index) => index % 6 === lane)) {
          const requests = fc.sample(hostileRequests(declared, ids), { numRuns, seed });
          for (const [index, request] of requests.entries()) {
            const complaint = await judge(request, [token, token, undefined, marker.replaceAll('"', '')][index % 4]);
            if (complaint)
              wrong.push(
                `${request.method} ${request.url} ${JSON.stringify(request.headers)} ${String(request.body)}: ${complaint}`,
              );
          }
        }
      }),
    );
    expect(wrong.map((each) => each.slice(0, 1_000)).slice(0, 5)).toEqual([]);
    expect((await call(`${system.baseUrl}/api/account`, { token })).status).toBe(200);
    expect((await call(`${system.baseUrl}/api/courses`)).status).toBe(200);
    expect(system.output()).not.toMatch(/"level":60|uncaught|unhandled/i);
  }, 120_000);

  test('nothing that is written into a form of a page is a failure of ours, or comes back as markup', async () => {
    const client = await Client.register(system.baseUrl, { client_name: marker });
    const start = () => client.start('openid courses:read', { login_hint: marker, state: marker }).url.href;
    const pages = [start, () => `${system.baseUrl}/oauth/sign-up`, () => `${system.baseUrl}/oauth/reset`];
    const fields = fc.array(
      fc.tuple(fc.nat(8), fc.oneof(fc.constant(marker), fc.string({ unit: 'binary', maxLength: 200 }))),
      { minLength: 1, maxLength: 4 },
    );
    const person = new Person();
    const landed = await person.submit(await person.visit(start()), { email: owner, password: system.password });
    expect(landed.text).toContain('decision');
    const wrong: string[] = [];
    const samples = fc.sample(fields, { numRuns: numRuns * 2, seed });
    for (const address of [...pages, start])
      for (const changes of samples) {
        const page = await person.visit(address());
        const [form] = formsOf(page.text, page.url);
        if (!form) continue;
        const names = [...new Set([...form.fields.map(([name]) => name), 'decision', 'scope'])];
        const values = Object.fromEntries(changes.map(([at, value]) => [names[at % names.length]!, wellFormed(value)]));
        const { status, text } = await person.submit(page, values);
        if (status >= 500 || inside.test(text) || text.includes('<fuzz'))
          wrong.push(`${page.url} ${JSON.stringify(values)}: ${status}`);
      }
    expect(wrong).toEqual([]);
  }, 120_000);
});
