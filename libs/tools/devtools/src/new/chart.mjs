import { afterLast, atEndOf } from './edits.mjs';
import { filled } from './templates.mjs';

const dependency = (file, version) => `  - name: ${file}
    version: ${version}
    repository: file://../${file}
    condition: charts.${file}
`;

/** Writes the chart of a service, and registers it where charts are listed. Its values are written by `npm run charts`. */
export function addChart(tree, { file }) {
  const at = `deploy/charts/${file}`;
  const { version } = JSON.parse(tree.read('package.json'));
  const names = { file, version };
  tree.create(`${at}/Chart.yaml`, filled('service/chart', names));
  tree.create(`${at}/templates/${file}.yaml`, filled('service/chart-template', names));
  tree.edit('deploy/charts/platform/Chart.yaml', (text) => {
    const tenancy = /^ {2}- name: tenancy$/m.exec(text);
    if (!tenancy) return undefined;
    return text.slice(0, tenancy.index) + dependency(file, version) + text.slice(tenancy.index);
  });
  for (const [size, like] of Object.entries({ laptop: 'together', large: 'service' }))
    tree.edit(`deploy/values/${size}.yaml`, (text) =>
      afterLast(text, new RegExp(`^[a-z0-9-]+: \\*${like}$`), `${file}: *${like}`),
    );
  tree.edit('deploy/charts/lib/values.yaml', (text) => afterLast(text, /^ {2}- [a-z0-9-]+$/, `  - ${file}`));
  tree.edit('libs/tools/devtools/src/charts/service-values.mjs', (text) =>
    atEndOf(text, /^const services = \{$/m, '};', `  '${file}': parted(),`),
  );
}
