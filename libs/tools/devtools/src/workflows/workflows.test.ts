import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { findWorkflowLinters } from '../engines/workflow-linters.mjs';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { servicesWithCharts, workflowProblems } from '../workflows.mjs';

const root = join(import.meta.dirname, '../../../../..');
const folder = join(root, '.github/workflows');
const names = readdirSync(folder);
const services = readdirSync(join(root, 'services'));
const text = (name: string): string => readFileSync(join(folder, name), 'utf8');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}
interface Job {
  readonly uses?: string;
  readonly steps?: readonly Step[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly 'timeout-minutes'?: number;
}
interface Workflow {
  readonly on: Readonly<Record<string, { readonly paths?: readonly string[] } | null>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}
const workflow = (name: string): Workflow => parse(text(name)) as Workflow;
const jobsOf = (name: string): [string, Job][] => Object.entries(workflow(name).jobs);
const stepsOf = (name: string): Step[] => jobsOf(name).flatMap(([, { steps = [] }]) => [...steps]);

describe('the workflows of services', () => {
  test('are what npm run workflows writes', () => expect(workflowProblems()).toEqual([]));

  test('are one for each service, with every chart in one of them', () => {
    expect(names.filter((name) => name.startsWith('service-'))).toEqual(services.map((each) => `service-${each}.yml`));
    const charts = readdirSync(join(root, 'deploy/charts')).filter((name) => name !== 'lib');
    const packed = (servicesWithCharts() as { charts: string[] }[]).flatMap((each) => each.charts);
    expect(packed.toSorted()).toEqual(charts);
  });

  test.each(services)('that of %s runs when anything changes that its sources and tests import', (service) => {
    const { push, pull_request: asked } = workflow(`service-${service}.yml`).on;
    expect(asked?.paths).toEqual(push?.paths);
    const imported = readdirSync(join(root, 'services', service, 'src'), { recursive: true })
      .map((file) => join(root, 'services', service, 'src', String(file)))
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/from '@lyceum\/([a-z-]+)/g)])
      .map(([, name]) => name!);
    expect(imported.length).toBeGreaterThan(3);
    const folderOf = (name: string): string => {
      if (name.startsWith('service-')) return `services/${name.slice('service-'.length)}/**`;
      return name.startsWith('testkit') ? `libs/tools/${name}/**` : `libs/${name}/**`;
    };
    const missing = [...new Set(imported)].map(folderOf).filter((path) => !push?.paths?.includes(path));
    expect(missing).toEqual([]);
  });

  test('do not all run when one service changes', () => {
    const running = services.filter((service) =>
      workflow(`service-${service}.yml`).on['push']?.paths?.includes('services/catalog/**'),
    );
    expect(running).toEqual(['all-in-one', 'catalog']);
  });
});

describe('the owners of code', () => {
  const lines = readFileSync(join(root, '.github/CODEOWNERS'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/\s+/));
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
  const folders = workspaces
    .map((pattern) => pattern.replace('/*', ''))
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`))
    .filter((path) => readdirSync(join(root, path)).includes('package.json'));

  test('are said for each workspace, by a line of its own', () => {
    expect(folders.length).toBeGreaterThan(30);
    const owned = new Set(lines.filter(([, ...owners]) => owners.length > 0).map(([path]) => path));
    expect(folders.filter((path) => !owned.has(`/${path}/`))).toEqual([]);
  });

  test('are teams, and of each service its own', () => {
    for (const [, ...owners] of lines) for (const owner of owners) expect(owner).toMatch(/^@lyceum\/[a-z][a-z0-9-]*$/);
    for (const service of services.filter((name) => name !== 'all-in-one'))
      expect(lines).toContainEqual([`/services/${service}/`, `@lyceum/${service}`]);
  });

  test('name only what is there', () => {
    const paths = lines.map(([path]) => path!).filter((path) => path !== '*');
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe.each(names)('the workflow %s', (name) => {
  test('may do nothing but for what a job asks for', () => {
    expect(workflow(name).permissions).toEqual({});
    for (const [, job] of jobsOf(name)) expect(job.permissions).toBeDefined();
  });

  test('ends in time, and one run of it gives way to the next', () => {
    for (const [, job] of jobsOf(name)) if (!job.uses) expect(job['timeout-minutes']).toBeLessThanOrEqual(350);
    if (Object.keys(workflow(name).on).join() !== 'workflow_call') expect(workflow(name).concurrency).toBeDefined();
  });

  test('never runs what strangers sent with rights or secrets of this repository', () => {
    const { on } = workflow(name);
    for (const trigger of ['pull_request_target', 'workflow_run', 'issue_comment', 'issues'])
      expect(on).not.toHaveProperty([trigger]);
    for (const [, job] of jobsOf(name))
      if (/secrets\./.test(JSON.stringify(job)) || job.permissions?.['packages'])
        expect(job.environment).toBe('release');
    if (Object.keys(on).includes('pull_request')) expect(text(name)).not.toContain('secrets.');
  });

  test('runs no repository beside a right to sign or to publish', () => {
    for (const [, { permissions = {}, steps = [] }] of jobsOf(name))
      if (Object.values(permissions).includes('write'))
        expect(steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))).toEqual([]);
  });

  test('puts nothing into a script but by the environment', () => {
    for (const { run = '' } of stepsOf(name)) expect(run).not.toContain('${{');
  });

  test('takes actions by their digest, with their version beside it, and keeps no credentials', () => {
    for (const [, action] of text(name).matchAll(/uses: (.+)$/gm))
      if (!action!.startsWith('./')) expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    for (const { uses, with: given } of stepsOf(name))
      if (uses?.startsWith('actions/checkout@')) expect(given).toMatchObject({ 'persist-credentials': false });
  });

  test('calls scripts and workflows that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    for (const { run = '' } of stepsOf(name))
      for (const [, script] of run.matchAll(/npm run ([a-z:]+)/g)) expect(scripts).toHaveProperty([script!]);
    for (const [, { uses }] of jobsOf(name))
      if (uses) expect(names).toContain(uses.replace('./.github/workflows/', ''));
  });
});

test('the same action is the same everywhere', () => {
  const pins = names.flatMap((name) => [...text(name).matchAll(/uses: ([\w/-]+@.+)$/gm)].map(([, action]) => action!));
  const pinned = new Set(pins);
  expect(pinned.size).toBe(new Set(pins.map((action) => action.split('@')[0])).size);
});

const linters = findWorkflowLinters() as { actionlint: string; zizmor: string } | undefined;
if (linters === undefined && process.env['REQUIRE_BACKING_SERVICES'] === '1')
  throw new Error('there is no actionlint or no zizmor: npm run engines installs them');

(linters === undefined ? describe.skip : describe)('linters of workflows (npm run engines installs them)', () => {
  /** What both say of the workflows of a folder: where they end, and what they print. */
  function judged(at: string): { readonly actionlint: string; readonly zizmor: string } {
    const files = readdirSync(join(at, 'workflows')).map((name) => join(at, 'workflows', name));
    const zizmorArgs = ['--offline', '--persona=pedantic', '--no-progress', '--quiet', '--color=never'];
    const run = (command: string, args: string[]): string => {
      const { stdout, stderr, status } = spawnSync(command, args, { encoding: 'utf8', cwd: join(at, '..') });
      return status === 0 ? '' : `${stdout}${stderr}`;
    };
    return {
      actionlint: run(linters!.actionlint, ['-no-color', ...files]),
      zizmor: run(linters!.zizmor, [...zizmorArgs, `--config=${join(at, 'zizmor.yml')}`, ...files]),
    };
  }

  test('find nothing', () => expect(judged(join(root, '.github'))).toEqual({ actionlint: '', zizmor: '' }));

  test('would find a mistake, and a title of a pull request that becomes a command', () => {
    const copy = mkdtempSync(join(tmpdir(), 'lyceum-workflows-'));
    try {
      cpSync(join(root, '.github'), join(copy, '.github'), { recursive: true });
      const verify = join(copy, '.github/workflows/verify.yml');
      const step = '      - run: echo "${{ github.event.pull_request.title }}"\n        timeout: 5\n';
      writeFileSync(verify, readFileSync(verify, 'utf8') + step);
      const { actionlint, zizmor } = judged(join(copy, '.github'));
      expect(actionlint).toContain('unexpected key "timeout"');
      expect(zizmor).toContain('template-injection');
    } finally {
      rmSync(copy, { recursive: true });
    }
  });
});
