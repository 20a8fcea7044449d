import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/** The second witness of the import rules in ARCHITECTURE.md: reads the sources as text and trusts no linter. */
const root = join(import.meta.dirname, '../../../..');
const imports = /^\s*(?:import|export)\b[^'"]*?from '([^']+)'|import\('([^']+)'\)/gm;

const sources = ['libs', 'services'].flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/(^|\/)(dist|node_modules)\//.test(file))
    .map((file) => join(top, file)),
);
const found = sources.flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(imports)].map((match) => ({
    file,
    from: (match[1] ?? match[2])!,
  })),
);
/** libs/tools/<name> or <top>/<name>. */
const packageOf = (file: string) => /^(libs\/tools|libs|services)\/[^/]+/.exec(file)![0];
const isTest = (file: string) =>
  /\.test\.ts$|\/testing(\.ts$|\/)|^libs\/tools\/(testkit|testkit-service|crashtest|simulation|bench|devtools)\//.test(
    file,
  );
const breaking = (rule: (file: string, from: string) => boolean) =>
  found.filter(({ file, from }) => rule(file, from)).map(({ file, from }) => `${file} imports ${from}`);

describe('who may import whom', () => {
  test('the witness sees the tree', () => expect(found.length).toBeGreaterThan(100));

  test.each<[string, (file: string, from: string) => boolean]>([
    [
      '1 kernel imports nothing but Node',
      (f, from) => f.startsWith('libs/kernel/') && !isTest(f) && !/^(node:|\.)/.test(from),
    ],
    [
      '1 ports import kernel and the engine only',
      (f, from) =>
        /^libs\/(eventlog|documents|channel|ephemeral|mail)\//.test(f) &&
        /^@lyceum\/(?!kernel|sqlite|mongo|testkit)/.test(from),
    ],
    [
      '1 host → operations → service → internal-api → web, and never back',
      (f, from) => {
        const layers = ['web', 'internal-api', 'service', 'operations', 'host'];
        const of = layers.indexOf(f.split('/')[1]!);
        const imported = layers.indexOf(from.replace('@lyceum/', ''));
        return f.startsWith('libs/') && of >= 0 && imported >= of;
      },
    ],
    ['2 libs never import services', (f, from) => f.startsWith('libs/') && from.startsWith('@lyceum/service-')],
    [
      '3 and 4 services never import services, but for all-in-one',
      (f, from) => /^services\/(?!all-in-one\/)/.test(f) && from.startsWith('@lyceum/service-'),
    ],
    [
      '4 all-in-one imports services by their module export',
      (f, from) => /^@lyceum\/service-(?!.*\/module$)/.test(from) && f.length > 0,
    ],
    [
      '7 drivers are loaded only in adapter files',
      (f, from) =>
        /^(mongodb|kafkajs|ioredis|libsql|nodemailer|@opentelemetry)(\/|$)/.test(from) &&
        !isTest(f) &&
        !/^libs\/(sqlite|mail)\/|\/(mongodb|kafka|redis|otlp)([^/]*\.ts$|\/)/.test(f),
    ],
    ['8 testkit is imported only from tests', (f, from) => /^@lyceum\/testkit(-service)?$/.test(from) && !isTest(f)],
    ['no package is entered by a side door', (_, from) => /^@lyceum\/[a-z-]+\/(?!module$|testing$)/.test(from)],
    [
      'no relative import leaves its package',
      (f, from) => from.startsWith('.') && relative(packageOf(f), join(dirname(f), from)).startsWith('..'),
    ],
  ])('%s', (_, rule) => expect(breaking(rule)).toEqual([]));

  test('7 a process that tells of no traces loads nothing of the SDK of OpenTelemetry', () => {
    const names = new Map(
      readdirSync(join(root, 'node_modules/@lyceum'), { encoding: 'utf8' }).map((name) => [
        `@lyceum/${name}`,
        relative(root, realpathSync(join(root, 'node_modules/@lyceum', name))),
      ]),
    );
    /** The file that an import leads to; undefined for what is no part of this. */
    const leads = (file: string, from: string): string | undefined => {
      if (from.startsWith('.')) return join(dirname(file), from);
      const [, name, entry = 'index'] = /^(@lyceum\/[^/]+)(?:\/(\w+))?$/.exec(from) ?? [];
      return name && names.has(name) ? join(names.get(name)!, 'src', `${entry}.ts`) : undefined;
    };
    const atStart = /^\s*(?:import|export)\b(?! type\b)[^'"]*?from '([^']+)'/gm;
    const reached = new Set(['services/all-in-one/src/main.ts']);
    const foreign = new Set<string>();
    for (const file of reached)
      for (const [, from = ''] of readFileSync(join(root, file), 'utf8').matchAll(atStart)) {
        const target = leads(file, from);
        if (target === undefined) foreign.add(from);
        else reached.add(target);
      }
    expect(reached).toContain('libs/operations/src/tracing/open-tracing.ts');
    expect(foreign).toContain('koa');
    expect([...foreign].filter((from) => from.startsWith('@opentelemetry/'))).toEqual([]);
    const loading = found.filter(({ from }) => /\/otlp\//.test(from)).map(({ file }) => file);
    expect(loading).toEqual(['libs/operations/src/tracing/open-tracing.ts']);
  });

  test('only the settings read process.env', () => {
    const readers = sources.filter(
      (file) =>
        !isTest(file) &&
        // The operator's command line is a program of its own, and no service reads what it reads.
        !['libs/host/src/run.ts', 'libs/tools/operator/src/main.ts'].includes(file) &&
        /process\.env/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(readers).toEqual([]);
  });
});

/** The nouns of an area, which is a folder with `<noun>.events.ts`. */
const nounsOf = new Map<string, string[]>();
for (const file of sources) {
  const [, folder, noun] = /^(services\/.*)\/([a-z-]+)\.events\.ts$/.exec(file) ?? [];
  if (folder && noun) nounsOf.set(folder, [...(nounsOf.get(folder) ?? []), noun]);
}

/** Where a relative import leads; undefined for a package. */
const targetOf = (file: string, from: string) => (from.startsWith('.') ? join(dirname(file), from) : undefined);

/** Services that consist of slices: all but those that are made of a protocol, the edge, and the one process of all. */
const hasSlices = (file: string) => /^services\/(?!auth\/|gateway\/|all-in-one\/)/.test(file);

describe('areas', () => {
  test('the witness sees them', () => expect(nounsOf.size).toBeGreaterThan(12));

  test('5 an area sees the decider and the events of another only', () => {
    const foreign = found.flatMap(({ file, from }) => {
      const target = targetOf(file, from);
      if (!target || isTest(file) || !hasSlices(file)) return [];
      const [own, other] = [dirname(file), dirname(target)];
      const nouns = nounsOf.get(other);
      if (own === other || !nouns || !nounsOf.has(own)) return [];
      const seen = nouns.flatMap((noun) => [`${noun}.ts`, `${noun}.events.ts`]);
      return seen.includes(basename(target)) ? [] : [`${file} imports ${from}`];
    });
    expect(foreign).toEqual([]);
  });

  test('5 folders of a service do not import each other in a circle', () => {
    const below = new Map<string, Set<string>>();
    for (const { file, from } of found) {
      const target = targetOf(file, from);
      if (!target || isTest(file) || !hasSlices(file) || dirname(file) === dirname(target)) continue;
      below.set(dirname(file), (below.get(dirname(file)) ?? new Set()).add(dirname(target)));
    }
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      [...(below.get(from) ?? [])].some(
        (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
      );
    expect([...below.keys()].filter((folder) => reaches(folder, folder))).toEqual([]);
  });

  // What is imported as a type only is not there at run time.
  const atRunTime = /^\s*(?:import|export)\b(?! type\b)[^'"]*?from '([^']+)'|import\('([^']+)'\)/gm;
  const isPure = (from: string) => /^(zod|node:url|node:crypto|@lyceum\/(kernel|contracts))$/.test(from);

  /** What a file reaches that is not pure, whatever lies between, as chains. */
  function impureBehind(start: string): readonly string[] {
    const chains = new Map([[start, start]]);
    const impure: string[] = [];
    for (const [file, chain] of chains) {
      const text = readFileSync(join(root, file), 'utf8');
      if (/Date\.now|new Date\(\)|random(UUID|Bytes|Int)\b|Math\.random/.test(text))
        impure.push(`${chain}: clock or chance`);
      for (const match of text.matchAll(atRunTime)) {
        const from = (match[1] ?? match[2])!;
        const target = targetOf(file, from);
        if (!target && !isPure(from)) impure.push(`${chain} > ${from}`);
        if (target && !chains.has(target)) chains.set(target, `${chain} > ${target}`);
      }
    }
    return impure;
  }

  test('6 events, deciders and views reach nothing but pure code: no I/O, no clock, no chance', () => {
    const isDecider = (file: string) => /: (Decider|Evolving)</.test(readFileSync(join(root, file), 'utf8'));
    const starts = [...nounsOf].flatMap(([folder, nouns]) =>
      nouns.flatMap((noun) => {
        // A large area has its decider and its views in folders of their own below it.
        const own = sources.filter((file) => file.startsWith(`${folder}/`));
        const named = (kind: string) => own.filter((file) => basename(file) === `${noun}.${kind}`);
        return [...named('events.ts'), ...named('ts').filter(isDecider), ...named('view.ts')];
      }),
    );
    expect(starts.length).toBeGreaterThan(30);
    expect(starts.flatMap(impureBehind)).toEqual([]);
  });
});
