// The custom resources that the charts can ask for: their definitions come with the modules of the projects that make them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, command } from './places.mjs';

/** Modules, what the Go checksum database says of each, and the definitions in it that are needed. */
const modules = [
  {
    module: 'sigs.k8s.io/gateway-api@v1.3.0',
    sum: 'h1:q6okN+/UKDATola4JY7zXzx40WO4VISk7i9DIfOvr9M=',
    files: ['gateways', 'httproutes'].map((name) => `config/crd/standard/gateway.networking.k8s.io_${name}.yaml`),
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    sum: 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=',
    files: ['podmonitors', 'prometheusrules'].map(
      (name) => `example/prometheus-operator-crd/monitoring.coreos.com_${name}.yaml`,
    ),
  },
  {
    module: 'github.com/kedacore/keda/v2@v2.17.2',
    sum: 'h1:xlrcK5TKABJF9PebK79sgL07s/csGjL3H4m72OkZXxk=',
    files: ['scaledobjects', 'triggerauthentications'].map((name) => `config/crd/bases/keda.sh_${name}.yaml`),
  },
];

/** The definitions, in one file; loaded once for a machine. Throws where a module is not what it was. */
export function definitions() {
  const file = join(cache, 'definitions.yaml');
  if (existsSync(file)) return file;
  const texts = modules.flatMap(({ module, sum, files }) => {
    const { Dir: folder, Sum: found } = JSON.parse(command('go', ['mod', 'download', '-json', module]));
    if (found !== sum) throw new Error(`${module} is ${found}, not ${sum}`);
    return files.map((each) => readFileSync(join(folder, each), 'utf8'));
  });
  writeFileSync(file, texts.join('\n---\n'));
  return file;
}
