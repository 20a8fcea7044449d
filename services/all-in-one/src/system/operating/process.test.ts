import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  StartFailed,
  type System,
  call,
  freePort,
  loopbackFetch,
  patience,
  runSystem,
  startSystem,
} from '@lyceum/testkit';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasStatus, inForce } from '../../testing/in-force.ts';
import { ownSystems } from '../../testing/operating/own-systems.ts';

const refused = async (started: Promise<System>): Promise<StartFailed['ended']> => {
  const error = await started.catch((caught: unknown) => caught);
  if (error instanceof StartFailed) return error.ended;
  throw error instanceof Error ? error : new Error('the start was not refused');
};

const status = (url: string): Promise<number> => loopbackFetch(url).then((response) => response.status);

/** What can be seen of one that runs, and of others that would take its place. */
describe('a process that runs', () => {
  const given = 'given by this test';
  const env = { DEMO_PASSWORD: given };
  let system: System;
  beforeAll(async () => void (system = await startSystem({ env })), 240_000);
  afterAll(async () => expect(await system.stop()).toBe(0));

  test('the first start makes two schools that answer at their hosts, and keeps its secrets for the owner only', async () => {
    expect((await call(`${system.baseUrl}/api/school`)).body.name).toBe('Lantern Craft School');
    expect((await call(`http://localhost:${system.port}/api/school`)).body.name).toBe('Lantern Craft School');
    expect((await call(`${system.northQuayUrl}/api/school`)).body).toMatchObject({
      name: 'North Quay Music',
      currency: 'JPY',
    });
    expect(await status(`http://elsewhere.example:${system.port}/api/school`)).toBe(404);
    expect(await status(`http://elsewhere.example:${system.port}/readyz`)).toBe(200);
    for (const file of await readdir(system.dataDir)) {
      const { mode } = await stat(join(system.dataDir, file));
      expect([file, mode & 0o077]).toEqual([file, 0]);
    }
    expect((await readFile(join(system.dataDir, 'demo-password'), 'utf8')).trim()).toBe(given);
    expect(system.output()).not.toContain(given);
    expect(system.output()).not.toContain(system.operatorToken);
  });

  test('operators provision a school, which works a moment later', async () => {
    const base_url = `http://yoga.localhost:${system.port}`;
    const json = {
      slug: 'harbour-yoga',
      name: 'Harbour Yoga',
      host: 'yoga.localhost',
      base_url,
      currency: 'EUR',
      timezone: 'Europe/Lisbon',
      locale: 'pt-PT',
    };
    const made = await call(`${system.operatorUrl}/internal/schools`, { token: system.operatorToken, json });
    expect(made.status).toBe(201);
    const soon = (path: string) => inForce(patience, () => call(base_url + path), hasStatus(200));
    expect((await soon('/api/school')).body.name).toBe('Harbour Yoga');
    expect((await soon('/.well-known/oauth-authorization-server')).body.issuer).toBe(base_url);
    const keys = async () => (await call(`${base_url}/api/oauth/jwks`)).body.keys as unknown[];
    expect((await inForce(patience, keys, ({ length }) => length > 0)).length).toBeGreaterThan(0);
    expect((await call(`${system.operatorUrl}/internal/schools`, { json })).status).toBe(401);
    expect(await status(`${system.baseUrl}/internal/schools`)).toBe(404);
  });

  test('one process per data folder, and one per port', async () => {
    const sameFolder = await refused(startSystem({ dataDir: system.dataDir, env }));
    expect([sameFolder.code, sameFolder.output]).toEqual([
      1,
      expect.stringContaining('already running on this data directory'),
    ]);
    const samePort = await refused(startSystem({ port: system.port }));
    expect([samePort.code, samePort.output]).toEqual([
      1,
      expect.stringContaining(`Port ${system.port} on 127.0.0.1 is in use`),
    ]);
    expect(await status(`${system.baseUrl}/readyz`)).toBe(200);
  });

  test('--check says what is in the way, and changes nothing', async () => {
    const dataDir = join(tmpdir(), `lyceum-never-${process.pid}`);
    const env = { DATA_DIR: dataDir, PORT: String(await freePort()), OPERATOR_PORT: String(await freePort()) };
    const fine = await runSystem(['--check'], env);
    expect([fine.code, fine.output]).toEqual([0, expect.stringContaining('are fine')]);
    await expect(stat(dataDir)).rejects.toThrow('ENOENT');
    const held = { DATA_DIR: system.dataDir, PORT: String(system.port), OPERATOR_PORT: env.OPERATOR_PORT };
    const blocked = await runSystem(['--check'], held);
    expect(blocked.code).toBe(1);
    expect(blocked.output).toContain(`Port ${system.port} on 127.0.0.1 is in use`);
    expect(blocked.output).toContain('already running on this data directory');
  });
});

