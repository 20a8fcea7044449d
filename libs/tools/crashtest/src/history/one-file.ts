import { transformSync } from '@swc/core';
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A module as a function of `require` and `exports`, with the numbers of those that it imports. */
interface Linked {
  readonly code: string;
  readonly imports: Readonly<Record<string, number>>;
}

const root = fileURLToPath(new URL('../../../../..', import.meta.url));

/**
 * Writes a compiled script and all modules of this repository that it imports into one file, beside it one that starts
 * it, and gives the latter. Node.js looks for 140 modules, reads, compiles and links them in a tenth of a second of
 * processor time, which thousands of short lives each pay. The code is what the compiler made; third-party packages stay
 * where they are. The first run that ends by itself leaves what the engine made of the code for those after it. Several
 * test processes may do all this at the same moment.
 */
export function oneFile(script: string): string {
  const place = script.replace(/\.js$/, '.linked');
  const text = linked(script);
  replace(`${place}.cjs`, text);
  replace(`${place}.start.cjs`, starter(place, createHash('sha256').update(text).digest('hex')));
  return `${place}.start.cjs`;
}

/** Whoever reads the file meanwhile finds the old text or the new one. */
function replace(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

/** The engine believes what it compiled when the source is as long as then, so that bears the digest of its source. */
const starter = (place: string, digest: string): string => `'use strict';
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { Script } = require('node:vm');
const [filename, cache] = ${JSON.stringify([`${place}.cjs`, `${place}.cache`])};
const digest = Buffer.from('${digest}');
let cachedData;
try {
  const kept = readFileSync(cache);
  if (kept.subarray(0, digest.length).equals(digest)) cachedData = kept.subarray(digest.length);
} catch {}
const script = new Script(readFileSync(filename, 'utf8'), { filename, cachedData });
if (!cachedData || script.cachedDataRejected)
  process.once('exit', () => {
    const draft = cache + '.' + process.pid;
    writeFileSync(draft, Buffer.concat([digest, script.createCachedData()]));
    renameSync(draft, cache);
  });
script.runInThisContext()(require, filename);
`;

function linked(script: string): string {
  const places = new Map<string, number>();
  const modules: Linked[] = [];
  const add = (file: string): number => {
    const known = places.get(file);
    if (known !== undefined) return known;
    const place = places.size;
    places.set(file, place);
    const code = commonJs(file);
    const imports: Record<string, number> = {};
    for (const [, name] of code.matchAll(/\brequire\("([^"]+)"\)/g)) {
      const imported = fileOf(name!, file);
      if (imported !== undefined) imports[name!] = add(imported);
    }
    modules[place] = { code, imports };
    return place;
  };
  add(script);
  return program(modules);
}

/** Only the script, the first module, may wait at its top level. */
const program = ([script, ...others]: readonly Linked[]): string => `(function (require, __filename) {
'use strict';
const modules = [
${[inFunction(script!, 'async '), ...others.map((module) => inFunction(module))].join(',\n')}
];
const made = [];
function load(place) {
  if (made[place]) return made[place];
  const [run, imports] = modules[place];
  run((made[place] = {}), (name) => (Object.hasOwn(imports, name) ? load(imports[name]) : require(name)));
  return made[place];
}
load(0);
})`;

const inFunction = ({ code, imports }: Linked, kind = ''): string =>
  `[${kind}(exports, require) => {\n${code}\n}, ${JSON.stringify(imports)}]`;

const commonJs = (file: string): string =>
  transformSync(readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, ''), {
    filename: file,
    swcrc: false,
    configFile: false,
    jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } },
    module: { type: 'commonjs', ignoreDynamic: true, importInterop: 'node' },
  }).code;

/** The file of an imported module, if it is one of this repository. */
function fileOf(name: string, from: string): string | undefined {
  if (name.startsWith('.')) return join(from, '..', name);
  if (!name.startsWith('@lyceum/')) return undefined;
  const [, unit, ...path] = name.split('/');
  const folder = realpathSync(join(root, 'node_modules/@lyceum', unit!));
  const { exports } = createRequire(from)(join(folder, 'package.json')) as {
    exports: Record<string, { default: string }>;
  };
  return join(folder, exports[['.', ...path].join('/')]!.default);
}
