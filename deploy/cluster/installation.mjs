// Lyceum on the cluster, as docs/kubernetes.md tells operators: a namespace, the Secret, engines, and the umbrella chart.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '../../libs/tools/devtools/src/charts/service-values.mjs';
import { ownValues, valuesOf } from '../../libs/tools/devtools/src/charts/rendering.mjs';
import { definitions } from './definitions.mjs';
import { tag } from './images.mjs';
import { box, command, here, run, say } from './places.mjs';

export const namespace = 'lyceum';
export const kubectl = (...args) => box(['kubectl', '-n', namespace, ...args]);
const helm = (...args) => box(['helm', '-n', namespace, ...args]);
const apply = (manifest) => box(['kubectl', '-n', namespace, 'apply', '-f', '-'], { input: JSON.stringify(manifest) });

/** What the Secret of the installation holds; made once for a cluster. */
export function secrets() {
  const file = join(run, 'secrets.json');
  if (!existsSync(file)) {
    mkdirSync(run, { recursive: true });
    const made = {
      SERVICE_TOKEN: randomBytes(32).toString('hex'),
      OPERATOR_TOKEN: randomBytes(32).toString('hex'),
      KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      MONGODB_URL: 'mongodb://mongodb:27017/?directConnection=true',
      REDIS_URL: 'redis://redis:6379',
    };
    writeFileSync(file, JSON.stringify(made), { mode: 0o600 });
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The namespace, where only pods of the strictest standard may run, with the Secret of the installation. */
function makeNamespace() {
  const labels = {
    'pod-security.kubernetes.io/enforce': 'restricted',
    'pod-security.kubernetes.io/warn': 'restricted',
  };
  box(['kubectl', 'apply', '-f', '-'], {
    input: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } }),
  });
  apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'lyceum' }, stringData: secrets() });
}

/**
 * The values of deploy/values/laptop.yaml with images of this machine, limits that a load of tests does not reach, and two
 * pods of what the load goes through, so that one of them may be deleted or killed.
 */
function values() {
  const { global, ...charts } = valuesOf('laptop');
  const { settings, ...lyceum } = global.lyceum;
  const image = { tag, pullPolicy: 'Never' };
  const twice = ({ all }) => ({ all: { ...all, replicas: 2 } });
  return {
    global: { lyceum: { ...lyceum, image, settings: { ...settings, RATE_LIMIT_FACTOR: 1000 } } },
    ...charts,
    gateway: { ...charts.gateway, http: { ...charts.gateway.http, replicas: 2 } },
    ...Object.fromEntries(
      ['auth', 'school', 'catalog', 'commerce'].map((name) => [name, { ...charts[name], ...twice(charts[name]) }]),
    ),
  };
}

/** Consumers that are scaled by what waits for them. */
const scaledByLag = ['enabled=true', 'groups[0].topic=school.events', 'groups[0].group=catalog'].map(
  (each) => `--set=catalog.consumer.autoscaling.${each}`,
);

/** What is rendered: the umbrella by every values file, and what is asked for beside it. */
const renderings = {
  laptop: ['deploy/charts/platform', '--values=deploy/values/laptop.yaml'],
  small: ['deploy/charts/platform', '--values=deploy/values/small.yaml'],
  large: ['deploy/charts/platform', '--values=deploy/values/large.yaml'],
  'large, scaled by lag': ['deploy/charts/platform', '--values=deploy/values/large.yaml', ...scaledByLag],
  observability: ['deploy/charts/observability'],
};

/**
 * Judges what charts render: the API server takes it (a dry run), also what is of Gateway API, KEDA and the Prometheus operator,
 * and kube-score finds nothing critical. Two of its findings are decisions: no limit of processor time, which would stop a
 * process that others leave room for, and images that are pulled where they are not there, since their tags do not move.
 */
function judge() {
  box(['kubectl', 'apply', '--server-side', '-f', definitions()]);
  const crds = 'customresourcedefinition';
  box(['kubectl', 'wait', '--for=condition=Established', crds, '--all', '--timeout=60s']);
  const passedOver = ['--ignore-container-cpu-limit', '--ignore-test=container-image-pull-policy'];
  for (const [name, args] of Object.entries(renderings)) {
    const input = helm('template', 'lyceum', ...args);
    command('kube-score', ['score', '--output-format=ci', ...passedOver, '-'], { input });
    box(['kubectl', '-n', namespace, 'apply', '--dry-run=server', '-f', '-'], { input });
    say(`${name}: taken by the API server, nothing critical found`);
  }
}

/** Installs a chart as a release with these values, and does not wait for its pods. */
const release = (name, chart, given) =>
  box(['helm', '-n', namespace, 'upgrade', '--install', name, `deploy/charts/${chart}`, '--values=-'], {
    input: JSON.stringify(given),
  });

/** Engines, and what `services` installs; says how long it took until all pods were ready. */
function installed(services) {
  const began = Date.now();
  kubectl('apply', '-f', join(here, 'engines.yaml'));
  services();
  kubectl('wait', '--for=condition=Available', 'deployment', '--all', '--timeout=600s');
  const took = (Date.now() - began) / 1_000;
  say(`everything is ready after ${took.toFixed(1)} s, engines included`);
}

/** Installs everything into an empty cluster, as one release. */
export function install() {
  command('node', ['libs/tools/devtools/src/charts.mjs', '--vendor']);
  makeNamespace();
  judge();
  installed(() => release('lyceum', 'platform', values()));
}

/** Installs each service as a release of its own, in this order, none waiting for another, in place of what is there. */
export function installEach(order) {
  command('node', ['libs/tools/devtools/src/charts.mjs', '--vendor']);
  box(['kubectl', 'delete', 'namespace', namespace, '--ignore-not-found', '--timeout=300s']);
  makeNamespace();
  say(`an empty namespace; releases of their own: ${order.join(', ')}`);
  installed(() => {
    for (const name of order) release(name, name, ownValues(values(), name));
  });
}

/** Two orders to install services in: the edge before what it leads to, and any. */
export function orders() {
  const shuffled = serviceNames.map((name) => ({ name, at: Math.random() })).sort((a, b) => a.at - b.at);
  return [['gateway', ...serviceNames.filter((name) => name !== 'gateway')], shuffled.map(({ name }) => name)];
}

/** Installs for good on nodes that exist in the API only: what the scheduler and the API server make of a large installation. */
export async function installOnFakeNodes() {
  command('node', ['libs/tools/devtools/src/charts.mjs', '--vendor']);
  makeNamespace();
  helm('upgrade', '--install', 'lyceum', 'deploy/charts/platform', '--values=deploy/values/large.yaml');
  kubectl('wait', '--for=condition=Available', 'deployment', '--all', '--timeout=120s');
  const pods = JSON.parse(kubectl('get', 'pods', '-o', 'json')).items;
  const perNode = Map.groupBy?.(pods, ({ spec }) => spec.nodeName) ?? new Map();
  say(`${pods.length} pods run on ${perNode.size} nodes`);
}
