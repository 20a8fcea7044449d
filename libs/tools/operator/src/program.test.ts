import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOperator } from './program.ts';

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly json: unknown;
}

/** An operator listener that answers what the test says. */
let answer: (asked: Asked) => { readonly status?: number; readonly body?: unknown; readonly text?: string };
let asked: Asked[];
let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const each = {
        method,
        url: path,
        authorization: headers.authorization,
        json: headers['content-type'] === 'application/x-ndjson' ? text : text ? JSON.parse(text) : undefined,
      };
      asked.push(each);
      const { status = 200, body, text: plain } = answer(each);
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(plain ?? (body === undefined ? '' : JSON.stringify(body)));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((closed) => server.close(closed)));
beforeEach(() => {
  asked = [];
  answer = () => ({ body: {} });
});

const school = 'school_0198f3a2-7c1b-7000-8000-000000000001';
async function run(line: string | readonly string[], env: Record<string, string> = {}, reply?: string) {
  const [out, err] = [[] as string[], [] as string[]];
  const terminal = {
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
    ...(reply === undefined ? {} : { ask: async (question: string) => (err.push(question), reply) }),
  };
  const argv = typeof line === 'string' ? line.split(' ') : line;
  const code = await runOperator(
    argv,
    { OPERATOR_URL: url, OPERATOR_TOKEN: 'token of the operator', ...env },
    terminal,
  );
  return { code, out: out.join('\n'), err: err.join('\n') };
}

