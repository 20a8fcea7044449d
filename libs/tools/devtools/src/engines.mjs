// npm run engines [-- NAME…]: installs the servers that tests run against (Redis, PostgreSQL, Apache Kafka, FerretDB, an S3
// server), Helm, Prometheus and the linters of workflows where they are missing, all but the first two in a cache of this
// machine (LYCEUM_ENGINES, else ~/.cache/lyceum-engines); with names only those that begin so. What is there is kept. A missing
// tool is named and the rest goes on; exit code 1 only with REQUIRE_BACKING_SERVICES=1.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installAll } from './engines/installing.mjs';
import { Lacking, asRoot, cache, has, intoCache, needJava, run } from './engines/machine.mjs';
import { installHelm, installPrometheus } from './engines/tools.mjs';
import { answers, trial } from './engines/trial.mjs';
import { installActionlint, installZizmor } from './engines/workflow-linters.mjs';

const versions = { ferretdb: ['1.24.2'], kafka: ['3.9.1', '4.1.1'], versitygw: ['1.8.0'] };

/** A package of the distribution, whose system service is neither started nor enabled. */
function installPackage(name) {
  console.log(`...   ${name}: installing`);
  const policy = '/usr/sbin/policy-rc.d';
  const ours = !existsSync(policy);
  if (ours) asRoot('sh', '-c', `printf '#!/bin/sh\\nexit 101\\n' > ${policy} && chmod +x ${policy}`);
  try {
    asRoot('apt-get', 'update', '-qq');
    asRoot('env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', 'install', '-y', '--no-install-recommends', name);
    if (existsSync('/run/systemd/system')) asRoot('systemctl', 'disable', '--now', name);
  } finally {
    if (ours) asRoot('rm', '-f', policy);
  }
}

function installRedis() {
  if (!has('redis-server', '--version')) installPackage('redis-server');
  return run('redis-server', ['--version']).split(' ')[2];
}

/** The store below the second FerretDB. Its programs are not on the PATH; versions lie beside each other. */
function installPostgres() {
  const folder = '/usr/lib/postgresql';
  const versions = () =>
    existsSync(folder) ? readdirSync(folder).filter((version) => existsSync(join(folder, version, 'bin/initdb'))) : [];
  if (versions().length === 0) installPackage('postgresql');
  if (versions().length === 0) throw new Lacking(`there is no PostgreSQL in ${folder}`);
  return versions().join(', ');
}

