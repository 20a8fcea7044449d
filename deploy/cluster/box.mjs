// The box: mount, network and process namespaces of its own, with no way out of the machine. Ending its first process ends
// all that runs in it, and nothing is left on the machine.
import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { box, boxPid, command, keeping, nodeAddress, run } from './places.mjs';

/** Kernel settings that the kubelet writes: in the box they are files. */
const written = [
  'vm/overcommit_memory',
  'kernel/panic',
  'kernel/panic_on_oops',
  'kernel/keys/root_maxkeys',
  'kernel/keys/root_maxbytes',
];

/** What the namespaces look like inside: loopback, networks that lead on, and a /run of their own. */
const inside = `
ip link set lo up
groups=$(mktemp -d); mount --rbind /sys/fs/cgroup $groups; mount -t sysfs sysfs /sys
mount --rbind $groups /sys/fs/cgroup; umount -l $groups; rmdir $groups
sysctl -qw net.ipv4.ip_forward=1
sysctl -qw net.bridge.bridge-nf-call-iptables=1 || true
mount -t tmpfs tmpfs /run
`;

/** What a node of Kubernetes has beside that: a bridge with its address, its own /var/log and folders of the kubelet. */
const forNode = `
ip link add node0 type bridge; ip addr add ${nodeAddress}/24 dev node0; ip link set node0 up; ip route add default dev node0
cd ${join(run, 'kernel')}
for name in ${written.join(' ')}; do file=$(echo $name | tr / .); cat /proc/sys/$name > $file; mount --bind $file /proc/sys/$name; done
mount -t tmpfs tmpfs /var/log; mkdir -p /var/log/containers /var/lib/kubelet /var/lib/cni
for folder in /var/lib/kubelet /var/lib/cni; do mount -t tmpfs tmpfs $folder; done
`;

/** Opens the box; `isNode`: whether a node of Kubernetes will run in it. */
export async function openBox({ isNode = true } = {}) {
  for (const folder of ['log', 'pki', 'kernel']) mkdirSync(join(run, folder), { recursive: true });
  const log = openSync(join(run, 'log/box.log'), 'a');
  const namespaces = [
    '--mount',
    '--net',
    '--pid',
    '--fork',
    '--kill-child',
    '--mount-proc',
    '--propagation',
    'private',
  ];
  const outer = spawn('unshare', [...namespaces, 'tini', '-s', '--', 'sleep', 'infinity'], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  outer.unref();
  await keeping('box', outer);
  box(['sh', '-euc', isNode ? `${inside}${forNode}` : inside]);
}

/** Ends all that runs in the box, and removes what it left; `group`: where its processes are counted. */
export async function closeBox(group = 'lyceum-cluster') {
  const pid = boxPid();
  if (pid !== undefined) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
  await sleep(1_000);
  // Most mounts end with the namespaces. That of the Docker engine's network, and groups of processes, do not.
  for (const line of readFileSync('/proc/self/mounts', 'utf8').split('\n')) {
    const [, at = ''] = line.split(' ');
    if (at.startsWith(`${run}/`)) command('umount', ['-l', at]);
  }
  for (const folder of groupFolders(group))
    command('sh', ['-c', `find ${folder} -depth -type d -exec rmdir {} + 2>/dev/null || true`]);
  rmSync(run, { recursive: true, force: true });
}

const groupFolders = (group) => {
  const top = '/sys/fs/cgroup';
  const all = readdirSync(top).map((name) => join(top, name, group));
  return [...all, join(top, group)].filter((folder) => {
    try {
      return readdirSync(folder).length >= 0;
    } catch {
      return false;
    }
  });
};

/** Whether this machine divides processes into groups by version 1 of the kernel's interface. */
export const isOldGroups = () => !readFileSync('/proc/self/mounts', 'utf8').includes(' /sys/fs/cgroup cgroup2 ');
