// Real nodes: containerd, kubelet and kube-proxy, with pods that are containers of this machine. The first is the box itself,
// and has CoreDNS; the second has mounts and a network of its own inside of the box, one hop away from the first.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOldGroups } from './box.mjs';
import { pods } from './control-plane.mjs';
import { box, command, inside, nodeAddress, nodes, openInside, run, started, until } from './places.mjs';

const at = (...names) => join(run, ...names);
export const containerdSocket = (node) => at(node.name, 'containerd.sock');
export const pauseImage = 'docker.io/lyceum/pause:1';

const containerd = (of, node) => `
version = 2
root = "${of('containerd')}"
state = "${of('containerd-state')}"
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.aufs"]
[grpc]
  address = "${containerdSocket(node)}"
[ttrpc]
  address = "${of('containerd.ttrpc')}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  disable_apparmor = true
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${of('cni')}"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
`;

const network = (of, node) => ({
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
        dataDir: of('addresses'),
        ranges: [[{ subnet: node.pods }]],
        routes: [{ dst: '0.0.0.0/0' }],
      },
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ],
});

const kubelet = (of, node) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: {
    anonymous: { enabled: false },
    webhook: { enabled: true },
    x509: { clientCAFile: at('pki/ca.crt') },
  },
  authorization: { mode: 'Webhook' },
  tlsCertFile: at(`pki/${node.name}.crt`),
  tlsPrivateKeyFile: at(`pki/${node.name}.key`),
  containerRuntimeEndpoint: `unix://${containerdSocket(node)}`,
  cgroupDriver: 'cgroupfs',
  cgroupRoot: `/lyceum-cluster/${node.name}`,
  failCgroupV1: false,
  failSwapOn: false,
  clusterDNS: [nodeAddress],
  clusterDomain: 'cluster.local',
  resolvConf: at('resolv.conf'),
  podLogsDir: of('pod-logs'),
  evictionHard: { 'memory.available': '200Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
  imageGCHighThresholdPercent: 100,
  imageGCLowThresholdPercent: 99,
  volumePluginDir: of('volume-plugins'),
});

const proxy = (node) => ({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  mode: 'nftables',
  clientConnection: { kubeconfig: at('pki/admin.kubeconfig') },
  clusterCIDR: pods,
  hostnameOverride: node.name,
  metricsBindAddress: '127.0.0.1:10249',
  conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
});

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
function processGroups(node) {
  if (!isOldGroups()) return;
  const top = '/sys/fs/cgroup';
  const group = join('lyceum-cluster', node.name);
  for (const kind of ['cpu', 'cpuacct', 'cpuset', 'memory', 'devices', 'freezer', 'blkio', 'pids', 'systemd'])
    if (existsSync(join(top, kind))) mkdirSync(join(top, kind, group), { recursive: true });
  for (const folder of ['lyceum-cluster', group])
    for (const each of ['cpuset.cpus', 'cpuset.mems'])
      writeFileSync(join(top, 'cpuset', folder, each), readFileSync(join(top, 'cpuset', each)));
}

/** A machine that is not the first: mounts and a network of its own, with a cable to the first, which knows the way to its pods. */
async function openMachine(node) {
  const pid = await openInside(node.name);
  const cable = [
    `ip link add ${node.name} type veth peer name eth0 netns ${pid}`,
    `ip link set ${node.name} master node0 up`,
    `ip route add ${node.pods} via ${node.address}`,
  ];
  box(['sh', '-euc', cable.join('\n')]);
  const own = [
    'ip link set lo up; ip link set eth0 up',
    `ip addr add ${node.address}/24 dev eth0; ip route add default via ${nodeAddress}`,
    'sysctl -qw net.ipv4.ip_forward=1',
    'for folder in /var/log/containers /var/lib/kubelet /var/lib/cni /run; do mount -t tmpfs tmpfs $folder; done',
  ];
  inside(node.name, ['sh', '-euc', own.join('\n')]);
}

async function startNode(node) {
  const of = (...names) => at(node.name, ...names);
  mkdirSync(of('cni'), { recursive: true });
  if (node.isMachine) await openMachine(node);
  processGroups(node);
  writeFileSync(of('containerd.toml'), containerd(of, node));
  writeFileSync(of('cni/10-cluster.conflist'), JSON.stringify(network(of, node)));
  writeFileSync(of('kubelet.json'), JSON.stringify(kubelet(of, node)));
  writeFileSync(of('proxy.json'), JSON.stringify(proxy(node)));
  const start = (name, ...args) => started(`${name}-${node.name}`, [name, ...args], node.isMachine ? node.name : 'box');
  start('containerd', '-c', of('containerd.toml'));
  await until(30_000, () => command('test', ['-S', containerdSocket(node)]));
  start(
    'kubelet',
    `--config=${of('kubelet.json')}`,
    `--kubeconfig=${at(`pki/${node.name}.kubeconfig`)}`,
    `--hostname-override=${node.name}`,
    `--node-ip=${node.address}`,
    `--root-dir=${of('kubelet')}`,
    `--node-labels=topology.kubernetes.io/zone=${node.zone}`,
  );
  start('kube-proxy', `--config=${of('proxy.json')}`);
  await until(60_000, () => box(['kubectl', 'get', 'node', node.name]));
}

/** Starts all nodes, and waits until they take pods. */
export async function startNodes() {
  writeFileSync(at('resolv.conf'), '');
  writeFileSync(at('Corefile'), names);
  started('coredns', ['coredns', '-conf', at('Corefile')]);
  for (const node of nodes) await startNode(node);
  box(['kubectl', 'wait', '--for=condition=Ready', 'node', '--all', '--timeout=120s']);
}
