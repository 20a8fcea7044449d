// Values that all charts of an installation share, under global.lyceum.
import {
  egress,
  flag,
  group,
  list,
  ofKubernetes,
  routes,
  settings,
  sharedImage,
  text,
  whole,
} from './schema-parts.mjs';

/** Inside and outside of the cluster: an address block alone does not mean pods to every network plugin. */
const anywhere = [{ namespaceSelector: {} }, { ipBlock: { cidr: '0.0.0.0/0' } }];
const namespace = (name) => [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } }];

const networkPolicy = group('Who may talk to whom. Whoever is not named is refused; an empty list names nobody', {
  enabled: flag('Whether there are NetworkPolicies', true),
  edgeFrom: list(
    'Who may call the gateway beside the services, as in "from" of a NetworkPolicy',
    { type: 'object' },
    namespace('ingress'),
  ),
  operatorsFrom: list('Who may call the operator listeners, as in "from" of a NetworkPolicy', { type: 'object' }),
  dns: list('Where names are resolved, as in "to" of a NetworkPolicy', { type: 'object' }, namespace('kube-system')),
  egress: egress(
    'Servers that every service calls. Ports of kafka that are empty are those in KAFKA_BROKERS; the gateway never calls mongodb',
    {
      kafka: { to: anywhere, ports: [] },
      mongodb: { to: anywhere, ports: [27017] },
      redis: { to: anywhere, ports: [6379] },
    },
  ),
});

const lyceum = group('What all services of an installation share', {
  installation: text('Name of the installation, in the labels of all its pods. Never change it', 'lyceum', {
    pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
  }),
  production: flag('NODE_ENV: production, or development', true),
  image: sharedImage,
  secret: group('The Secret with SERVICE_TOKEN, OPERATOR_TOKEN, KEY_ENCRYPTION_KEY, MONGODB_URL, REDIS_URL', {
    name: text('Its name. It must exist: no chart makes it or reads it', 'lyceum', { minLength: 1 }),
    revision: whole('Raise this after you have changed the Secret: every pod is then replaced', 1, 1),
  }),
  settings: settings(
    'Settings of every process (docs/settings.md), by name',
    { BASE_URL: '', KAFKA_BROKERS: '' },
    {
      required: ['BASE_URL', 'KAFKA_BROKERS'],
      properties: {
        BASE_URL: { type: 'string', description: 'Public origin of the first school', pattern: '^https?://' },
        KAFKA_BROKERS: { type: 'string', description: 'host:port, several separated by commas', pattern: ':[0-9]+$' },
      },
    },
  ),
  routes: routes(
    'Paths beyond those of the services that come with Lyceum, each with its service: {"/api/badges": {"service": "library"}}, with "url" where that is not http://<service>:8080. Only the gateway and auth are replaced when it changes',
  ),
  authorities: group('Authorities that certificates of engines are checked against', {
    configMap: text('Name of an existing ConfigMap of PEM files, mounted at /etc/lyceum/authorities; empty = none'),
  }),
  drainSeconds: whole(
    'How long new connections are served after SIGTERM: routers need so long to hear of it',
    10,
    0,
    60,
  ),
  networkPolicy,
  podMonitor: group('A PodMonitor of the Prometheus operator for each service', {
    enabled: flag('Whether there is one', false),
    interval: text('How often it reads', '30s'),
    labels: ofKubernetes('Labels by which Prometheus finds it', 'object'),
  }),
});

/** The values under "global". Other charts may have values of their own beside them. */
export const shared = { type: 'object', required: ['lyceum'], properties: { lyceum } };
