// Compiles what a cluster consists of, once for a machine: minutes. Everything comes as source from the Go module proxy.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bin, cache, command, here, say } from './places.mjs';

const version = '1.36.3';
const stamp = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
  .flatMap((name) => [
    `-X ${name}.gitVersion=v${version}`,
    `-X ${name}.gitMajor=1`,
    `-X ${name}.gitMinor=36`,
    `-X ${name}.gitTreeState=clean`,
  ])
  .join(' ');
const names = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
  'kubectl',
];

/** Whether all that the cluster needs was compiled on this machine. */
export const areCompiled = () =>
  ['kubernetes', 'coredns', 'pause', 'kwok', 'kube-score'].every((name) => existsSync(join(bin, name)));

/** Compiles what is not there yet. */
export function compile() {
  compiling(join(here, 'programs'), ({ go, build }) => {
    build('pause', 'pause');
    build('kubernetes', 'kubernetes', `-s -w ${stamp}`);
    for (const name of [...names, 'helm']) link(name);
    build('dns', 'coredns');
    build('kubernetes', 'kwok', '-s -w', 'sigs.k8s.io/kwok/cmd/kwok');
    build('kube-score', 'kube-score', '-s -w', 'github.com/zegl/kube-score/cmd/kube-score');
    if (!existsSync(stages)) {
      const folder = go('kubernetes', 'list', '-m', '-f', '{{.Dir}}', 'sigs.k8s.io/kwok').trim();
      const texts = stageFiles.map((file) => readFileSync(join(folder, 'kustomize/stage', `${file}.yaml`), 'utf8'));
      writeFileSync(stages, texts.join('\n---\n'));
    }
  });
}

/** Runs `work` with the compiler for folders of programs; what `build` finds compiled it leaves. */
export function compiling(programs, work) {
  mkdirSync(bin, { recursive: true });
  // A copy: the build must not write into the checkout.
  const sources = mkdtempSync(join(tmpdir(), 'lyceum-cluster-'));
  try {
    cpSync(programs, sources, { recursive: true });
    const go = (folder, ...args) =>
      command('nice', ['-n', '10', 'go', ...args], {
        cwd: join(sources, folder),
        more: { CGO_ENABLED: '0', GOTOOLCHAIN: 'local', GOWORK: 'off', GOFLAGS: '-mod=mod' },
      });
    const build = (folder, to, flags = '-s -w', what = '.') => {
      if (existsSync(join(bin, to))) return;
      say(`compiling ${to}`);
      go(folder, 'build', '-trimpath', '-ldflags', flags, '-o', join(bin, to), what);
    };
    work({ go, build });
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
}

/** What becomes of fake nodes and pods, as kwok reads it. */
export const stages = join(cache, 'stages.yaml');
const stageFiles = [
  'node/fast/node-initialize',
  'node/heartbeat-with-lease/node-heartbeat-with-lease',
  'pod/fast/pod-ready',
  'pod/fast/pod-complete',
  'pod/fast/pod-delete',
];

function link(name) {
  const at = join(bin, name);
  rmSync(at, { force: true });
  symlinkSync('kubernetes', at);
}
