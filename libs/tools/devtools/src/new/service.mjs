import { afterLast, withElement, withImport } from './edits.mjs';
import { filled } from './templates.mjs';

/** What a service consists of beside its areas: template → file. */
const parts = { package: 'package.json', tsconfig: 'tsconfig.json', turbo: 'turbo.json' };
const sources = { main: 'src/main.ts', module: 'src/module.ts' };

const addressOf = (file) => `${file.toUpperCase().replaceAll('-', '_')}_URL`;

const container = (file) => `
  ${file}:
    <<: *app
    command: ['node', 'services/${file}/dist/main.js']
    environment: *env
`;

/** Writes a service without areas, and registers it where services are listed. */
export function addService(tree, names) {
  const { file, name } = names;
  const at = `services/${file}`;
  for (const [template, path] of Object.entries({ ...parts, ...sources }))
    tree.create(`${at}/${path}`, filled(`service/${template}`, names));
  const last = { path: 'services/all-in-one' };
  for (const config of ['tsconfig.json', 'tsconfig.tests.json'])
    tree.editJson(config, ({ references }) => {
      references.splice(
        references.findIndex(({ path }) => path === last.path),
        0,
        { path: at },
      );
    });
  tree.editJson('services/all-in-one/package.json', ({ dependencies }) => {
    dependencies[`@lyceum/service-${file}`] = '*';
  });
  tree.editJson('services/all-in-one/tsconfig.json', ({ references }) => void references.push({ path: `../${file}` }));
  const imported = `import { ${name} } from '@lyceum/service-${file}/module';`;
  const list = 'services/all-in-one/src/services.ts';
  tree.edit(list, (text) => withElement(text, /AnyModule\[\] = \[/, name));
  tree.edit(list, (text) => withImport(text, imported));
  tree.edit('docker-compose.yml', (text) => {
    const addressed = afterLast(text, /^ {2}\w+_URL: http:\/\/.*$/, `  ${addressOf(file)}: http://${file}:8080`);
    return addressed?.replace(/\nvolumes:\n/, `${container(file)}\nvolumes:\n`);
  });
}
