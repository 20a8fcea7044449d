import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atEndOf, withElement, withImport } from './edits.mjs';
import { Refused } from './names.mjs';
import { filled, takenBy } from './templates.mjs';

/** What an area consists of: template → file, below the folder of the area. */
const parts = {
  events: 'events.ts',
  state: 'state.ts',
  decider: 'ts',
  schema: 'schema.ts',
  view: 'view.ts',
  http: 'http.ts',
  slice: 'slice.ts',
  'golden.test': 'golden.test.ts',
  'decider.test': 'test.ts',
  'http.test': 'http.test.ts',
};

const needed = ['contracts', 'kernel', 'service', 'web'];
const neededByTests = ['oauth', 'testkit', 'testkit-service'];

const moduleOf = (service) => `services/${service}/src/module.ts`;
const texts = 'services/auth/src/pages/texts';

/** Refuses names that something else has already. */
function refuseTaken(tree, root, service, names) {
  const { file, folder, nouns, names: variable, Type, words } = names;
  const taken = new Set(Object.keys(parts).flatMap((part) => takenBy(`area/${part}`)));
  const collision = [variable, Type].find((each) => taken.has(each));
  if (collision) throw new Refused(`"${words}": the files of every area call something else ${collision}`);
  const routes = tree.read('libs/contracts/src/routes.ts');
  if (routes.includes(`'/api/${nouns}'`)) throw new Refused(`/api/${nouns} is served already`);
  if (tree.has(`services/${service}/src/${folder}`)) throw new Refused(`services/${service}/src/${folder} exists`);
  const known = new RegExp(
    `\\bid: '(list|get|create|change|delete|publish|archive)?${Type}s?'|^  ${Type}Created: `,
    'mi',
  );
  for (const path of readdirSync(join(root, 'services'), { recursive: true, encoding: 'utf8' })) {
    if (!/\/src\/.*\.ts$/.test(path) || /node_modules|\/dist\//.test(path)) continue;
    if (path.endsWith(`/${file}.events.ts`)) throw new Refused(`services/${path} is about ${names.a} already`);
    const [found] = known.exec(readFileSync(join(root, 'services', path), 'utf8')) ?? [];
    if (found) throw new Refused(`services/${path} has ${found.trim()} already`);
  }
}

/** Adds the scopes of an area, unless the access specification has them, and what the consent page says of them. */
function addScopes(tree, root, { nouns, many }) {
  const scopes = 'libs/contracts/src/access/scopes.ts';
  const rights = [
    ['read', `Read ${many}`, `See ${many}`, 'member'],
    ['write', `Write ${many}`, `Create and change ${many}`, 'admin'],
  ];
  const missing = rights.filter(([right]) => !tree.read(scopes).includes(`'${nouns}:${right}'`));
  for (const [right, grants, says, least] of missing) {
    const entry = `  '${nouns}:${right}': { grants: '${grants}', area: '${nouns}', least: '${least}' },`;
    tree.edit(scopes, (text) => atEndOf(text, /export const scopes = \{/, '} as const', entry));
    for (const file of readdirSync(join(root, texts)).filter((name) => /^[a-z]{2}\.ts$/.test(name)))
      tree.edit(`${texts}/${file}`, (text) =>
        atEndOf(text, /^ {2}scopes: \{/m, '  },', `    '${nouns}:${right}': '${says}',`),
      );
  }
  return missing.length > 0;
}

/** Declares what the files of an area import. */
function addDependencies(tree, service) {
  tree.editJson(`services/${service}/package.json`, (manifest) => {
    const { zod } = JSON.parse(tree.read('libs/contracts/package.json')).dependencies;
    const own = Object.fromEntries(needed.map((name) => [`@lyceum/${name}`, '*']));
    manifest.dependencies = { ...manifest.dependencies, ...own, zod };
    const tests = neededByTests.map((name) => [`@lyceum/${name}`, '*']);
    const missing = tests.filter(([name]) => !(name in manifest.dependencies));
    manifest.devDependencies = { ...manifest.devDependencies, ...Object.fromEntries(missing) };
  });
  const config = `services/${service}/tsconfig.json`;
  for (const name of needed.filter((each) => !tree.read(config).includes(`../libs/${each}"`)))
    tree.edit(config, (text) => withElement(text, /"references": \[/, `{ "path": "../../libs/${name}" }`));
}

/** Writes an area into a service, and registers it. Resolves to what is left to do by hand. */
export function addArea(tree, root, service, names) {
  const module = moduleOf(service);
  const [, variable] = /export const (\w+) = domainModule\(/.exec(tree.read(module)) ?? [];
  const list = [/Slices = \[/, /\bslices: \[/].find((opening) => opening.test(tree.read(module)));
  if (!variable || !list) throw new Refused(`${module} has no list of slices: ${service} does not consist of areas`);
  refuseTaken(tree, root, service, names);
  const { file, folder, name, nouns } = names;
  for (const [template, ending] of Object.entries(parts)) {
    const text = filled(`area/${template}`, { ...names, module: variable });
    tree.create(`services/${service}/src/${folder}/${file}.${ending}`, text);
  }
  const imported = `import { ${name}Slice } from './${folder}/${file}.slice.ts';`;
  tree.edit(module, (text) => withElement(text, list, `${name}Slice`));
  tree.edit(module, (text) => withImport(text, imported));
  const route = `  '/api/${nouns}': '${service}',`;
  tree.edit('libs/contracts/src/routes.ts', (text) => atEndOf(text, /export const routes\b/, '};', route));
  addDependencies(tree, service);
  return addScopes(tree, root, names) ? [`translate the lines '${nouns}:…' of ${texts}/*.ts`] : [];
}
