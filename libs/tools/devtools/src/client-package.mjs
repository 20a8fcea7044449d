import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const folder = 'libs/client';

/** The client as npm would pack it: `name`, `files`, `size` (bytes). Throws with what npm says. */
export function packedClient() {
  const packed = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '-w', folder], {
    encoding: 'utf8',
  });
  if (packed.status !== 0) throw new Error(packed.stderr);
  return JSON.parse(packed.stdout)[0];
}

/** What is wrong with the client as it would be published; its sources must have been compiled. */
export function packageProblems() {
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const files = packedClient().files.map(({ path }) => path);
  const { exports, bin, dependencies = {} } = manifest;
  const entries = Object.values(exports).flatMap(({ types, default: code }) => [types, code]);
  const needed = ['README.md', 'LICENSE', ...[...entries, ...Object.values(bin)].map((file) => file.replace('./', ''))];
  const isStrange = (file) => !/^(README\.md|LICENSE|package\.json|dist\/[\w/-]+\.(js|d\.ts))$/.test(file);
  return [
    ...(manifest.private ? ['it is private'] : []),
    ...needed.filter((file) => !files.includes(file)).map((file) => `${file} is missing`),
    ...files.filter((file) => isStrange(file) || /test/.test(file)).map((file) => `${file} does not belong in it`),
    ...Object.keys(dependencies)
      .filter((name) => name.startsWith('@lyceum/'))
      .map((name) => `it depends on ${name}, which is not published`),
  ];
}
