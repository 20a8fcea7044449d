import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, ServiceProcess, type System, availability, call, freePort, startSystem, until } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '../../../../..');
const left = new Set(['node_modules', '.git', '.cache', '.turbo', 'data', 'peers', 'coverage']);

/** A copy of the repository and of what was built, whose packages see each other and not those of this one. */
function copyOfRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), 'lyceum-new-'));
  const filter = (path: string) => !left.has(basename(path));
  cpSync(root, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, filter });
  const own = join('node_modules', '@lyceum');
  mkdirSync(join(copy, own), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => each !== '@lyceum'))
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  for (const name of readdirSync(join(root, own)))
    symlinkSync(readlinkSync(join(root, own, name)), join(copy, own, name));
  // Versions that only one package has.
  for (const top of ['libs', 'libs/tools', 'services'])
    for (const name of readdirSync(join(root, top))) {
      const nested = join(top, name, 'node_modules');
      if (name !== 'tools' && existsSync(join(root, nested))) symlinkSync(join(root, nested), join(copy, nested));
    }
  return copy;
}

const { JEST_WORKER_ID: _worker, ...env } = process.env;

/** Brokers by which a service hears of those in other processes. */
const { engines: brokers } = await availability('kafka');

describe('npm run new', () => {
  let copy: string;
  const run = (file: string, ...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(file, args, { cwd: copy, encoding: 'utf8', env });
    if (status !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
    return stdout;
  };
  const bin = (name: string, ...args: readonly string[]) => run(join('node_modules', '.bin', name), ...args);
  const make = (...asked: readonly string[]) => run('npm', 'run', '--silent', 'new', '--', ...asked);
  const written: Record<string, string> = {};

  beforeAll(() => {
    copy = copyOfRepository();
    written['badge'] = make('catalog', 'badge');
    written['shelf'] = make('library', 'shelf');
  }, 300_000);
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  /** The new files of a run with their number of lines. */
  const filesOf = (output: string) =>
    [...output.matchAll(/^new +(\S+) \((\d+)\)$/gm)].map(([, path, lines]) => ({ path: path!, lines: Number(lines) }));
  const linesOf = (files: readonly { readonly lines: number }[]) => files.reduce((sum, { lines }) => sum + lines, 0);
  const isArea = ({ path }: { path: string }) => /\/(badges|shelves)\//.test(path);
  const isTest = ({ path }: { path: string }) => path.endsWith('.test.ts');

  test('a plain area has at most 350 lines without tests, a service at most 60 beside its areas', () => {
    for (const output of Object.values(written)) {
      const area = filesOf(output).filter((each) => isArea(each) && !isTest(each));
      expect(area.length).toBeGreaterThan(5);
      expect(linesOf(area)).toBeLessThanOrEqual(350);
    }
    const service = filesOf(written['shelf']!).filter((each) => !isArea(each));
    const [deployed, program] = [true, false].map((isChart) =>
      service.filter(({ path }) => path.startsWith('deploy/') === isChart),
    ) as [typeof service, typeof service];
    expect(program).toHaveLength(5);
    expect(linesOf(program)).toBeLessThanOrEqual(60);
    expect(deployed.map(({ path }) => path)).toEqual([
      'deploy/charts/library/Chart.yaml',
      'deploy/charts/library/templates/library.yaml',
    ]);
  });

  test('what was written compiles, is formatted, and the linter and the rules of the packages find nothing', () => {
    bin('tsc', '-b', 'services/all-in-one');
    const tests = {
      extends: './tsconfig.tests.json',
      include: ['services/catalog/src/badges', 'services/library/src'],
    };
    writeFileSync(join(copy, 'tsconfig.new.json'), JSON.stringify(tests));
    bin('tsc', '-p', 'tsconfig.new.json');
    const changed = Object.values(written).flatMap((output) =>
      [...output.matchAll(/^(?:new|changed) +(\S+) /gm)].map(([, path]) => path!),
    );
    bin('oxlint', '--deny-warnings', ...changed.filter((path) => path.endsWith('.ts')));
    bin('prettier', '--check', ...changed, 'docs/settings.md');
  });

  test('its tests pass, and those that look at all services', () => {
    const all = [
      'all-in-one/src/.*golden',
      'catalog/src/(badges|operations)',
      'library/',
      'devtools/src/(compose|arch|charts/(values|network))',
    ];
    const report = join(copy, 'report.json');
    bin('jest', '--json', `--outputFile=${report}`, ...all);
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    expect([numFailedTests, numPassedTests > 50]).toEqual([0, true]);
    const suites = testResults.map(({ name }: { name: string }) => basename(name));
    expect(suites).toEqual(expect.arrayContaining(['badge.http.test.ts', 'badge.golden.test.ts', 'shelf.test.ts']));
  });

  test('the lock file has the new service', () => {
    const { packages } = JSON.parse(readFileSync(join(copy, 'package-lock.json'), 'utf8'));
    expect(packages['node_modules/@lyceum/service-library']).toEqual({ resolved: 'services/library', link: true });
    expect(packages['services/library'].dependencies).toHaveProperty('@lyceum/service');
  });

  test('the system that is built of it describes and serves the new paths', async () => {
    let system: System | undefined;
    try {
      system = await startSystem({ build: copy });
      const document = await (await fetch(`${system.baseUrl}/openapi.json`)).json();
      const paths = Object.keys(document.paths);
      expect(paths).toEqual(
        expect.arrayContaining(['/api/badges', '/api/badges/{badge}', '/api/shelves/{shelf}/publish']),
      );
      const shelves = await fetch(`${system.baseUrl}/api/shelves`);
      expect([shelves.status, (await shelves.json()).data]).toEqual([200, []]);
    } finally {
      await system?.stop();
    }
  });

  test('says how a gateway that runs already leads to the service: by its settings', () => {
    expect(written['shelf']).toContain('ROUTES=/api/shelves=library LIBRARY_URL=http://library:8080');
    expect(written['shelf']).toContain('global.lyceum.routes={"/api/shelves":{"service":"library"}}');
    expect(written['badge']).not.toContain('ROUTES');
  });

  (brokers.length > 0 ? test : test.skip)(
    'the service answers behind a gateway of before that has only its settings, and which goes on without it',
    async () => {
      const { url } = await brokers[0]!.shared();
      const port = await freePort();
      const own = mkdtempSync(join(tmpdir(), 'lyceum-new-library-'));
      const common = {
        KAFKA_BROKERS: url,
        KAFKA_PREFIX: `n${randomUUID().slice(0, 8)}.`,
        LANES: '2',
        SERVICE_TOKEN: 'service-token-of-this-test-only-0001',
      };
      // Of this repository, which has no library.
      const before = await startSystem({
        env: { ...common, ROUTES: '/api/shelves=library', LIBRARY_URL: `http://127.0.0.1:${port}` },
      });
      const library = new ServiceProcess(
        'library',
        'library',
        own,
        {
          ...common,
          PORT: String(port),
          OPERATOR_PORT: String(await freePort()),
          DATA_DIR: join(own, 'data'),
          BASE_URL: before.baseUrl,
          AUTH_URL: before.baseUrl,
          SCHOOL_URL: before.baseUrl,
          DRAIN_MS: '300',
        },
        { build: copy },
      );
      const get = async (path: string, token?: string) =>
        call(`${before.baseUrl}${path}`, token === undefined ? {} : { token });
      const described = async () => Object.keys((await get('/openapi.json')).body.paths);
      const isWell = async () =>
        expect(
          (await Promise.all(['/api/courses', '/api/school'].map((path) => get(path)))).map(({ status }) => status),
        ).toEqual([200, 200]);
      try {
        expect((await get('/api/shelves')).status).toBe(503);
        expect(await described()).not.toContain('/api/shelves');
        await isWell();
        library.launch();
        await library.ready();
        await until(async () => (await described()).includes('/api/shelves/{shelf}/publish'), 'its description');
        expect(await described()).toEqual(expect.arrayContaining(['/api/courses', '/api/oauth/token', '/api/shelves']));
        const shelves = await get('/api/shelves');
        expect([shelves.status, shelves.body.data]).toEqual([200, []]);
        // It judges tokens by the keys of the others. What they are not for, it refuses.
        const client = await Client.register(before.baseUrl);
        const { access_token: token } = await client.tokens('owner@lantern.test', before.password, 'courses:read');
        const post = () => call(`${before.baseUrl}/api/shelves`, { token, json: { title: 'Songs' } });
        // The first token of a school makes its key.
        await until(async () => ![401, 503].includes((await post()).status), 'its knowledge of keys');
        expect(await post()).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
        expect(await library.end('SIGTERM')).toBe(0);
        const missing = await get('/api/shelves');
        expect([missing.status, missing.headers.has('retry-after')]).toEqual([503, true]);
        await isWell();
        expect(await described()).toContain('/api/shelves');
      } finally {
        await library.end('SIGKILL');
        await before.stop();
        rmSync(own, { recursive: true, force: true });
      }
    },
    600_000,
  );
});
