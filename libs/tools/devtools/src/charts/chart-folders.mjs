// Where the charts are, which need which, and what is written into them.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { dashboardFiles } from './observability/dashboards.mjs';
import { observabilitySchema } from './observability/observability-values.mjs';
import { platformSchema } from './platform-values.mjs';
import { serviceNames, serviceSchema } from './service-values.mjs';
import { tenancySchema } from './tenancy-values.mjs';
import { valuesFile } from './values-file.mjs';

export { serviceNames };

const root = join(import.meta.dirname, '../../../../..');
/** The folder of all charts. */
export const chartsFolder = join(root, 'deploy/charts');
/** The folder of the values files of the umbrella. */
export const valuesFolder = join(root, 'deploy/values');
/** The values files of the umbrella. */
export const sizes = ['laptop', 'small', 'large'];
/** Charts that install by themselves, each after those that it contains. */
export const charts = [...serviceNames, 'tenancy', 'platform', 'observability'];

const ownSchemas = { platform: platformSchema, tenancy: tenancySchema, observability: observabilitySchema };
const schemaOf = (chart) => (ownSchemas[chart] ? ownSchemas[chart]() : serviceSchema(chart));

/** The files of a chart that are written, by name: the schema of its values, what follows from that, and dashboards. */
export const writtenFiles = (chart) => ({
  'values.schema.json': `${JSON.stringify(schemaOf(chart), null, 2)}\n`,
  'values.yaml': valuesFile(schemaOf(chart)),
  ...(chart === 'observability' ? dashboardFiles() : {}),
});

/** Writes the schemas and values of all charts. */
export function writeValues() {
  for (const chart of charts)
    for (const [name, content] of Object.entries(writtenFiles(chart)))
      writeFileSync(join(chartsFolder, chart, name), content);
}

/** The charts that a chart contains. */
const dependenciesOf = (folder, chart) =>
  (parse(readFileSync(join(folder, chart, 'Chart.yaml'), 'utf8')).dependencies ?? []).map(({ name }) => name);

/** Copies the charts that a chart contains into its folder charts/, which Helm reads like the archives of `helm dependency update`. */
export function vendor(folder = chartsFolder) {
  for (const chart of charts) {
    const contained = join(folder, chart, 'charts');
    rmSync(contained, { recursive: true, force: true });
    for (const name of dependenciesOf(folder, chart))
      cpSync(join(folder, name), join(contained, name), { recursive: true });
  }
}

/** A copy of all charts that Helm can render, for tests that go side by side. */
export function vendoredCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'lyceum-charts-'));
  cpSync(chartsFolder, folder, { recursive: true });
  vendor(folder);
  return folder;
}
