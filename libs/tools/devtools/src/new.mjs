// npm run new -- <service> [<noun>]: writes an area of a service (npm run new -- catalog badge): events, decider, state,
// view, schemas, operations, slice and their tests, and registers it. A service that does not exist is written first; with
// no noun, it has no area yet. --plural says what several are called, where the rules of English do not. All or nothing.
import { spawnSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { addArea } from './new/area.mjs';
import { Refused, areaNames, serviceNames } from './new/names.mjs';
import { addService, routeSteps } from './new/service.mjs';
import { Tree } from './new/tree.mjs';

const root = process.cwd();
const usage = 'npm run new -- <service> [<noun>] [--plural <nouns>]';

function asked() {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: { plural: { type: 'string' } } });
    if (positionals.length === 0 || positionals.length > 2) throw new Error('a service, and one noun at most');
    return { service: positionals[0], noun: positionals[1], plural: values.plural };
  } catch (error) {
    throw new Refused(`${error.message}: ${usage}`);
  }
}

/** Runs a program of the repository; what it says is shown when it fails. */
function runs(file, args, env = {}) {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  if (status !== 0) console.error(`${stdout}${stderr}`);
  return status === 0;
}

/** Makes a new package one of the workspace: its entry in the lock file, and its link in node_modules. */
function link({ file }) {
  const entry = join('node_modules', '@lyceum', `service-${file}`);
  if (!existsSync(entry)) symlinkSync(join('..', '..', 'services', file), entry);
  return runs('npm', ['install', '--package-lock-only', '--offline', '--ignore-scripts', '--no-audit', '--no-fund']);
}

/** Adds what the golden tests keep: fixtures of new events, the version of a new read model, the address of a new service. */
function goldens(patterns) {
  const options = `${process.env['NODE_OPTIONS'] ?? ''} --experimental-vm-modules --no-warnings`.trim();
  runs(join('node_modules', '.bin', 'jest'), patterns, { GOLDEN: 'add', NODE_OPTIONS: options });
  return runs(join('node_modules', '.bin', 'prettier'), ['--write', '--log-level', 'warn', 'docs/settings.md']);
}

try {
  const { service, noun, plural } = asked();
  const tree = new Tree(root);
  const names = serviceNames(service);
  const isNew = !tree.has(`services/${service}`);
  if (!isNew && noun === undefined) throw new Refused(`the service ${service} exists: name what its new area is about`);
  if (isNew) addService(tree, names);
  const area = noun === undefined ? undefined : areaNames(noun, plural);
  const left = area ? addArea(tree, root, service, area) : [];
  const files = await tree.write();
  for (const { path, lines, isNew: made } of files) console.log(`${made ? 'new    ' : 'changed'} ${path} (${lines})`);
  if (isNew && !link(names)) left.unshift('npm install');
  if (isNew) runs(process.execPath, ['libs/tools/devtools/src/charts.mjs', '--values']);
  if (isNew) runs(process.execPath, ['libs/tools/devtools/src/workflows.mjs']);
  const kept = [
    ...(area ? [`services/${service}/src/${area.folder}/.*golden`, 'all-in-one/src/read-models.golden'] : []),
    ...(isNew ? ['all-in-one/src/settings.golden'] : []),
  ];
  if (!goldens(kept)) left.push('npm run golden');
  const steps = [
    ...left,
    ...(isNew ? ['npm run charts'] : []),
    ...(area ? ['npm run client'] : []),
    'npm run check',
    `npm test -- services/${service}`,
  ];
  console.log(['', 'What is left:', ...steps.map((step) => `  ${step}`)].join('\n'));
  if (isNew && area) {
    console.log('\nA gateway that runs already leads there without a change of its code, by its settings:');
    for (const step of routeSteps(names, area)) console.log(`  ${step}`);
    console.log(
      '\nPeople can grant its scopes as soon as the auth service has them, which is of this release or a later one.',
    );
  }
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
