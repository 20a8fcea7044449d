import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Person, type System, call, formsOf, startSystem } from '@lyceum/testkit';
import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type HostileRequest,
  declaredIn,
  hostileRequests,
  marker,
  wellFormed,
} from '../../testing/attacks/hostile-request.ts';

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
  let document: Record<string, unknown>;
  let backups: string;
  beforeAll(async () => {
    backups = await mkdtemp(join(tmpdir(), 'lyceum-fuzz-'));
    system = await startSystem({ env: { RATE_LIMIT_FACTOR: '100000', BACKUP_DIR: backups } });
    document = (await call(`${system.baseUrl}/openapi.json`)).body;
    token = await signIn();
    const courses = await call(`${system.baseUrl}/api/courses`, { token });
    const { body } = await call(`${system.operatorUrl}/internal/schools`, { token: system.operatorToken });
    const idsOf = (data: readonly { id: string }[]) => data.map(({ id }) => id);
    ids = { course: idsOf(courses.body.data), school: idsOf(body.data) };
  }, 400_000);
  afterAll(async () => {
    await system.stop();
    await rm(backups, { recursive: true, force: true });
  });

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
    base: string,
    { method, url, headers, body }: HostileRequest,
    as: string | undefined,
  ): Promise<string | undefined> {
    const response = await fetch(`${base}${url}`, {
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
    // RFC 9110 §9.3.2: the answer to HEAD has no content.
    const isError = response.status >= 400 && type.startsWith('application/json') && method !== 'HEAD';
    if (isError && typeof JSON.parse(text).error !== 'string') return `an error without a code: ${text}`;
    if (response.headers.get('x-content-type-options') !== 'nosniff') return 'a browser may guess what it is';
    return undefined;
  }

  test('there are operations of every service to ask for', () => {
    const paths = declaredIn(document).map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(60);
    for (const service of ['/api/courses', '/api/members', '/api/oauth/token', '/oauth/reset'])
      expect(paths).toContain(service);
  });

  /** Asks each operation of a document, a few of them side by side; what was wrong with the answers. */
  async function ask(base: string, document: Record<string, unknown>, asking: readonly (string | undefined)[]) {
    const operations = declaredIn(document);
    const wrong: string[] = [];
    const lanes = 6;
    const along = async (lane: number): Promise<void> => {
      for (const declared of operations.filter((_, index) => index % lanes === lane))
        for (const [index, request] of fc.sample(hostileRequests(declared, ids), { numRuns, seed }).entries()) {
          const complaint = await judge(base, request, asking[index % asking.length]);
          const { method, url, headers, body } = request;
          if (complaint) wrong.push(`${method} ${url} ${JSON.stringify(headers)} ${String(body)}: ${complaint}`);
        }
    };
    await Promise.all(Array.from({ length: lanes }, (_, lane) => along(lane)));
    return wrong.map((each) => each.slice(0, 1_000)).slice(0, 5);
  }
  const somebody = marker.replaceAll('"', '');

  test('nothing that is sent to any operation, by anybody, is a failure of ours', async () => {
    const { baseUrl } = system;
    expect(await ask(baseUrl, document, [token, token, undefined, somebody])).toEqual([]);
    expect((await call(`${baseUrl}/api/account`, { token })).status).toBe(200);
  }, 120_000);

  test('nothing that an operator sends is one either', async () => {
    const { operatorUrl, operatorToken } = system;
    const { body } = await call(`${operatorUrl}/internal/openapi.json`, { token: operatorToken });
    expect(declaredIn(body).length).toBeGreaterThan(20);
    expect(await ask(operatorUrl, body, [operatorToken, operatorToken, operatorToken, somebody])).toEqual([]);
    expect((await call(`${system.baseUrl}/api/courses`)).status).toBe(200);
    expect(system.output()).not.toMatch(/"level":"fatal"|uncaught|unhandled/i);
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
