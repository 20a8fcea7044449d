export { launchBrowser, noBrowser } from './http/browser.ts';
export { localhostCertificate } from './http/certificate.ts';
export { FakeClock, FakeIds } from './fakes.ts';
export { given } from './spec.ts';
export { type Runbook, type RunbookCommand, blocksOf, commandsOf, runbooks } from './runbooks.ts';
export { type Listener, listen, portOf } from './http/listen.ts';
export { type DnsServer, startDns } from './http/dns-server.ts';
export { type NotedSpan, notingTracer } from './noting-tracer.ts';
export { found, patience, until } from './until.ts';
export { unzip } from './unzip.ts';
export { isLongRun, longTest } from './long-run.ts';
export { type CollectedSpan, type OtlpCollector, otlpCollector } from './http/otlp-collector.ts';
export { leadTo, loopbackFetch } from './http/loopback-fetch.ts';
export { Person, type Form, type Landed, formsOf } from './http/person.ts';
export { type Answer, type Tokens, Client, approve, call, codeOf, post } from './http/client.ts';
export { type Postgres, localPostgres, postgresUser, preparePostgres } from './servers/local/postgres-server.ts';
export { ServiceProcess } from './system/service-process.ts';
export { type Told, questionsOf, toldOf, untold } from './system/told.ts';
export { demoHistory } from './system/demo-history.ts';
export { type ReadyProxy, readyProxy } from './system/ready-proxy.ts';
export {
  type PreparedSplit,
  type SplitEngines,
  type SplitOptions,
  type SplitSystem,
  anotherProcess,
  prepareSplit,
  startSplit,
} from './system/split.ts';
export { type Topology, describeTopologies, describeTopologiesIfLong, describeWithHistory } from './system/topology.ts';
export { engines, noSplit, urlsOf } from './system/topology.ts';
export {
  type Ended,
  type Place,
  type System,
  type SystemOptions,
  StartFailed,
  freePort,
  runSystem,
  startSystem,
} from './system/system.ts';
export {
  type ServerOptions,
  availability,
  sharedKafka,
  sharedMongo,
  sharedRedis,
  startKafka,
  startMongo,
  startRedis,
  startRedisCluster,
} from './servers/availability.ts';
export {
  type Availability,
  type BackingServer,
  type Engine,
  type EngineKind,
  type Origin,
  type SharedServer,
  NotOwned,
  ServerFailed,
} from './servers/backing-server.ts';
export { describeEngines } from './servers/describe-engines.ts';
export { type Prometheus, noPrometheus, promtool, startPrometheus } from './servers/prometheus.ts';
export { type FaultProxy, startFaultProxy } from './servers/fault-proxy.ts';
export { type HostileLoad, hostileLoad } from './hostile/hostile-load.ts';
export { hostileSchool } from './hostile/hostile-school.ts';
export { type Honest, HonestLoad } from './hostile/honest-load.ts';
export { allWays } from './hostile/all-ways.ts';
export {
  hostileFileNames,
  hostileFormulas,
  hostileLines,
  hostileLinks,
  hostileMarkup,
} from './hostile/hostile-texts.ts';