describe('the operator’s command line', () => {
  test('prints a list as a table, with the token sent and never printed', async () => {
    answer = () => ({ body: { data: [{ id: school, slug: 'quay', name: 'North Quay' }], next_cursor: null } });
    const { code, out, err } = await run('schools list');
    expect([code, err]).toEqual([0, '']);
    expect(out.split('\n').map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
      ['id', 'slug', 'name'],
      [school, 'quay', 'North Quay'],
    ]);
    expect(asked[0]!.authorization).toBe('Bearer token of the operator');
    expect(out).not.toContain('token of the operator');
  });

  test.each([
    ['yes', '', 0],
    ['no', '', 1],
    [undefined, '', 1],
    [undefined, '--yes', 0],
  ])('imports a school after its summary was confirmed: %s %s', async (reply, flag, wanted) => {
    const folder = await mkdtemp(join(tmpdir(), 'lyceum-operator-'));
    const file = join(folder, 'school.ndjson');
    await writeFile(file, 'lines\n');
    answer = ({ url: path }) =>
      path.includes('confirm=')
        ? { status: 201, body: { object: 'arrival', school } }
        : { body: { object: 'arrival_summary', digest: 'abc', place: { slug: 'quay' } } };
    const line = `schools import ${file} --base-url https://quay.example ${flag}`.trim();
    const { code, out, err } = await run(line, {}, reply);
    await rm(folder, { recursive: true });
    const path = '/internal/schools/import?base_url=https%3A%2F%2Fquay.example&';
    const urls = asked.map((each) => [each.url, each.json]);
    const first = [path, 'lines\n'];
    expect([code, urls]).toEqual([wanted, wanted === 0 ? [first, [`${path}confirm=abc`, 'lines\n']] : [first]]);
    expect(wanted === 0 ? out : err).toContain(wanted === 0 ? school : 'Nothing was imported');
    expect(err.includes('quay')).toBe(flag === '');
  });

  test('prints JSON when asked to, all pages together', async () => {
    answer = ({ url: path }) =>
      path.includes('cursor=next')
        ? { body: { data: [{ id: 'b' }], next_cursor: null } }
        : { body: { data: [{ id: 'a' }], next_cursor: 'next' } };
    const { out } = await run('schools list --json');
    expect(JSON.parse(out)).toEqual([{ id: 'a' }, { id: 'b' }]);
  });

  test('says when there is nothing, and lets no control character of strangers reach the terminal', async () => {
    answer = () => ({ body: { data: [] } });
    expect((await run('stuck list')).out).toBe('There are none.');
    answer = () => ({ body: { data: [{ name: '\u001b[2Jgone' }], next_cursor: null } });
    expect((await run('schools list')).out).not.toContain('\u001b');
  });

  test('finds a school by its slug', async () => {
    answer = ({ url: path }) =>
      path.startsWith('/internal/schools')
        ? { body: { data: [{ id: school, slug: 'quay' }] } }
        : { body: { data: [] } };
    await run('integrations list --school quay');
    expect(asked.map(({ url: path }) => path)).toEqual([
      '/internal/schools?limit=100',
      `/internal/integrations?school=${school}&limit=100`,
    ]);
    const { code, err } = await run('integrations list --school nobody');
    expect([code, err]).toEqual([1, 'There is no school with the slug nobody']);
  });

  test('sends what the flags say under the names of RFC 7591, and warns that a secret is shown once', async () => {
    answer = () => ({ status: 201, body: { object: 'integration', client_id: 'client_1', client_secret: 's' } });
    const { code, out, err } = await run([
      ...`integrations create --school ${school} --name Forum --no-pkce --resource https://api.example/`.split(' '),
      ...'--method client_secret_basic --redirect-uri https://a.example/cb --redirect-uri https://b.example/cb'.split(
        ' ',
      ),
      '--scope',
      'openid email',
    ]);
    expect(code).toBe(0);
    expect(out).toMatch(/client_secret +s/);
    expect(err).toContain('this once');
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: '/internal/integrations',
      json: {
        school,
        client_name: 'Forum',
        redirect_uris: ['https://a.example/cb', 'https://b.example/cb'],
        token_endpoint_auth_method: 'client_secret_basic',
        scope: 'openid email',
        resources: ['https://api.example/'],
        require_pkce: false,
      },
    });
  });

  test.each([
    ['integrations show client_1', 'GET', '/internal/integrations/client_1', undefined],
    ['integrations disable client_1', 'POST', '/internal/integrations/client_1/disable', undefined],
    ['integrations enable client_1', 'POST', '/internal/integrations/client_1/enable', undefined],
    ['integrations rotate client_1', 'POST', '/internal/integrations/client_1/rotate-secret', {}],
    [
      'integrations rotate client_1 --overlap 0',
      'POST',
      '/internal/integrations/client_1/rotate-secret',
      { overlap_seconds: 0 },
    ],
    ['integrations change client_1 --name B', 'PATCH', '/internal/integrations/client_1', { client_name: 'B' }],
    ['integrations delete client_1', 'DELETE', '/internal/integrations/client_1', undefined],
    ['integrations delete ../x', 'DELETE', '/internal/integrations/..%2Fx', undefined],
  ])('%s', async (line, method, path, json) => {
    expect((await run(`${line} --school ${school}`)).code).toBe(0);
    expect(asked).toEqual([expect.objectContaining({ method, url: `${path}?school=${school}`, json })]);
  });

  test.each<[string, string, string, unknown]>([
    ['keys list', 'GET', `/internal/signing-keys?school=${school}`, undefined],
    ['keys rotate', 'POST', '/internal/signing-keys/rotate', { school, at_once: false }],
    ['keys rotate --at-once', 'POST', '/internal/signing-keys/rotate', { school, at_once: true }],
    [
      'members invite --email a@b.example --role owner',
      'POST',
      '/internal/members',
      { school, email: 'a@b.example', role: 'owner' },
    ],
  ])('%s', async (line, method, path, json) => {
    answer = () => ({ body: { keys: [] } });
    expect((await run(`${line} --school ${school}`)).code).toBe(0);
    expect(asked).toEqual([expect.objectContaining({ method, url: path, json })]);
  });

  test('provisions a school with the host of its base URL', async () => {
    const line = 'schools create --slug quay --name Quay --base-url https://quay.example:8443 --currency EUR';
    expect((await run(`${line} --timezone Europe/Lisbon --locale pt-PT`)).code).toBe(0);
    expect(asked[0]!.json).toMatchObject({ host: 'quay.example:8443', base_url: 'https://quay.example:8443' });
  });

  test('tells what the server refuses, with the fields and the request, and exits with 1', async () => {
    answer = () => ({
      status: 422,
      body: {
        error: 'validation_failed',
        error_description: 'Something is wrong',
        details: [{ path: 'slug', code: 'too_small', message: 'too short' }],
        request_id: 'req_1',
      },
    });
    const { code, err } = await run('stuck list');
    expect([code, err]).toEqual([1, 'Something is wrong (validation_failed)\n  slug: too short\n  request req_1']);
  });

  test.each<[string, { status: number; body?: unknown }, RegExp]>([
    ['the token is wrong', { status: 401, body: { error: 'invalid_token' } }, /OPERATOR_TOKEN/],
    ['the address is of something else', { status: 404 }, /is this an operator listener/],
  ])('says so when %s', async (_, given, told) => {
    answer = () => given;
    const { code, err } = await run('stuck list');
    expect([code, told.test(err)]).toEqual([1, true]);
  });

  test('says so when nobody answers', async () => {
    const { code, err } = await run('stuck list --url http://127.0.0.1:2');
    expect([code, err]).toEqual([1, expect.stringContaining('Nothing listens at http://127.0.0.1:2')]);
  });

  test.each<[string, string, string, unknown]>([
    ['lanes list', 'GET', '/internal/lanes', undefined],
    ['lanes list --service auth', 'GET', '/internal/lanes?service=auth', undefined],
    ['projections rebuild courses@3', 'POST', '/internal/projections/courses/rebuild', undefined],
    ['parked redrive ../x', 'POST', '/internal/parked/..%2Fx/redrive', undefined],
    ['parked redrive --school s1 --error boom', 'POST', '/internal/parked/redrive', { school: 's1', error: 'boom' }],
    ['backup create monday', 'POST', '/internal/backup', { folder: 'monday' }],
    ['mail release --older discard', 'POST', '/internal/mail/release', { older: 'discard' }],
    [`schools show --school ${school}`, 'GET', `/internal/schools/${school}`, undefined],
    [
      `schools suspend --school ${school} --reason Unpaid`,
      'POST',
      `/internal/schools/${school}/suspend`,
      { reason: 'Unpaid' },
    ],
    [`schools resume --school ${school}`, 'POST', `/internal/schools/${school}/resume`, undefined],
    [
      `members list --school ${school} --role owner`,
      'GET',
      `/internal/members?school=${school}&role=owner&limit=100`,
      undefined,
    ],
    [`members suspend account_1 --school ${school}`, 'POST', '/internal/members/account_1/suspend', { school }],
    [`members reinstate account_1 --school ${school}`, 'POST', '/internal/members/account_1/reinstate', { school }],
    [`people erase acct_1 --yes --school ${school}`, 'POST', '/internal/subjects/acct_1/erase', { school }],
  ])('%s', async (line, method, path, json) => {
    answer = () => ({ body: { data: [] } });
    expect((await run(line)).code).toBe(0);
    expect(asked).toEqual([expect.objectContaining({ method, url: path, json })]);
  });

  test('parked redrive goes on until every stream that is meant was tried once', async () => {
    const pages = [
      { applied: 3, flowing: 2, parked: 1, next: 'id-3' },
      { applied: 1, flowing: 1, parked: 0, next: null },
    ];
    answer = () => ({ body: pages[asked.length - 1]! });
    const { code, out } = await run('parked redrive --projection titles --json');
    expect([code, JSON.parse(out)]).toEqual([0, { applied: 4, flowing: 3, parked: 1 }]);
    expect(asked.map(({ json }) => json)).toEqual([{ projection: 'titles' }, { projection: 'titles', after: 'id-3' }]);
  });

  test.each([
    [null, 'Mail is sent: none is withheld.'],
    ['2026-01-05T08:00:00.000Z', ''],
  ])('newcomer 26: mail show always says something: withheld since %s', async (withheld_since, told) => {
    answer = () => ({ body: { object: 'mail', withheld_since } });
    const { out, err } = await run('mail show');
    expect([out.includes(withheld_since ?? 'withheld_since'), err]).toEqual([withheld_since !== null, told]);
  });

  test('nobody is erased without a yes', async () => {
    const line = `people erase acct_1 --school ${school}`;
    expect([(await run(line, {}, 'no')).code, (await run(line)).code, asked]).toEqual([2, 2, []]);
  });

  const digestOf = (lines: string) => createHash('sha256').update(lines).digest('hex');
  const lines = `${JSON.stringify({ format: 1, school })}\n${JSON.stringify({ text: 'ü'.repeat(40_000) })}\n`;
  const end = (sha256: string, count = 2) => `${JSON.stringify({ end: { lines: count, sha256 } })}\n`;

  test.each([
    ['whole', lines + end(digestOf(lines)), 0],
    ['cut off', lines, 1],
    ['cut off in a line', lines.slice(0, -30), 1],
    ['without a line', lines + end(digestOf(lines), 3), 1],
    ['changed', lines.replace('ü', 'u') + end(digestOf(lines)), 1],
    ['empty', '', 1],
  ])('newcomer 26: an export that is %s becomes a file or leaves none', async (_, text, wanted) => {
    const folder = await mkdtemp(join(tmpdir(), 'lyceum-operator-'));
    const file = join(folder, 'school.ndjson');
    answer = () => ({ text });
    const { code, out, err } = await run(`schools export ${file} --school ${school} --personal`);
    const there = await readdir(folder);
    const [kept] = wanted === 0 ? [await readFile(file, 'utf8'), (await stat(file)).mode & 0o777] : [''];
    const again = wanted === 0 ? await run(`schools export ${file} --school ${school}`) : undefined;
    await rm(folder, { recursive: true });
    expect([code, there, kept]).toEqual([wanted, wanted === 0 ? ['school.ndjson'] : [], wanted === 0 ? text : '']);
    expect(asked[0]!.url).toBe(`/internal/schools/${school}/export?personal=included`);
    if (wanted === 0)
      expect([out, again?.err]).toEqual([expect.stringMatching(/lines +2/), `${file} is there already`]);
    else expect(err).toContain('nothing was kept');
  });

  test('newcomer 26: a refused export leaves no file and says why', async () => {
    answer = () => ({ status: 404, body: { error: 'not_found', error_description: 'There is no such school' } });
    const folder = await mkdtemp(join(tmpdir(), 'lyceum-operator-'));
    const { code, err } = await run(`schools export ${join(folder, 'x')} --school ${school}`);
    const there = await readdir(folder);
    await rm(folder, { recursive: true });
    expect([code, err, there]).toEqual([1, 'There is no such school (not_found)', []]);
  });

  test('errors are JSON for those who asked for JSON', async () => {
    const { code, err, out } = await run('stuck list --json --url http://127.0.0.1:2');
    expect([code, out, JSON.parse(err)]).toEqual([
      1,
      '',
      { error: 'refused', error_description: expect.stringContaining('Nothing listens at') },
    ]);
  });

  test.each([
    ['0.0.0.0', 'http://127.0.0.1:2'],
    ['127.0.0.2', 'http://127.0.0.2:2'],
    ['::1', 'http://[::1]:2'],
  ])('the settings of the process name its listener: %s', async (OPERATOR_HOST, at) => {
    const { err } = await run('stuck list', { OPERATOR_URL: '', OPERATOR_HOST, OPERATOR_PORT: '2' });
    expect(err).toContain(at);
  });

  test.each([
    ['restore monday', 'node main.js restore <folder>'],
    ['schools delete', 'lyceum people erase'],
    ['schools suspend', '--school, --reason is missing'],
    ['schools close', 'lyceum schools suspend'],
    ['members remove', 'lyceum members suspend'],
    ['parkd list', 'Did you mean parked list, parked redrive?'],
    ['log repair', 'node main.js log repair'],
    ['parked redrive', 'needs an id, or --school'],
    ['parked redrive x --school s1', 'needs an id, or --school'],
    ['schools burn', 'There is no command schools burn'],
    ['schools list --colour', 'colour'],
    ['schools list extra', 'takes flags only'],
    ['integrations show', 'needs a client id'],
    ['integrations list', '--school is missing'],
    ['schools create --slug quay', '--name, --base-url'],
    [`integrations rotate client_1 --school ${school} --overlap soon`, 'whole number'],
    ['stuck list --url nowhere', 'is not an address'],
  ])('%s exits with 2 and says what would do', async (line, told) => {
    const { code, err } = await run(line);
    expect([code, asked]).toEqual([2, []]);
    expect(err).toContain(told);
  });

  test.each(['', 'help', '--help', '-h'])('%j lists the commands', async (line) => {
    const { code, out } = await run(line);
    expect(code).toBe(0);
    for (const name of [
      'schools create',
      'integrations rotate <client id>',
      'members invite',
      'keys rotate',
      'stuck list',
    ])
      expect(out).toContain(name);
  });

  test.each(['schools', 'schools help', 'schools --help', 'help schools'])(
    '%j lists those of the word',
    async (line) => {
      const { code, out } = await run(line);
      expect([code, out.includes('schools create'), out.includes('stuck list')]).toEqual([0, true, false]);
    },
  );

  test('tells how one command is used', async () => {
    const { code, out } = await run('integrations rotate --help');
    expect([code, asked]).toEqual([0, []]);
    expect(out).toContain('--overlap <seconds>');
  });

  test('takes the token from a file, the data folder of the process being the usual one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lyceum-operator-'));
    await writeFile(join(folder, 'operator-token'), 'kept token\n');
    answer = () => ({ body: { data: [] } });
    await run('stuck list', { OPERATOR_TOKEN: '', DATA_DIR: folder });
    await run(`stuck list --token-file ${join(folder, 'operator-token')}`);
    expect(asked.map(({ authorization }) => authorization)).toEqual(['Bearer kept token', 'Bearer kept token']);
    const { code, err } = await run('stuck list', { OPERATOR_TOKEN: '', DATA_DIR: join(folder, 'none') });
    expect([code, err.includes('There is no operator token')]).toEqual([1, true]);
    await rm(folder, { recursive: true });
  });
});
