import type { EngineKind } from '../backing-server.ts';
import { s3User } from '../local/s3-server.ts';
import { pingHttp, pingKafka, pingMongo, pingRedis } from '../wire-ping.ts';

/** How a server is made of a container. Its ports are the same inside and outside, so that it can announce them. */
export interface ContainerSetup {
  readonly kind: EngineKind;
  readonly title: string;
  readonly version: string;
  readonly image: string;
  /** How many ports it serves clients on. */
  readonly ports: number;
  command(ports: readonly number[]): readonly string[];
  environment(ports: readonly number[]): Readonly<Record<string, string>>;
  /** Run once inside, when every port answers: makes one server of what runs there. */
  assemble?(ports: readonly number[]): readonly string[];
  url(ports: readonly number[]): string;
  ping(port: number): Promise<boolean>;
}

const none = () => ({});

const mongoStandalone = (version: string): ContainerSetup => ({
  kind: 'mongodb',
  title: `MongoDB ${version}, standalone`,
  version,
  image: `mongo:${version}`,
  ports: 1,
  command: ([port]) => ['mongod', '--bind_ip_all', '--port', String(port)],
  environment: none,
  url: ([port]) => `mongodb://127.0.0.1:${port}/`,
  ping: pingMongo,
});

const mongoReplicaSet = (version: string): ContainerSetup => ({
  ...mongoStandalone(version),
  title: `MongoDB ${version}, a replica set`,
  command: ([port]) => ['mongod', '--bind_ip_all', '--port', String(port), '--replSet', 'rs0'],
  assemble([port]) {
    const initiate = `rs.initiate({_id: 'rs0', members: [{_id: 0, host: '127.0.0.1:${port}'}]})`;
    const script = `${initiate}; while (!db.hello().isWritablePrimary) sleep(50)`;
    return ['mongosh', '--quiet', '--port', String(port), '--eval', script];
  },
  url: ([port]) => `mongodb://127.0.0.1:${port}/?replicaSet=rs0`,
});

const kafka = (version: string): ContainerSetup => ({
  kind: 'kafka',
  title: `Apache Kafka ${version}`,
  version,
  image: `apache/kafka:${version}`,
  ports: 1,
  command: () => [],
  environment: ([port]) => ({
    KAFKA_NODE_ID: '1',
    KAFKA_PROCESS_ROLES: 'broker,controller',
    KAFKA_CONTROLLER_QUORUM_VOTERS: '1@127.0.0.1:9093',
    KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
    KAFKA_LISTENERS: `CLIENT://:${port},CONTROLLER://127.0.0.1:9093`,
    KAFKA_ADVERTISED_LISTENERS: `CLIENT://127.0.0.1:${port}`,
    KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    KAFKA_INTER_BROKER_LISTENER_NAME: 'CLIENT',
    KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
    KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '1',
    KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
    KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
    KAFKA_HEAP_OPTS: '-Xmx256m',
  }),
  url: ([port]) => `127.0.0.1:${port}`,
  ping: pingKafka,
});

const redisServer = (port: number) =>
  `redis-server --port ${port} --save '' --appendonly yes --appendfsync always --protected-mode no`;

const redis = (version: string): ContainerSetup => ({
  kind: 'redis',
  title: `Redis ${version}`,
  version,
  image: `redis:${version}`,
  ports: 1,
  command: ([port]) => ['sh', '-c', `exec ${redisServer(port!)}`],
  environment: none,
  url: ([port]) => `redis://127.0.0.1:${port}`,
  ping: pingRedis,
});

const clusterNode = (port: number, node: number): string => {
  const bus = 20_001 + node;
  const announce = `--cluster-announce-ip 127.0.0.1 --cluster-port ${bus} --cluster-announce-bus-port ${bus}`;
  return `mkdir -p /data/${node}; ${redisServer(port)} --dir /data/${node} --cluster-enabled yes ${announce} &`;
};

/** All nodes live in one container: what they announce, 127.0.0.1, is then true for each other and for clients. */
const redisCluster = (version: string): ContainerSetup => ({
  ...redis(version),
  kind: 'redis-cluster',
  title: `Redis Cluster ${version}`,
  ports: 3,
  command: (ports) => ['sh', '-c', `${ports.map(clusterNode).join('\n')}\nwait`],
  assemble(ports) {
    const nodes = ports.map((port) => `127.0.0.1:${port}`).join(' ');
    const whole = ports.map((port) => `redis-cli -p ${port} cluster info | grep -q cluster_state:ok`).join(' && ');
    return ['sh', '-c', `redis-cli --cluster create ${nodes} --cluster-yes && until ${whole}; do sleep 0.1; done`];
  },
  url: (ports) => ports.map((port) => `redis://127.0.0.1:${port}`).join(),
});

const versitygw = (version: string): ContainerSetup => ({
  kind: 's3',
  title: `Versity S3 Gateway ${version}`,
  version,
  image: `versity/versitygw:v${version}`,
  ports: 1,
  command: ([port]) => ['--port', `:${port}`, '--quiet', 'posix', '--sidecar', '/tmp', '/mnt'],
  environment: () => ({ ROOT_ACCESS_KEY_ID: s3User.name, ROOT_SECRET_ACCESS_KEY: s3User.secret }),
  url: ([port]) => `http://${s3User.name}:${s3User.secret}@127.0.0.1:${port}`,
  ping: pingHttp,
});

/** The images used where a Docker engine answers. */
export const containerSetups: readonly ContainerSetup[] = [
  mongoReplicaSet('8.0'),
  mongoStandalone('8.0'),
  mongoReplicaSet('7.0'),
  ...['3.9.1', '4.1.1'].map(kafka),
  redis('7.4'),
  redisCluster('7.4'),
  versitygw('1.8.0'),
];