/** The broker and what it needs, and an empty store that was formatted once for all. */
async function installKafka(version) {
  needJava(17);
  const target = intoCache(`kafka-${version}`, (folder) => {
    const work = join(folder, 'work');
    mkdirSync(work);
    writeFileSync(join(work, 'pom.xml'), pom(version));
    const copy = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${join(folder, 'lib')}`];
    run('mvn', ['-q', '-B', ...copy], { cwd: work });
    writeFileSync(join(work, 'server.properties'), properties(join(folder, 'formatted'), 9092, 9093));
    const format = ['format', '-t', 'AAAAAAAAAAAAAAAAAAAAAA', '-c', join(work, 'server.properties')];
    run('java', ['-cp', join(folder, 'lib', '*'), 'kafka.tools.StorageTool', ...format]);
    rmSync(work, { recursive: true });
  });
  await archiveClasses(target);
  return target;
}

const dependency = (group, artifact, version) =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;

const pom = (version) => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId>
  <artifactId>kafka</artifactId>
  <version>1</version>
  <dependencies>
    ${dependency('org.apache.kafka', 'kafka_2.13', version)}
    ${dependency('org.slf4j', 'slf4j-simple', '1.7.36')}
  </dependencies>
</project>
`;

const properties = (data, port, controller) => `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controller}
listeners=CLIENT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}
listener.security.protocol.map=CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
inter.broker.listener.name=CLIENT
log.dirs=${data}
`;

/**
 * Starts the broker once, so that it is known to run here, and lets the JVM archive the classes it loaded: later starts
 * take half the processor time. Not before the folder has its final name, which the archive is bound to.
 */
async function archiveClasses(target) {
  const archive = join(target, 'classes.jsa');
  if (existsSync(archive)) return;
  const work = mkdtempSync(join(cache, '.kafka-trial-'));
  const [port, controller] = [39_092, 39_093];
  cpSync(join(target, 'formatted'), join(work, 'data'), { recursive: true });
  writeFileSync(join(work, 'server.properties'), properties(join(work, 'data'), port, controller));
  const quiet = '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn';
  const options = [quiet, '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
  const args = [...options, `-XX:ArchiveClassesAtExit=${join(work, 'classes.jsa')}`, '-cp', join(target, 'lib', '*')];
  try {
    await trial('java', [...args, 'kafka.Kafka', join(work, 'server.properties')], () => answers(port), 90_000);
    if (!existsSync(join(work, 'classes.jsa'))) throw new Lacking('the broker did not start in a trial');
    renameSync(join(work, 'classes.jsa'), archive);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Built from the module's own sources: `go install` of a version asks the proxy for a list that it may not have, and the
 * program refuses to start without a version file that only a release build writes.
 */
function installFerretdb(version) {
  const path = 'github.com/FerretDB/FerretDB';
  return intoCache(`ferretdb-${version}`, (folder) => {
    const work = join(folder, 'work');
    mkdirSync(work);
    writeFileSync(join(work, 'go.mod'), `module local/ferretdb\n\ngo 1.22\n\nrequire ${path} v${version}\n`);
    const go = (...args) => run('go', args, { cwd: work, env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' } });
    const { Dir: origin } = JSON.parse(go('mod', 'download', '-json', `${path}@v${version}`));
    run('cp', ['-r', origin, join(work, 'source')]);
    run('chmod', ['-R', 'u+w', join(work, 'source')]);
    writeFileSync(join(work, 'source/build/version/version.txt'), `v${version}\n`);
    go('mod', 'edit', `-replace=${path}=./source`);
    go('build', '-mod=mod', '-trimpath', '-ldflags=-s -w', '-o', join(folder, 'ferretdb'), `${path}/cmd/ferretdb`);
    run(join(folder, 'ferretdb'), ['--version'], { cwd: work });
    rmSync(work, { recursive: true });
  });
}

/** A store that speaks S3, on a folder. */
function installVersitygw(version) {
  const path = 'github.com/versity/versitygw';
  return intoCache(`versitygw-${version}`, (folder) => {
    const work = join(folder, 'work');
    mkdirSync(work);
    writeFileSync(join(work, 'go.mod'), `module local/versitygw\n\ngo 1.24\n`);
    const go = (...args) => run('go', args, { cwd: work, env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' } });
    go('get', `${path}@v${version}`);
    go('build', '-mod=mod', '-trimpath', '-ldflags=-s -w', '-o', join(folder, 'versitygw'), `${path}/cmd/versitygw`);
    run(join(folder, 'versitygw'), ['--version'], { cwd: work });
    rmSync(work, { recursive: true });
  });
}

const engines = [
  ['redis-server', 'Debian: apt-get install redis-server', installRedis],
  ['postgresql', 'Debian: apt-get install postgresql', installPostgres],
  ...versions.kafka.map((version) => [
    `kafka ${version}`,
    'needs a JDK 17 or newer and Maven (mvn) on the PATH',
    () => installKafka(version),
  ]),
  ...versions.ferretdb.map((version) => [
    `ferretdb ${version}`,
    'needs Go 1.22 or newer on the PATH',
    () => installFerretdb(version),
  ]),
  ...versions.versitygw.map((version) => [
    `versitygw ${version}`,
    'needs Go 1.24 or newer on the PATH',
    () => installVersitygw(version),
  ]),
  ['helm', 'needs Python 3 with pip, or a helm of your own on the PATH', installHelm],
  ['prometheus', 'Debian: apt-get install prometheus, or promtool and prometheus on the PATH', installPrometheus],
  ['actionlint', 'needs Go 1.25 or newer on the PATH', installActionlint],
  ['zizmor', 'needs Python 3 with pip, or a zizmor of your own on the PATH', installZizmor],
];

const { missing, asked } = await installAll(engines, process.argv.slice(2));
if (missing > 0) console.log(`${missing} of ${asked} engines are missing: the suites that need them are skipped`);
process.exitCode = missing > 0 && process.env['REQUIRE_BACKING_SERVICES'] === '1' ? 1 : 0;
