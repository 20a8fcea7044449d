// What Helm renders, as objects; and the golden files of it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { chartsFolder, sizes, valuesFolder } from './chart-folders.mjs';
import { helm } from './helm.mjs';

/** The values of the umbrella in one of its files. */
export const valuesOf = (size) => parse(readFileSync(join(valuesFolder, `${size}.yaml`), 'utf8'), { merge: true });

/** The values with which the chart of one service renders by itself what the umbrella renders of it. */
export const ownValues = (values, chart) => ({ global: values.global, ...values[chart] });

/** What helm prints, run on a chart of a folder with these values. */
function helmWith({ command, folder }, args, chart, values) {
  const given = mkdtempSync(join(tmpdir(), 'lyceum-values-'));
  try {
    const file = join(given, 'values.yaml');
    writeFileSync(file, stringify(values));
    return helm(command, [...args, join(folder, chart), '--values', file]);
  } finally {
    rmSync(given, { recursive: true });
  }
}

/** The text that Helm renders of a chart of a folder with these values. `release` must not be seen in it. */
export const renderText = (renderer, chart, values, release = 'a-release') =>
  helmWith(renderer, ['template', release], chart, values);

const nameOf = ({ kind, metadata }) => `${kind}/${metadata.name}`;

/** The objects of a rendered text by kind and name, in the order of these. */
export function objectsOf(text) {
  const documents = parseAllDocuments(text, { strict: true, uniqueKeys: true });
  const errors = documents.flatMap((document) => document.errors);
  if (errors.length > 0) throw errors[0];
  const objects = documents.map((document) => document.toJS()).filter((object) => object !== null);
  const named = objects.map((object) => [nameOf(object), object]).sort(([a], [b]) => (a < b ? -1 : 1));
  const twice = named.find(([name], index) => named[index + 1]?.[0] === name);
  if (twice) throw new Error(`${twice[0]} is rendered twice`);
  return new Map(named);
}

/** Charts whose objects are kept whole: the edge, a service in roles, one that keeps files, and the routes. The others are like the second. */
export const goldenCharts = ['gateway', 'auth', 'media', 'tenancy'];

/** The golden text of one chart of the umbrella. */
export const goldenText = (renderer, size, chart) =>
  [...objectsOf(renderText(renderer, chart, ownValues(valuesOf(size), chart))).values()]
    .map((object) => stringify(object, { singleQuote: true, lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n');

/** Where the golden text of one chart is kept. */
export const goldenFile = (size, chart) => join(chartsFolder, `../golden/${size}/${chart}.yaml`);

/** Whether the umbrella has the chart with these values. */
export const isPart = (size, chart) => valuesOf(size).charts?.[chart] ?? chart !== 'tenancy';

/** Renders the golden files of one values file anew. */
export function writeGoldenFiles(renderer, size) {
  for (const chart of goldenCharts.filter((each) => isPart(size, each))) {
    const file = goldenFile(size, chart);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, goldenText(renderer, size, chart));
  }
}

/**
 * Packs a chart, which others have to be in already (`vendor`), after a lint with what each values file says of it.
 * Returns the file.
 */
export function packChart(renderer, chart, folder) {
  const sizesOfIt = sizes.filter((size) => chart === 'platform' || isPart(size, chart));
  for (const size of sizesOfIt)
    helmWith(
      renderer,
      ['lint', '--strict'],
      chart,
      chart === 'platform' ? valuesOf(size) : ownValues(valuesOf(size), chart),
    );
  const printed = helm(renderer.command, ['package', join(renderer.folder, chart), '--destination', folder]);
  return /saved it to: (.+)$/m.exec(printed)[1];
}
