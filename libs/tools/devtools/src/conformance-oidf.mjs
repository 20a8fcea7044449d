// npm run conformance:oidf: how to run the OpenID Foundation suite against a school, and what of it this machine lacks.
// With `-- --school <id>` it registers the static clients of the plans at the operator listener and writes the plans'
// configurations, `oidf-*.json`, which hold their secrets. With `--run` it also runs the plans through the REST API of
// a suite that is up, prints what each module said, and fails when one failed. docs/conformance.md tells the rest.
//   --issuer https://school.example   the school's address as the suite sees it
//   --suite https://localhost.emobix.co.uk:8443   --operator http://127.0.0.1:8081   --out oidf
//   --plan <part of a plan's name>   --module <part of a module's name>   --results <file of JSON>
//   --email owner@lantern.test; OPERATOR_TOKEN and PERSON_PASSWORD come from the environment
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileOf, planArgument, plans, preparedBy, writePlans } from './oidf-plan.mjs';
import { isGood, linesOf, runPlan, tally, versionOfSuite } from './oidf-suite.mjs';

const versionOf = (name, ...args) => {
  const { status, stdout, stderr } = spawnSync(name, args, { encoding: 'utf8' });
  return status === 0 ? `${stdout}${stderr}`.trim().split('\n')[0] : undefined;
};

/** What the suite needs, whether it is here, and what to do if it is not. */
function needs() {
  const java = versionOf('java', '-version');
  const major = Number(/"(\d+)/.exec(java ?? '')?.[1] ?? 0);
  const has = (name, version, remedy) => [name, version !== undefined, version ?? remedy];
  return [
    ['Java 21', major >= 21, java ?? 'absent'],
    has('Maven', versionOf('mvn', '--version'), 'absent'),
    has(
      'MongoDB',
      versionOf('mongod', '--version') ?? versionOf('docker', 'version', '-f', '{{.Server.Version}}'),
      'absent, and no Docker',
    ),
    has('Python 3', versionOf('python3', '--version'), 'absent'),
    has('a TLS front', versionOf('nginx', '-v') ?? versionOf('caddy', 'version'), 'neither nginx nor caddy'),
  ];
}

function printGuide() {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/conformance.md'), 'utf8');
  console.log(page.slice(page.indexOf('## The OpenID Foundation suite')).trim());
  console.log('\nThis machine:');
  for (const [name, isHere, what] of needs())
    console.log(`  ${isHere ? 'ok     ' : 'missing'}  ${name.padEnd(12)} ${what}`);
}

async function runPlans(options, configurations) {
  const { suite, plan, module, results } = options;
  console.log(`The suite at ${suite} is version ${await versionOfSuite(suite)}.`);
  const report = (done) => linesOf(done).forEach((line) => console.log(line));
  const [ran, prepared] = [[], preparedBy(options)];
  for (const { name, variant, clients } of plans.filter((each) => each.name.includes(plan))) {
    console.log(`\n${planArgument({ name, variant })}`);
    const configuration = configurations[clients];
    ran.push(await runPlan(suite, { name, variant, configuration }, { only: module, prepared, report }));
  }
  console.log(`\n${ran.map(tally).join('\n')}`);
  if (results !== undefined) writeFileSync(results, `${JSON.stringify(ran, null, 2)}\n`);
  if (!ran.every(isGood)) process.exitCode = 1;
}

const { values } = parseArgs({
  options: {
    school: { type: 'string' },
    issuer: { type: 'string', default: 'https://school.example' },
    suite: { type: 'string', default: 'https://localhost.emobix.co.uk:8443' },
    operator: { type: 'string', default: 'http://127.0.0.1:8081' },
    email: { type: 'string', default: 'owner@lantern.test' },
    out: { type: 'string', default: 'oidf' },
    run: { type: 'boolean', default: false },
    plan: { type: 'string', default: '' },
    module: { type: 'string', default: '' },
    results: { type: 'string' },
  },
});
if (values.school === undefined) printGuide();
else if (!process.env['OPERATOR_TOKEN'] || !process.env['PERSON_PASSWORD'])
  throw new Error('set OPERATOR_TOKEN and PERSON_PASSWORD');
else {
  const configurations = await writePlans(values);
  if (values.run) await runPlans(values, configurations);
  else
    console.log(
      `In the folder of the suite:\n\n  scripts/run-test-plan.py ${plans
        .map((each) => `'${planArgument(each)}' ${fileOf(values, each.clients)}`)
        .join(' ')}`,
    );
}
