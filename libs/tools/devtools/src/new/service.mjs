import { addChart } from './chart.mjs';
import { afterLast, withElement, withImport } from './edits.mjs';
import { Refused } from './names.mjs';
import { filled } from './templates.mjs';

/** What a service consists of beside its areas: template → file. */
const parts = { package: 'package.json', tsconfig: 'tsconfig.json', turbo: 'turbo.json' };
const sources = { main: 'src/main.ts', module: 'src/module.ts' };

/** The setting that says where a service is. */
const addressOf = (file) => `${file.toUpperCase().replaceAll('-', '_')}_URL`;

/** Refuses a name that a gateway takes for itself, or whose address would be a setting of something else. */
function refuseTaken(tree, file) {
  const [, own] = /ofGateway: readonly string\[\] = \[(.*)\]/.exec(tree.read('libs/contracts/src/added-routes.ts'));
  if (own.includes(`'${file}'`)) throw new Refused(`the gateway calls something of its own ${file}`);
  if (tree.read('docs/settings.md').includes(`| \`${addressOf(file)}\``))
    throw new Refused(`${addressOf(file)} is a setting of its own: name the service something else`);
}

/** How a gateway that runs already, of this release or of one before, is told of a service: a setting, no code. */
export const routeSteps = ({ file }, { nouns }) => [
  `ROUTES=/api/${nouns}=${file} ${addressOf(file)}=http://${file}:8080   # for the gateway, and for auth`,
  `with Helm: --set-json 'global.lyceum.routes={"/api/${nouns}":{"service":"${file}"}}'   # of the releases gateway and auth`,
];

const container = (file, version) => `
  ${file}:
    <<: *app
    image: lyceum-${file}:${version}
    build: { <<: *build, args: { SERVICE: ${file} } }
    environment: *env
`;

/** Writes a service without areas, and registers it where services are listed. */
export function addService(tree, names) {
  const { file, name } = names;
  const { version } = JSON.parse(tree.read('package.json'));
  const at = `services/${file}`;
  for (const [template, path] of Object.entries({ ...parts, ...sources }))
    tree.create(`${at}/${path}`, filled(`service/${template}`, { ...names, version }));
  refuseTaken(tree, file);
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
    return addressed?.replace(/\nvolumes:\n/, `${container(file, version)}\nvolumes:\n`);
  });
  addChart(tree, names);
}
