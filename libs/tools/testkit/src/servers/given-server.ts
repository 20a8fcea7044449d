import { type BackingServer, type Engine, type EngineKind, NotOwned } from './backing-server.ts';

const variables: Readonly<Record<EngineKind, string>> = {
  mongodb: 'TEST_MONGODB_URL',
  'mongodb-indexed': 'TEST_MONGODB_INDEXED_URL',
  kafka: 'TEST_KAFKA_BROKERS',
  redis: 'TEST_REDIS_URL',
  'redis-cluster': 'TEST_REDIS_CLUSTER_URL',
  s3: 'TEST_S3_URL',
};

/** The server that the environment names, or undefined. It is used, never controlled. */
export function givenEngine(kind: EngineKind): Engine | undefined {
  const variable = variables[kind];
  const url = process.env[variable];
  if (!url) return undefined;
  const refuse = () => Promise.reject(new NotOwned(`the server of ${variable} is not ours to control`));
  const server: BackingServer = {
    kind,
    url,
    title: `the server of ${variable}`,
    origin: 'given',
    nodes: url.split(',').length,
    stop: () => Promise.resolve(),
    kill: refuse,
    restart: refuse,
    pause: refuse,
    resume: refuse,
  };
  const start = () => Promise.resolve(server);
  return { kind, title: server.title, version: '', origin: 'given', start, shared: start };
}