/** The process as its operator meets it: start, refusals, signals. */
describe('the process', () => {
  const { systems, start, folder } = ownSystems();

  test('a restart on another port moves the demo schools: the new issuer is in force, the old port is nobody’s', async () => {
    const dataDir = await folder();
    const first = await start({ dataDir });
    const courses = (await call(`${first.baseUrl}/api/courses`)).body.data.length as number;
    expect(await systems.pop()!.stop()).toBe(0);
    const second = await start({ dataDir });
    expect(second.port).not.toBe(first.port);
    expect((await call(`${second.baseUrl}/.well-known/openid-configuration`)).body.issuer).toBe(second.baseUrl);
    expect((await call(`${second.northQuayUrl}/api/school`)).body.base_url).toBe(second.northQuayUrl);
    expect((await call(`${second.baseUrl}/api/courses`)).body.data).toHaveLength(courses);
    expect(second.password).toBe(first.password);
  });

  test('SIGTERM with a slow request in flight: unready at once, the request is answered, exit 0 within 10 s', async () => {
    const system = await start({ env: { DRAIN_MS: '2000' } });
    const body = JSON.stringify({ client_name: 'Slow', redirect_uris: ['http://127.0.0.1/callback'] });
    const socket = connect(system.port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => void (answer += part));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(
      `POST /api/oauth/register HTTP/1.1\r\nHost: 127.0.0.1:${system.port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await sleep(100);
    // A later request was answered, so the slow one has come, however busy the machine is.
    expect(await status(`${system.baseUrl}/readyz`)).toBe(200);
    const began = Date.now();
    const stopped = system.stop();
    systems.length = 0;
    await inForce(
      5_000,
      async () => system.output(),
      (output) => output.includes('draining'),
    );
    expect([await status(`${system.baseUrl}/readyz`), await status(`${system.baseUrl}/livez`)]).toEqual([503, 200]);
    const during = await loopbackFetch(`${system.baseUrl}/api/school`);
    expect([during.status, during.headers.get('connection')]).toEqual([200, 'close']);
    await sleep(2_200);
    socket.write(body);
    expect(await stopped).toBe(0);
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(Date.now() - began).toBeLessThan(10_000);
  });

  test('a request that never ends is cut off within 10 s with exit 1; a second signal ends it at once', async () => {
    const hang = async (system: System): Promise<void> => {
      const socket = connect(system.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        `POST /api/oauth/register HTTP/1.1\r\nHost: 127.0.0.1:${system.port}\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n`,
      );
      await sleep(100);
      // Answered after the one that never ends has come.
      expect(await status(`${system.baseUrl}/readyz`)).toBe(200);
    };
    const [patient, hasty] = [await start(), await start()];
    // Both at once: the edge lets go of a body that does not come in 15 s, and a start may take as long.
    await Promise.all([patient, hasty].map(hang));
    systems.length = 0;
    const began = Date.now();
    const codes = Promise.all([patient.stop(), hasty.stop()]);
    await sleep(800);
    hasty.process.kill('SIGTERM');
    expect(await codes).toEqual([1, 1]);
    expect(Date.now() - began).toBeLessThan(10_000);
    expect(patient.output()).toContain('"abandoned":1');
    expect(hasty.output()).toContain('second signal');
  });

  test.each([
    ['production', { NODE_ENV: 'production', KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }],
    ['a host that others reach', { HOST: '0.0.0.0' }],
    ['a process behind a proxy', { BASE_URL: 'https://school.example' }],
  ])('the demo never runs in %s', async (_, env) => {
    const asked = await refused(start({ env }));
    expect([asked.code, asked.output]).toEqual([1, expect.stringContaining('DEMO_PASSWORD')]);
    const dataDir = await folder();
    await writeFile(join(dataDir, 'demo-password'), 'left by an earlier start');
    const left = await refused(start({ dataDir, env: { ...env, DEMO_PASSWORD: '' } }));
    expect([left.code, left.output]).toEqual([1, expect.stringContaining('holds the demo schools')]);
    const bare = await start({ env: { ...env, DEMO_PASSWORD: '' } });
    expect(bare.password).toBe('');
    expect((await call(`${bare.operatorUrl}/internal/schools`, { token: bare.operatorToken })).body.data).toEqual([]);
  });

  test('a random demo password is made once and kept', async () => {
    const dataDir = await folder();
    const first = await start({ dataDir, env: { DEMO_PASSWORD: '' } });
    expect(first.password.length).toBeGreaterThanOrEqual(12);
    await systems.pop()!.stop();
    const again = await start({ dataDir, env: { DEMO_PASSWORD: '' } });
    expect(again.password).toBe(first.password);
    await systems.pop()!.stop();
    expect((await refused(start({ dataDir }))).output).toContain('another password than DEMO_PASSWORD');
  });
});

describe('the command line', () => {
  test('--list names the parts, --print-settings hides secrets', async () => {
    const list = await runSystem(['--list']);
    expect([list.code, list.output.split('\n').map((line) => line.split(' ')[0])]).toEqual([
      0,
      ['gateway', 'auth', 'school', 'catalog', 'media', 'learning', 'commerce', 'content', 'analytics', ''],
    ]);
    const printed = await runSystem(['--print-settings'], {
      OPERATOR_TOKEN: 'planted-secret-token-of-this-test',
      PORT: '9123',
    });
    expect([printed.code, printed.output]).toEqual([0, expect.stringContaining('BASE_URL=http://127.0.0.1:9123')]);
    expect(printed.output).not.toContain('planted');
  });

  test('every wrong setting is reported at once, and nothing is started', async () => {
    const { code, output } = await runSystem([], {
      PORT: 'x',
      BASE_URL: 'http://a.example',
      KEY_ENCRYPTION_KEY: 'short',
      BASEURL: 'y',
    });
    expect(code).toBe(1);
    for (const part of [
      'PORT="x"',
      'BASE_URL="http://a.example"',
      'KEY_ENCRYPTION_KEY="(hidden)"',
      'did you mean BASE_URL?',
    ])
      expect(output).toContain(part);
  });

  test('newcomer 22: --check refuses the demo where a start refuses it, and warns of addresses that are not used', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'lyceum-checked-'));
    await writeFile(join(dataDir, 'demo-password'), 'left by an earlier start');
    const ports = { PORT: String(await freePort()), OPERATOR_PORT: String(await freePort()) };
    const env = { DATA_DIR: dataDir, BASE_URL: 'https://school.example', AUTH_URL: 'foo', ...ports };
    const { code, output } = await runSystem(['--check'], env);
    await rm(dataDir, { recursive: true });
    expect([code, output]).toEqual([1, expect.stringContaining('holds the demo schools')]);
    expect(output).toContain('Warning: AUTH_URL is not used here');
  });

  test('--only of a part that needs others says what to run together', async () => {
    const { code, output } = await runSystem(['--only=catalog']);
    expect([code, output]).toEqual([1, expect.stringContaining('--only=catalog,school,auth')]);
  });
});
