// Servers that users would pick, for measurements beside ours: Keycloak, Ory Hydra, nginx.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Lacking, cache, has, intoCache, needJava, run } from './machine.mjs';
import { outOfPackage } from './tools.mjs';
import { trial } from './trial.mjs';

const peers = new URL('../../../bench/peers/', import.meta.url);
const { keycloak, hydra } = JSON.parse(readFileSync(new URL('servers.json', peers), 'utf8'));

/** The packages of npm, beside which the others are measured. */
export function installPackages() {
  run('npm', ['install', '--no-audit', '--no-fund'], { cwd: peers });
  return 'node_modules';
}

/** The program alone: its package would bring a system service that starts by itself. */
export function installNginx() {
  if (has('nginx', '-v')) return run('nginx', ['-v']).trim();
  return outOfPackage('nginx', ['usr/sbin/nginx'], '-v');
}

/** The distribution of Keycloak, built for its own H2 database, and an empty database that it made in a trial. */
export async function installKeycloak() {
  needJava(17);
  const { version, sha256 } = keycloak;
  const target = intoCache(`keycloak-${version}`, (folder) => {
    const artifact = `-Dartifact=org.keycloak:keycloak-quarkus-dist:${version}:tar.gz`;
    run('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${folder}`], { cwd: folder });
    const archive = join(
      folder,
      readdirSync(folder).find((name) => name.endsWith('.tar.gz')),
    );
    const found = createHash('sha256').update(readFileSync(archive)).digest('hex');
    if (found !== sha256) throw new Lacking(`the distribution has the digest ${found}, not ${sha256}`);
    run('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
    rmSync(archive);
    run(join(folder, 'bin/kc.sh'), ['build', '--db=dev-file', '--cache=local']);
  });
  await emptyDatabase(target);
  return target;
}

/** Not before the folder has its final name. To make a database takes the server longer than all the rest of its start. */
async function emptyDatabase(target) {
  const kept = join(target, 'empty.mv.db');
  if (existsSync(kept)) return;
  const work = mkdtempSync(join(cache, '.keycloak-trial-'));
  const [port, { administrator }] = [39_094, keycloak];
  const args = [
    ...keycloak.start,
    `--http-port=${port}`,
    `--db-url=jdbc:h2:file:${work}/keycloak;${keycloak.database}`,
  ];
  const env = {
    ...process.env,
    KC_BOOTSTRAP_ADMIN_USERNAME: administrator,
    KC_BOOTSTRAP_ADMIN_PASSWORD: administrator,
  };
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/realms/master`).then(
      ({ ok }) => ok,
      () => false,
    );
  try {
    const wasReady = await trial(join(target, 'bin/kc.sh'), args, isReady, 300_000, { cwd: work, env });
    if (!wasReady) throw new Lacking('the server did not start in a trial');
    renameSync(join(work, 'keycloak.mv.db'), kept);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Takes minutes, and has no SQLite, on which it does not answer several at once. The module replaces a library of its own by a
 * folder that it does not ship: the published one of the version that it asks for stands in. Its other replacement holds for
 * main modules only.
 */
export function installHydra() {
  const path = 'github.com/ory/hydra/v2';
  const { version, sum } = hydra;
  return intoCache(`hydra-${version}`, (folder) => {
    const work = join(folder, 'work');
    mkdirSync(work);
    writeFileSync(join(work, 'go.mod'), goModule(path, version));
    const go = (...args) => run('go', args, { cwd: work, env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' } });
    const { Sum: found } = JSON.parse(go('mod', 'download', '-json', `${path}@v${version}`));
    if (found !== sum) throw new Lacking(`the module has the sum ${found}, not ${sum}`);
    go('get', `${path}@v${version}`);
    const stamp = `-X ${path}/driver/config.Version=v${version}`;
    const options = ['-mod=mod', '-trimpath', `-ldflags=-s -w ${stamp}`];
    go('build', ...options, '-o', join(folder, 'hydra'), path);
    run(join(folder, 'hydra'), ['version'], { cwd: work });
    rmSync(work, { recursive: true });
  });
}

const goModule = (path, version) => `module local/hydra

go 1.24

require ${path} v${version}

replace github.com/gobuffalo/pop/v6 => github.com/ory/pop/v6 v6.2.1-0.20241121111754-e5dfc0f3344b
`;
