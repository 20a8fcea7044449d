// The control plane: certificates, etcd, the API server, controllers and the scheduler, as real programs in the box.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stages } from './programs.mjs';
import { box, command, nodeAddress, nodes, run, started, until } from './places.mjs';

const pki = join(run, 'pki');
const file = (name) => join(pki, name);
export const services = '10.96.0.0/16';
export const pods = '10.244.0.0/16';

const openssl = (...args) => command('openssl', args, { cwd: pki });
const newKey = (name) => openssl('ecparam', '-genkey', '-name', 'prime256v1', '-noout', '-out', `${name}.key`);

function authority() {
  newKey('ca');
  openssl('genrsa', '-out', 'service-accounts.key', '2048');
  const extensions = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,cRLSign'];
  const added = extensions.flatMap((each) => ['-addext', each]);
  openssl(
    'req',
    '-x509',
    '-new',
    '-key',
    'ca.key',
    '-days',
    '3650',
    '-subj',
    '/CN=cluster',
    '-out',
    'ca.crt',
    ...added,
  );
}

/** A certificate of a subject; `names`: what it is found at. */
function certificate(name, subject, names) {
  newKey(name);
  openssl('req', '-new', '-key', `${name}.key`, '-subj', subject, '-out', `${name}.csr`);
  const uses = ['keyUsage=digitalSignature', 'extendedKeyUsage=serverAuth,clientAuth'];
  writeFileSync(file(`${name}.ext`), [...uses, ...(names ? [`subjectAltName=${names}`] : [])].join('\n'));
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '3650', '-extfile', `${name}.ext`];
  openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-out', `${name}.crt`);
}

function kubeconfigOf(name) {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'cluster', cluster: { server: `https://${nodeAddress}:6443`, 'certificate-authority': file('ca.crt') } },
    ],
    users: [{ name, user: { 'client-certificate': file(`${name}.crt`), 'client-key': file(`${name}.key`) } }],
    contexts: [{ name: 'cluster', context: { cluster: 'cluster', user: name } }],
    'current-context': 'cluster',
  };
  writeFileSync(file(`${name}.kubeconfig`), JSON.stringify(config));
}

const flags = (options) => Object.entries(options).map(([name, value]) => `--${name}=${value}`);

export async function startControlPlane() {
  authority();
  certificate(
    'server',
    '/CN=kube-apiserver',
    `DNS:localhost,DNS:kubernetes.default.svc,IP:127.0.0.1,IP:${nodeAddress},IP:10.96.0.1`,
  );
  certificate('admin', '/O=system:masters/CN=admin');
  for (const { name, address } of nodes)
    certificate(name, `/O=system:nodes/CN=system:node:${name}`, `DNS:${name},IP:${address},IP:127.0.0.1`);
  certificate('front-proxy', '/CN=front-proxy');
  for (const name of ['scheduler', 'controller-manager']) certificate(name, `/CN=system:kube-${name}`);
  for (const name of ['admin', 'scheduler', 'controller-manager', ...nodes.map((node) => node.name)])
    kubeconfigOf(name);
  started('etcd', [
    'etcd',
    ...flags({
      name: 'cluster',
      'data-dir': join(run, 'etcd'),
      'unsafe-no-fsync': true,
      'listen-client-urls': 'http://127.0.0.1:2379',
      'advertise-client-urls': 'http://127.0.0.1:2379',
      'listen-peer-urls': 'http://127.0.0.1:2380',
      'log-level': 'warn',
    }),
  ]);
  started('kube-apiserver', [
    'kube-apiserver',
    ...flags({
      'etcd-servers': 'http://127.0.0.1:2379',
      'bind-address': '0.0.0.0',
      'advertise-address': nodeAddress,
      'secure-port': 6443,
      'tls-cert-file': file('server.crt'),
      'tls-private-key-file': file('server.key'),
      'client-ca-file': file('ca.crt'),
      'kubelet-client-certificate': file('admin.crt'),
      'kubelet-client-key': file('admin.key'),
      'kubelet-certificate-authority': file('ca.crt'),
      'kubelet-preferred-address-types': 'InternalIP',
      'service-account-issuer': 'https://kubernetes.default.svc',
      'service-account-key-file': file('service-accounts.key'),
      'service-account-signing-key-file': file('service-accounts.key'),
      'service-cluster-ip-range': services,
      'requestheader-client-ca-file': file('ca.crt'),
      'requestheader-allowed-names': 'front-proxy',
      'proxy-client-cert-file': file('front-proxy.crt'),
      'proxy-client-key-file': file('front-proxy.key'),
      'requestheader-username-headers': 'X-Remote-User',
      'requestheader-group-headers': 'X-Remote-Group',
      'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
      'authorization-mode': 'Node,RBAC',
      'enable-admission-plugins': 'NodeRestriction',
      'allow-privileged': true,
    }),
  ]);
  await until(120_000, () => box(['kubectl', 'get', '--raw', '/readyz']));
  const as = (name) => ({
    kubeconfig: file(`${name}.kubeconfig`),
    'authentication-kubeconfig': file(`${name}.kubeconfig`),
    'authorization-kubeconfig': file(`${name}.kubeconfig`),
    'leader-elect': false,
    'bind-address': '127.0.0.1',
  });
  started('kube-controller-manager', [
    'kube-controller-manager',
    ...flags({
      ...as('controller-manager'),
      'service-account-private-key-file': file('service-accounts.key'),
      'root-ca-file': file('ca.crt'),
      'cluster-signing-cert-file': file('ca.crt'),
      'cluster-signing-key-file': file('ca.key'),
      'use-service-account-credentials': true,
      'allocate-node-cidrs': true,
      'cluster-cidr': pods,
      'service-cluster-ip-range': services,
    }),
  ]);
  started('kube-scheduler', ['kube-scheduler', ...flags(as('scheduler'))]);
  await until(60_000, () => box(['kubectl', 'get', 'serviceaccount', 'default']));
}

/** Nodes that exist in the API only: pods that are given to them become ready at once. For what scheduling does with many. */
export async function startFakeNodes(count) {
  started('kwok', [
    'kwok',
    ...flags({
      config: stages,
      kubeconfig: file('admin.kubeconfig'),
      'manage-all-nodes': false,
      'manage-nodes-with-annotation-selector': 'kwok.x-k8s.io/node=fake',
      cidr: '10.245.0.0/16',
      'node-ip': '10.250.0.9',
      'node-lease-duration-seconds': 40,
    }),
  ]);
  const room = { cpu: '32', memory: '64Gi', pods: '110' };
  const nodes = Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `fake${index + 1}`,
      annotations: { 'kwok.x-k8s.io/node': 'fake' },
      labels: {
        type: 'kwok',
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': `fake${index + 1}`,
        'topology.kubernetes.io/zone': 'abc'[index % 3],
      },
    },
    status: { capacity: room, allocatable: room },
  }));
  const list = { apiVersion: 'v1', kind: 'List', items: nodes };
  box(['kubectl', 'apply', '-f', '-'], { input: JSON.stringify(list) });
  box(['kubectl', 'wait', '--for=condition=Ready', 'node', '-l', 'type=kwok', '--timeout=60s']);
}
