import { beforeAll, describe, expect, test } from '@jest/globals';
import { readArguments } from '@lyceum/host';
import { type Place, blocksOf, call, commandsOf, describeTopologies, runbooks } from '@lyceum/testkit';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { alertRules, metricsIn, notExported, readMetrics } from '../../testing/operating/observed-metrics.ts';

const root = join(import.meta.dirname, '../../../../..');
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
const pages = runbooks();
const commands = pages.flatMap(commandsOf);
const of = (...programs: string[]) => commands.filter(({ words }) => programs.includes(words[0]!));
const shown = ({ page, words }: (typeof commands)[number]): string => `${page}: ${words.join(' ')}`;

/** Programs that are not ours: operators have them, or their engines bring them. */
const others = [
  'curl cp df dig du grep ls mv sort tail timedatectl uniq',
  'journalctl systemctl helm kubectl',
  'mongosh mongorestore redis-cli',
  'kafka-broker-api-versions.sh kafka-console-consumer.sh kafka-consumer-groups.sh kafka-topics.sh',
].flatMap((names) => names.split(' '));

describe('docs/runbooks', () => {
  test('has a page for each alert, each in the index, and no page of an alert that there is not', async () => {
    const alerts = (await alertRules()).map(({ alert }) => `${alert}.md`);
    const names = pages.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(alerts));
    expect(names.filter((name) => name.startsWith('Lyceum') && !alerts.includes(name))).toEqual([]);
    const index = read('docs/runbooks/README.md');
    for (const name of names) if (name !== 'README.md') expect(index).toContain(`](${name})`);
  });

  test('says of each what it means, what users see, how to look, how to mend and how to know that it is over', () => {
    for (const { name, text } of pages.filter((page) => page.name !== 'README.md')) {
      const parts = ['**What it means.** ', '**What users see.** ', '## How to look\n', '## How to mend\n'];
      for (const title of [...parts, '## How to know that it is over\n'])
        expect({ name, has: text.includes(title) ? title : '' }).toEqual({ name, has: title });
      expect({ name, lines: text.split('\n').length < 60 }).toEqual({ name, lines: true });
    }
  });

  test('has links that lead somewhere', () => {
    for (const { name, text } of pages)
      for (const [, link] of text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g))
        expect({ name, link, exists: existsSync(join(root, 'docs/runbooks', link!)) }).toEqual({
          name,
          link,
          exists: true,
        });
  });

  test('has blocks that a shell can read, and programs that are known', () => {
    for (const page of pages)
      for (const block of blocksOf(page, 'sh')) {
        const { status, stderr } = spawnSync('bash', ['-n'], { input: block, encoding: 'utf8' });
        expect({ page: page.name, status, stderr }).toEqual({ page: page.name, status: 0, stderr: '' });
      }
    const known = new Set([...others, 'lyceum', 'lyceum-server', 'npm']);
    expect(commands.length).toBeGreaterThan(80);
    expect(commands.filter(({ words }) => !known.has(words[0]!)).map(shown)).toEqual([]);
  });

  test('runs the server with arguments that it knows, and scripts that there are', () => {
    const serving = of('lyceum-server');
    expect(serving.length).toBeGreaterThan(2);
    for (const { words } of serving) expect(readArguments(words.slice(1))).toHaveProperty('command');
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const run = of('npm').map(({ words }) => words.filter((word) => !word.startsWith('-')));
    expect(run.length).toBeGreaterThan(0);
    for (const words of run) {
      expect(words[1]).toBe('run');
      expect(Object.keys(scripts)).toContain(words[2]);
    }
  });

  test('names Deployments, Services and charts that there are', () => {
    const services = readdirSync(join(root, 'services')).filter((name) => name !== 'all-in-one');
    const roles = services.flatMap((name) => [name, `${name}-http`, `${name}-consumer`, `${name}-relay`]);
    const named = of('kubectl').flatMap((command) =>
      command.words.flatMap((word) => {
        const [, kind, name] = /^(deployment|service)\/(.+)$/.exec(word) ?? [];
        if (kind === undefined) return [];
        const known = kind === 'service' ? [...services, ...services.map((each) => `${each}-operator`)] : roles;
        return [{ command: shown(command), isKnown: known.includes(name!) && name !== 'gateway-relay' }];
      }),
    );
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter(({ isKnown }) => !isKnown)).toEqual([]);
    for (const { words } of of('helm'))
      for (const word of words.filter((each) => each.startsWith('deploy/')))
        expect(existsSync(join(root, word, 'Chart.yaml'))).toBe(true);
  });

  test('names settings, files and values that there are', () => {
    const settings = new Set([...read('docs/settings.md').matchAll(/^\| `([A-Z0-9_]+)`/gm)].map(([, name]) => name!));
    const values = readdirSync(join(root, 'deploy/charts'))
      .filter((chart) => existsSync(join(root, 'deploy/charts', chart, 'values.yaml')))
      .map((chart) => read('deploy/charts', chart, 'values.yaml'))
      .join('\n');
    for (const { name, text } of pages) {
      // In words, not in commands, where variables are a person's own.
      const words = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
      for (const [, setting] of words.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`/g))
        expect({ name, setting, isKnown: settings.has(setting!) }).toEqual({ name, setting, isKnown: true });
      for (const [, file] of words.matchAll(/\b((?:docs|deploy)\/[\w./-]*\w)/g))
        expect({ name, file, exists: existsSync(join(root, file!)) }).toEqual({ name, file, exists: true });
      for (const [, path] of text.matchAll(/\b(global\.lyceum(?:\.\w+)+)/g)) {
        const last = path!
          .split('.')
          .filter((each) => !settings.has(each))
          .at(-1)!;
        expect({ name, path, isKnown: new RegExp(`^ +${last}:`, 'm').test(values) }).toEqual({
          name,
          path,
          isKnown: true,
        });
      }
    }
  });
});

await describeTopologies(
  'docs/runbooks',
  ({ open }) => {
    let system: Place;
    beforeAll(async () => void ({ system } = await open()), 300_000);

    test('asks paths of the operator listener that it describes', async () => {
      const { body } = await call(`${system.operatorUrl}/internal/openapi.json`, { token: system.operatorToken });
      const paths = Object.keys(body.paths as object);
      const asked = of('curl').flatMap(({ words }) =>
        words.flatMap((word) => /^\$OPERATOR_URL(\/.*)$/.exec(word)?.[1] ?? []),
      );
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.filter((path) => !paths.includes(path.split('?')[0]!))).toEqual([]);
    });

    test('asks metrics that the system exports', async () => {
      const queries = pages.flatMap((page) =>
        blocksOf(page, 'promql').flatMap((block) =>
          block
            .split('\n')
            .filter((line) => line.trim() !== '')
            .map((expression) => ({ at: page.name, expression })),
        ),
      );
      expect(queries.length).toBeGreaterThan(25);
      for (const query of queries) expect(metricsIn(query).length).toBeGreaterThan(0);
      const inWords = pages.flatMap(({ name, text }) =>
        [...text.matchAll(/`((?:lyceum|nodejs|process)_[a-z0-9_]+)`/g)].map(([, metric]) => ({
          at: name,
          expression: metric!,
        })),
      );
      const metrics = await readMetrics(system.operatorUrl, system.operatorToken);
      expect(notExported([...queries, ...inWords], [metrics])).toEqual([]);
    });
  },
  'one',
);
