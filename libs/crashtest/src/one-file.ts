import { transformSync } from '@swc/core';
import { readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A module as a function of `require` and `exports`, with the numbers of those that it imports. */
interface Linked {
  readonly code: string;
  readonly imports: Readonly<Record<string, number>>;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Writes a compiled script and all modules of this repository that it imports into one file, and gives the file. Node.js
 * looks for 140 modules, reads and links them in a tenth of a second of processor time, which thousands of short lives
 * each pay. The code is what the compiler made; third-party packages stay where they are. Several test processes may do
 * it at the same moment.
 */
export function oneFile(script: string): string {
  const target = script.replace(/\.js$/, '.linked.cjs');
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, linked(script));
  renameSync(draft, target);
  return target;
}

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
const program = ([script, ...others]: readonly Linked[]): string => `'use strict';
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
`;

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
