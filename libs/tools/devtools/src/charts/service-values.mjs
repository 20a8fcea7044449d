// The values of each service chart.
import {
  egress,
  flag,
  group,
  list,
  ofKubernetes,
  ofLibrary,
  ownImage,
  resources,
  settings,
  text,
  whole,
} from './schema-parts.mjs';
import { shared } from './shared-values.mjs';

const everywhere = [{ namespaceSelector: {} }, { ipBlock: { cidr: '0.0.0.0/0' } }];
/** The internet without what is private or local: what strangers name must not lead into the cluster. */
const internet = [
  {
    ipBlock: {
      cidr: '0.0.0.0/0',
      except: ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
    },
  },
];
const mail = { to: everywhere, ports: [465, 587] };

const replicas = (value) => whole('How many pods; the least of them where they are scaled', value, 1);

const http = (replicaCount = 2, cpu = '100m') =>
  group('What answers requests', {
    replicas: replicas(replicaCount),
    resources: resources('256Mi', '512Mi', cpu),
    autoscaling: group('HorizontalPodAutoscaler', {
      enabled: flag('Whether processor time decides how many there are', false),
      maxReplicas: whole('How many at most', 6, 1),
      cpuPercent: whole('Processor time of the request that is aimed at, in percent', 70, 1, 100),
    }),
  });

const consumer = group('What keeps read models and reacts to events', {
  replicas: replicas(1),
  resources: resources('256Mi', '512Mi'),
  autoscaling: group('ScaledObject of KEDA', {
    enabled: flag('Whether lag in Kafka decides how many there are', false),
    maxReplicas: whole('How many at most: more than lanes (16) have nothing to do', 8, 1, 256),
    lagThreshold: whole('Messages that one pod may be behind', 500, 1),
    groups: list('Topics and consumer groups whose lag counts', {
      type: 'object',
      additionalProperties: false,
      required: ['topic', 'group'],
      properties: { topic: { type: 'string' }, group: { type: 'string' } },
    }),
  }),
});

const relay = group('What publishes events to Kafka', {
  replicas: replicas(1),
  resources: resources('256Mi', '512Mi'),
});

const all = group('What does all of it, where roles are together', {
  replicas: replicas(1),
  resources: resources('256Mi', '512Mi'),
});

const roles = (value) =>
  text('separate: a Deployment for each role; together: one Deployment for all', value, {
    enum: ['separate', 'together'],
  });

const files = group('Where the files of people are', {
  in: text(
    'bucket, claim (a PersistentVolumeClaim) or emptyDir (gone with the pod: for evaluation). All but a bucket need roles: together and one replica',
    'claim',
    {
      enum: ['bucket', 'claim', 'emptyDir'],
    },
  ),
  bucket: text('Name of the bucket; the other MEDIA_S3_… belong into settings, the secret key into the Secret'),
  claim: group('The claim', {
    size: text('How large it is', '20Gi', { pattern: '^[1-9][0-9]*(Mi|Gi|Ti)$' }),
    storageClassName: text('Its class; empty = that of the cluster'),
    existing: text('Name of a claim that exists already; empty = the chart makes one'),
  }),
});

const common = (destinations) => ({
  image: ownImage,
  settings: settings('Settings of this service (docs/settings.md), by name'),
  egress: egress('Servers that this service calls beside those of all', destinations),
  serviceAccountName: text(
    'Name of an existing ServiceAccount; empty = that of the namespace. No token of it is mounted',
  ),
  podAnnotations: ofKubernetes('Annotations of its pods', 'object'),
  nodeSelector: ofKubernetes('Labels of nodes that it may run on', 'object'),
  tolerations: ofKubernetes('Taints of nodes that it bears', 'array'),
  priorityClassName: text('Name of an existing PriorityClass'),
});

const parted = (destinations = {}, layout = 'separate') => ({
  roles: roles(layout),
  http: http(),
  consumer,
  relay,
  all,
  ...common(destinations),
});

const services = {
  // Every request passes it: it needs more than each of those behind it, above all where all of them start at once.
  gateway: { http: http(2, '250m'), ...common({}) },
  // Documents of clients, at addresses that strangers give.
  auth: parted({ clients: { to: internet, ports: [443] }, mail }),
  school: parted(),
  catalog: parted(),
  learning: parted(),
  media: { ...parted({ bucket: { to: everywhere, ports: [443] } }, 'together'), files },
  commerce: parted({ stripe: { to: internet, ports: [443] }, mail }),
  content: parted({ mail }),
  analytics: parted(),
};

/** Names of the services that have a chart. */
export const serviceNames = Object.keys(services);

/** The schema of the values of a service chart. Helm puts an entry for the library beside them. */
export const serviceSchema = (name) => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: `Values of the chart ${name}`,
  ...group(`Values of the chart ${name}`, {
    global: shared,
    ...services[name],
    lib: ofLibrary,
  }),
  required: ['global'],
});
