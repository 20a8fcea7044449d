// One real node: containerd, kubelet, kube-proxy and CoreDNS in the box, with pods that are containers of this machine.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOldGroups } from './box.mjs';
import { pods } from './control-plane.mjs';
import { box, command, nodeAddress, run, started, until } from './places.mjs';

const at = (...names) => join(run, ...names);
export const containerdSocket = at('containerd.sock');
export const pauseImage = 'docker.io/lyceum/pause:1';

const containerd = `
version = 2
root = "${at('containerd')}"
state = "${at('containerd-state')}"
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.aufs"]
[grpc]
  address = "${containerdSocket}"
[ttrpc]
  address = "${at('containerd.ttrpc')}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  disable_apparmor = true
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${at('cni')}"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
`;

const network = {
  cniVersion: '1.0.0',
  name: 'cluster',
  plugins: [
    {
      type: 'bridge',
      bridge: 'cni0',
      isGateway: true,
      ipMasq: false,
      hairpinMode: true,
      ipam: {
        type: 'host-local',
        dataDir: at('addresses'),
        ranges: [[{ subnet: '10.244.0.0/24' }]],
        routes: [{ dst: '0.0.0.0/0' }],
      },
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ],
};

const kubelet = {
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: {
    anonymous: { enabled: false },
    webhook: { enabled: true },
    x509: { clientCAFile: at('pki/ca.crt') },
  },
  authorization: { mode: 'Webhook' },
  tlsCertFile: at('pki/kubelet.crt'),
  tlsPrivateKeyFile: at('pki/kubelet.key'),
  containerRuntimeEndpoint: `unix://${containerdSocket}`,
  cgroupDriver: 'cgroupfs',
  cgroupRoot: '/lyceum-cluster',
  failCgroupV1: false,
  failSwapOn: false,
  clusterDNS: [nodeAddress],
  clusterDomain: 'cluster.local',
  resolvConf: at('resolv.conf'),
  podLogsDir: at('pod-logs'),
  evictionHard: { 'memory.available': '200Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
  imageGCHighThresholdPercent: 100,
  imageGCLowThresholdPercent: 99,
  volumePluginDir: at('volume-plugins'),
};

const proxy = {
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  mode: 'nftables',
  clientConnection: { kubeconfig: at('pki/admin.kubeconfig') },
  clusterCIDR: pods,
  hostnameOverride: 'node1',
  metricsBindAddress: '127.0.0.1:10249',
  conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
};

const names = `.:53 {
  bind ${nodeAddress}
  errors
  kubernetes cluster.local in-addr.arpa {
    kubeconfig ${at('pki/admin.kubeconfig')}
    ttl 5
  }
  cache 5
}
`;

/** Groups of version 1 are made by hand: a set of processors without any takes no process. */
function processGroups() {
  if (!isOldGroups()) return;
  const top = '/sys/fs/cgroup';
  for (const kind of ['cpu', 'cpuacct', 'cpuset', 'memory', 'devices', 'freezer', 'blkio', 'pids', 'systemd'])
    if (existsSync(join(top, kind))) mkdirSync(join(top, kind, 'lyceum-cluster'), { recursive: true });
  for (const each of ['cpuset.cpus', 'cpuset.mems'])
    writeFileSync(join(top, 'cpuset/lyceum-cluster', each), readFileSync(join(top, 'cpuset', each)));
}

export async function startNode() {
  processGroups();
  writeFileSync(at('containerd.toml'), containerd);
  writeFileSync(at('cni/10-cluster.conflist'), JSON.stringify(network));
  writeFileSync(at('resolv.conf'), '');
  writeFileSync(at('kubelet.json'), JSON.stringify(kubelet));
  writeFileSync(at('proxy.json'), JSON.stringify(proxy));
  writeFileSync(at('Corefile'), names);
  started('containerd', ['containerd', '-c', at('containerd.toml')]);
  await until(30_000, () => command('test', ['-S', containerdSocket]));
  started('kubelet', [
    'kubelet',
    `--config=${at('kubelet.json')}`,
    `--kubeconfig=${at('pki/kubelet.kubeconfig')}`,
    '--hostname-override=node1',
    `--node-ip=${nodeAddress}`,
    `--root-dir=${at('kubelet')}`,
    '--node-labels=topology.kubernetes.io/zone=a',
  ]);
  started('kube-proxy', ['kube-proxy', `--config=${at('proxy.json')}`]);
  started('coredns', ['coredns', '-conf', at('Corefile')]);
  await until(60_000, () => box(['kubectl', 'get', 'node', 'node1']));
  box(['kubectl', 'wait', '--for=condition=Ready', 'node/node1', '--timeout=120s']);
}
