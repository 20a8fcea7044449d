// npm run charts: writes the values, schemas and dashboards of all charts, puts into each the charts that it contains, lints
// all of them with every values file and renders the golden files anew. With --values it only writes values, schemas and
// dashboards, with --vendor it only makes the charts ready for Helm, with --pack CHART FOLDER it lints that chart and packs it.
import { join } from 'node:path';
import { charts, chartsFolder, sizes, valuesFolder, vendor, writeValues } from './charts/chart-folders.mjs';
import { packChart, writeGoldenFiles } from './charts/rendering.mjs';
import { findHelm, helm } from './charts/helm.mjs';

/** The helm of this machine. */
function requireHelm() {
  const command = findHelm();
  if (!command) throw new Error('There is no helm: npm run engines installs it, HELM names another');
  return command;
}

/** Packs the chart that the command line names into the folder that it names. */
function pack([chart, folder]) {
  if (!charts.includes(chart) || !folder)
    throw new Error(`usage: charts --pack CHART FOLDER; charts: ${charts.join(', ')}`);
  vendor();
  console.log(packChart({ command: requireHelm(), folder: chartsFolder }, chart, folder));
}

/** Lints the umbrella with every values file, and renders the golden files. */
function lintAndRender() {
  const command = requireHelm();
  console.log(helm(command, ['lint', '--strict', join(chartsFolder, 'observability')]).trim());
  for (const size of sizes) {
    const values = join(valuesFolder, `${size}.yaml`);
    console.log(helm(command, ['lint', '--strict', join(chartsFolder, 'platform'), '--values', values]).trim());
    writeGoldenFiles({ command, folder: chartsFolder }, size);
  }
  console.log(`Written: values and schemas of ${charts.length} charts, and their golden files.`);
}

const [only, ...names] = process.argv.slice(2);
if (only === '--pack') pack(names);
else if (only !== '--vendor') writeValues();
if (only === undefined || only === '--vendor') vendor();
if (only === undefined) lintAndRender();
