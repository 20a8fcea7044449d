// npm run release [-- --dry-run] [--version 1.2.3]: makes what CHANGELOG.md has under “Unreleased” a release: its section,
// the version of all workspaces, charts and images, the golden files of the charts; tells what is to be committed, tagged, pushed
// and published. It publishes nothing: the workflow of releases does, on the tag. --dry-run changes nothing either.
// npm run release -- --verify [--tag v1.2.3] [--output FILE] [--notes FILE]: what that workflow asks: versions and changelog
// agree with the tag; writes version and services as outputs, and the notes.
import { spawnSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findHelm } from '../charts/helm.mjs';
import { servicesWithCharts } from '../workflows.mjs';
import { git, planOf, publishedLines, verified } from './plan.mjs';
import { Refused } from './refused.mjs';

const root = process.cwd();

function asked() {
  try {
    const { values } = parseArgs({
      options: {
        'dry-run': { type: 'boolean', default: false },
        verify: { type: 'boolean', default: false },
        version: { type: 'string' },
        tag: { type: 'string' },
        output: { type: 'string' },
        notes: { type: 'string' },
      },
    });
    return values;
  } catch (error) {
    throw new Refused(error.message);
  }
}

function verify({ tag, output, notes: file }) {
  const { version, notes } = verified(root, tag);
  const services = servicesWithCharts().map(({ service, charts }) => ({ service, charts: charts.join(' ') }));
  if (output !== undefined) appendFileSync(output, `version=${version}\nservices=${JSON.stringify(services)}\n`);
  if (file !== undefined) writeFileSync(file, `${notes}\n`);
  for (const line of publishedLines(version)) console.log(`would ${line}`);
}

/** Writes the files of a release; returns what is left for a person. */
function write({ version, files }) {
  if (git(root, 'status', '--porcelain') !== '')
    throw new Refused('the working tree has changes: commit or stash them');
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, file), text);
  const rendered =
    findHelm() !== undefined &&
    spawnSync(process.execPath, [join(root, 'libs/tools/devtools/src/charts.mjs')], { stdio: 'ignore' }).status === 0;
  return [
    ...(rendered ? [] : ['npm run charts']),
    'npm run check',
    `git commit --all --message 'Release ${version}'`,
    `git tag --sign v${version} --message 'Release ${version}'`,
    `git push origin HEAD v${version}`,
  ];
}

function release({ version: wanted, 'dry-run': isDry }) {
  const plan = planOf(root, { asked: wanted, day: new Date().toISOString().slice(0, 10) });
  const published = publishedLines(plan.version);
  console.log(`Release ${plan.version}, after ${plan.before}: ${plan.notes.split('\n').length} lines of notes.`);
  console.log(`${isDry ? 'would change' : 'changes'} ${Object.keys(plan.files).join(', ')}, and deploy/golden`);
  const steps = isDry ? [] : write(plan);
  for (const line of published) console.log(`would ${line}`);
  if (steps.length > 0) console.log(['', 'What is left:', ...steps.map((step) => `  ${step}`)].join('\n'));
}

try {
  const values = asked();
  if (values.verify) verify(values);
  else release(values);
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
