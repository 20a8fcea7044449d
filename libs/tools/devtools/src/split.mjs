// npm run split: the whole system as separate processes on real engines, on this machine alone. MongoDB-wire, Kafka and
// Redis servers are started (or those of TEST_MONGODB_URL, TEST_KAFKA_BROKERS, TEST_REDIS_URL are used), then the gateway,
// the authorization server as three processes (http, consumer, relay), school and catalog, with the demo schools.
// PORT (8080) is the gateway's. Ctrl-C ends everything; a killed script leaves nothing behind either.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const { status } = spawnSync(join('node_modules', '.bin', 'tsc'), ['-b'], { stdio: 'inherit' });
if (status !== 0) process.exit(1);
const { engines, startSplit, urlsOf } = await import('@lyceum/testkit');

let stopping = false;
let stop = async () => {};
const onSignal = async () => {
  if (stopping) return;
  stopping = true;
  console.log('\nstopping');
  await stop();
  process.exit(0);
};
process.on('SIGINT', () => void onSignal());
process.on('SIGTERM', () => void onSignal());

try {
  const chosen = await engines();
  console.log(`starting ${chosen.map(({ title }) => title).join(', ')}`);
  const servers = await Promise.all(chosen.map((engine) => engine.start()));
  stop = async () => void (await Promise.all(servers.map((server) => server.stop())));
  console.log('starting the services');
  const demo = process.env['DEMO_PASSWORD'];
  const system = await startSplit({
    engines: urlsOf(servers),
    port: Number(process.env['PORT'] ?? 8080),
    env: { RATE_LIMIT_FACTOR: '20', ...(demo ? { DEMO_PASSWORD: demo } : {}) },
  });
  const stopServers = stop;
  stop = async () => {
    await system.stop();
    await stopServers();
  };
  const lines = [
    `Lantern Craft School  ${system.baseUrl}`,
    `North Quay Music      ${system.northQuayUrl}`,
    'Accounts              owner@ admin@ lecturer@ student@ lantern.test (and northquay.test)',
    `Password              ${system.password}`,
    `Operators             ${system.operatorUrl}/internal  (token: ${system.operatorToken})`,
    ...servers.map(({ title, url }) => `${title.padEnd(21)} ${url}`),
    ...[...system.processes.values()].map(({ name, port, pid }) => `${name.padEnd(21)} 127.0.0.1:${port}  pid ${pid}`),
    '',
    'Stop with Ctrl-C.',
  ];
  console.log(`\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n`);
  setInterval(() => {}, 60_000);
} catch (error) {
  console.error(error.ended ? `${error.message}` : error);
  await stop();
  process.exit(1);
}
