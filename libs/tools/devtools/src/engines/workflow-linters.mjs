// The two programs that judge workflows: actionlint, what GitHub would not run; zizmor, what an attacker could use.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, has, intoCache, run } from './machine.mjs';

const actionlint = { path: 'github.com/rhysd/actionlint', version: '1.7.12' };

/** zizmor as a Python package carries it, by the digests of its files: Linux (x86-64), macOS (arm64, x86-64). */
const zizmor = {
  version: '1.32.0',
  sha256: [
    '84a6acb975accc13408786a2bd274b572537ca19c933ebbc13e78f3988562071',
    '0a999c98015becd9f69919ce01febadfb1c2be9b8ec2ce9ef7eb13ff23ba8eba',
    'aa4b4e216321dd5cf202cd79fc83296468f0eed79d850cd65ac8187a6bbc5496',
  ],
};

/** Compiles actionlint, some ten seconds. Where another one is installed, that is used. */
export function installActionlint() {
  if (has('actionlint', '--version')) return run('actionlint', ['--version']).split('\n')[0];
  return intoCache(`actionlint-${actionlint.version}`, (folder) => {
    const work = join(folder, 'work');
    mkdirSync(work);
    writeFileSync(join(work, 'go.mod'), 'module local/actionlint\n\ngo 1.24\n');
    const go = (...args) => run('go', args, { cwd: work, env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' } });
    const built = join(folder, 'actionlint');
    go('get', `${actionlint.path}@v${actionlint.version}`);
    go('build', '-mod=mod', '-trimpath', '-ldflags=-s -w', '-o', built, `${actionlint.path}/cmd/actionlint`);
    run(built, ['--version']);
    rmSync(work, { recursive: true });
  });
}

/** Takes zizmor out of its Python package. Where another one is installed, that is used. */
export function installZizmor() {
  if (has('zizmor', '--version')) return run('zizmor', ['--version']).trim();
  return intoCache(`zizmor-${zizmor.version}`, (folder) => {
    const wanted = join(folder, 'requirements.txt');
    const hashes = zizmor.sha256.map((digest) => ` --hash=sha256:${digest}`).join('');
    writeFileSync(wanted, `zizmor==${zizmor.version}${hashes}\n`);
    const only = ['--no-deps', '--only-binary=:all:', '--require-hashes'];
    run('python3', ['-m', 'pip', 'download', '-q', ...only, '-r', wanted, '-d', folder]);
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
    run('python3', ['-m', 'zipfile', '-e', join(folder, wheel), folder]);
    cpSync(join(folder, `zizmor-${zizmor.version}.data/scripts/zizmor`), join(folder, 'zizmor'));
    run('chmod', ['755', join(folder, 'zizmor')]);
    run(join(folder, 'zizmor'), ['--version']);
    for (const name of readdirSync(folder)) if (name !== 'zizmor') rmSync(join(folder, name), { recursive: true });
  });
}

/** A program of the PATH, or else of the cache; undefined where there is none. */
const find = (name, { version }) =>
  [name, join(cache, `${name}-${version}`, name)].find((command) => has(command, '--version'));

/** The commands of both linters; undefined where one is missing. */
export function findWorkflowLinters() {
  const linters = { actionlint: find('actionlint', actionlint), zizmor: find('zizmor', zizmor) };
  return linters.actionlint && linters.zizmor ? linters : undefined;
}
