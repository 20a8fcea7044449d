import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

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
  /\.test\.ts$|\/testing(\.ts$|\/)|^libs\/tools\/(testkit|crashtest|simulation|bench|devtools)\//.test(file);
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
      '5 a slice sees no operations, lists and slices of another',
      (f, from) =>
        /^services\/(catalog|school)\//.test(f) &&
        !isTest(f) &&
        !f.includes('/demo/') &&
        /^\.\.\/[a-z-]+\/[a-z-]+\.(http|list|slice)\.ts$/.test(from),
    ],
    [
      '6 domain files are pure',
      (f, from) =>
        /^services\/(catalog|school)\/.*\/[a-z-]+(\.events|\.view)?\.ts$/.test(f) &&
        dirname(f).endsWith('s') &&
        /\.(events|view)\.ts$/.test(f) &&
        !/^(\.\/|\.\.\/|zod$|@lyceum\/kernel$)/.test(from),
    ],
    [
      '7 drivers are loaded only in adapter files',
      (f, from) =>
        /^(mongodb|kafkajs|ioredis|libsql|nodemailer)(\/|$)/.test(from) &&
        !isTest(f) &&
        !/^libs\/(sqlite|mail)\/|\/(mongodb|kafka|redis)[^/]*\.ts$/.test(f),
    ],
    ['8 testkit is imported only from tests', (f, from) => from === '@lyceum/testkit' && !isTest(f)],
    ['no package is entered by a side door', (_, from) => /^@lyceum\/[a-z-]+\/(?!module$|testing$)/.test(from)],
    [
      'no relative import leaves its package',
      (f, from) => from.startsWith('.') && relative(packageOf(f), join(dirname(f), from)).startsWith('..'),
    ],
  ])('%s', (_, rule) => expect(breaking(rule)).toEqual([]));

  test('6 domain files read no clock and no randomness', () => {
    const impure = sources.filter(
      (file) =>
        /\.(events|view)\.ts$/.test(file) &&
        /Date\.now|new Date\(\)|randomUUID|Math\.random/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(impure).toEqual([]);
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
