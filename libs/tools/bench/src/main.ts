import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Case } from './measuring/case.ts';
import { benchmarksPage } from './measuring/benchmarks-page.ts';
import { machineClass } from './measuring/machine-class.ts';
import { type CaseResult, measure } from './measuring/measure.ts';
import { table } from './measuring/report.ts';
import type { Run } from './measuring/run.ts';

/** Cases by the word that selects them; loaded when selected. `isLong`: there is time for the largest. */
const suites: Readonly<Record<string, (isLong: boolean) => Promise<readonly Case[]>>> = {
  append: async () => (await import('./append/append.ts')).appendCases,
  growth: async (isLong) => (await import('./append/growth.ts')).growthCases(isLong),
  reads: async () => (await import('./read-models/reads.ts')).readCases,
  projected: async () => (await import('./read-models/projected.ts')).projectedCases,
  erasure: async (isLong) => (await import('./erasure/erasure.ts')).erasureCases(isLong),
  mongo: async () => (await import('./servers/mongo.ts')).mongoCases,
  kafka: async () => (await import('./servers/kafka.ts')).kafkaCases,
  auth: async () => (await import('./auth/auth.ts')).authCases,
  'auth-processes': async () => (await import('./auth/auth-processes.ts')).authProcessesCases,
  peers: async () => (await import('./auth/peers/peers.ts')).peerCases,
  gateway: async () => (await import('./gateway/gateway.ts')).gatewayCases,
  api: async () => (await import('./api/api.ts')).apiCases,
  mcp: async () => (await import('./gateway/mcp.ts')).mcpCases,
  start: async () => (await import('./start/start.ts')).startCases,
  schools: async (isLong) => (await import('./schools/schools.ts')).schoolsCases(isLong),
  'school-processes': async (isLong) => (await import('./schools/school-processes.ts')).schoolProcessesCases(isLong),
  fairness: async () => (await import('./use/fairness.ts')).fairnessCases,
  soak: async (isLong) => (await import('./use/soak.ts')).soakCases(isLong),
  'school-size': async (isLong) => (await import('./school-size/school-size.ts')).schoolSizeCases(isLong),
  rebuild: async () => (await import('./read-models/rebuild.ts')).rebuildCases,
  replicas: async () => (await import('./replicas/replicas.ts')).replicasCases,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: 'boolean' },
    json: { type: 'string' },
    only: { type: 'string' },
    report: { type: 'boolean' },
  },
});
const unknown = positionals.find((word) => !suites[word]);
if (unknown !== undefined) {
  process.stderr.write(`there is no ${unknown}: ${Object.keys(suites).join(', ')}\n`);
  process.exit(2);
}

const effort = values.long ? { rounds: 21, milliseconds: 1_000 } : { rounds: 7, milliseconds: 400 };
const words = positionals.length > 0 ? positionals : Object.keys(suites);
const selected = await Promise.all(words.map((word) => suites[word]!(values.long === true)));
const results: CaseResult[] = [];
const { node, v8 } = process.versions;
const flags = [
  values.long && '--long',
  values.only !== undefined && `--only '${values.only}'`,
  values.report && '--report',
];
const command = ['npm run bench --', ...positionals, ...flags].filter(Boolean).join(' ');
const machine = machineClass();

/** After each case: a run of many minutes that is ended early leaves what it has. */
async function keep(): Promise<void> {
  const run: Run = { at: new Date().toISOString(), node, v8, command, machine, effort, results };
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(run, null, 2)}\n`);
  if (values.report) await writeFile(new URL('../../../../BENCHMARKS.md', import.meta.url), benchmarksPage(run));
}

for (const each of selected.flat().filter(({ name }) => name.includes(values.only ?? ''))) {
  results.push(await measure(each, effort));
  process.stdout.write(`${table(results.at(-1)!)}\n`);
  await keep();
}
