import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

jest.setTimeout(180_000);

const root = join(import.meta.dirname, '../../../..');
const dockerfile = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'lyceum-image-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Everything in a folder: each path with what it is, what is in it, and its time. */
function contents(at: string, top = at): readonly string[] {
  return readdirSync(at)
    .toSorted()
    .flatMap((name) => {
      const path = join(at, name);
      const status = lstatSync(path);
      const own = `${relative(top, path)} ${status.mode} ${status.mtimeMs}`;
      if (status.isDirectory()) return [own, ...contents(path, top)];
      const bytes = status.isSymbolicLink() ? readlinkSync(path) : readFileSync(path);
      return [`${own} ${createHash('sha256').update(bytes).digest('hex')}`];
    });
}

const bytesOf = (at: string): number =>
  readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0);

function runtimeTree(service: string, to: string): string {
  const at = join(folder, to);
  const env = { ...process.env, SOURCE_DATE_EPOCH: '1700000000' };
  execFileSync('node', ['deploy/docker/runtime-tree.mjs', service, at], { cwd: root, env, stdio: 'pipe' });
  return at;
}

// Gateway sends files of a package to browsers, media speaks to object stores, auth has native code of its own.
describe.each(['auth', 'gateway', 'media'])('what the image of %s runs', (service) => {
  let at: string;
  beforeAll(() => void (at = runtimeTree(service, service)));

  test('is at most 60 MB of packages, none of them for tests, without sources', () => {
    expect(bytesOf(join(at, 'node_modules')) / 1_000_000).toBeLessThan(60);
    const packages = readdirSync(join(at, 'node_modules'));
    for (const each of ['jest', 'typescript', 'testcontainers', 'playwright-core', 'oidc-provider'])
      expect(packages).not.toContain(each);
    expect(existsSync(join(at, 'libs/tools'))).toBe(false);
    expect(contents(at).filter((path) => /\.(ts|map) /.test(path))).toEqual([]);
  });

  test('starts by itself, and reads its settings', () => {
    const env = { PATH: process.env['PATH'] };
    const { status, stdout, stderr } = spawnSync('node', ['main.js', '--print-settings'], {
      cwd: at,
      env,
      encoding: 'utf8',
    });
    expect([stdout + stderr, status]).toEqual([expect.stringContaining('SERVICE_TOKEN (not set)'), 1]);
  });

  test('has a bill of materials that names each package that is there, with its version', () => {
    const bill = JSON.parse(readFileSync(join(at, 'sbom.cdx.json'), 'utf8')) as Bill;
    expect([bill.bomFormat, bill.metadata.component.name]).toEqual(['CycloneDX', `lyceum-${service}`]);
    const listed = new Set(bill.components.map(({ purl }) => decodeURIComponent(purl)));
    const manifests = readdirSync(join(at, 'node_modules'), { recursive: true })
      .map(String)
      .filter((path) => /^(@[^/]+\/)?[^/@]+\/package\.json$/.test(path));
    expect(manifests.length).toBeGreaterThan(50);
    const missing = manifests
      .map(
        (path) => JSON.parse(readFileSync(join(at, 'node_modules', path), 'utf8')) as { name: string; version: string },
      )
      .map(({ name, version }) => `pkg:npm/${name}@${version}`)
      .filter((purl) => !listed.has(purl));
    expect(missing).toEqual([]);
  });
});

interface Bill {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly { readonly purl: string }[];
}

describe('an image', () => {
  test('is the same, byte for byte, when it is built of the same checkout again', () =>
    expect(contents(runtimeTree('school', 'once'))).toEqual(contents(runtimeTree('school', 'again'))));

  test('of a service that does not exist is refused, and so is a folder that is not empty', () => {
    expect(() => runtimeTree('nothing', 'nothing')).toThrow('usage');
    expect(() => runtimeTree('auth', 'auth')).toThrow('is not empty');
  });

  test('is pinned by digest, runs as nobody that the machine knows, and has Node.js as its first process', () => {
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:24\.\d+\.\d+-[a-z]+-slim@sha256:[0-9a-f]{64}$/m);
    expect(dockerfile).toMatch(/^USER 10001:10001$/m);
    expect(dockerfile).toMatch(/^ENTRYPOINT \["node", "\/app\/main\.js"\]$/m);
    expect(dockerfile.match(/^FROM /gm)).toEqual(dockerfile.match(/^FROM \$\{NODE_IMAGE\}/gm)?.map(() => 'FROM '));
  });
});
