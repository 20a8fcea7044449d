import { cp, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../system/system.ts';
import { cachedEngine, engineVersions, programOnPath } from './engine-cache.ts';
import type { LocalSetup } from './local-server.ts';
import { pingKafka } from '../wire-ping.ts';

/** The Kafka brokers that this machine can run: one KRaft node that is broker and controller, without replication. */
export function localKafkaServers(): readonly (LocalSetup & { readonly version: string })[] {
  const java = programOnPath('java');
  if (!java) return [];
  return engineVersions.kafka.flatMap((version) => {
    const folder = cachedEngine('kafka', version);
    return folder ? [{ ...kafka(java, folder, version), version }] : [];
  });
}

function kafka(java: string, engine: string, version: string): LocalSetup {
  return {
    kind: 'kafka',
    title: `Apache Kafka ${version}`,
    async prepare(folder) {
      const [port, controller] = [await freePort(), await freePort()];
      const properties = join(folder, 'server.properties');
      await writeFile(properties, brokerProperties(port, controller, join(folder, 'data')));
      // The installer formatted an empty store once; a copy saves the start of a second JVM.
      await cp(join(engine, 'formatted'), join(folder, 'data'), { recursive: true });
      return [{ port, command: java, args: [...javaOptions(engine), 'kafka.Kafka', properties] }];
    },
    url: ([program]) => `127.0.0.1:${program!.port}`,
    ping: ({ port }) => pingKafka(port),
  };
}

function javaOptions(engine: string): string[] {
  const archive = join(engine, 'classes.jsa');
  return [
    '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
    '-Xms64m',
    '-Xmx256m',
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '-Xshare:auto',
    ...(existsSync(archive) ? [`-XX:SharedArchiveFile=${archive}`] : []),
    '-cp',
    join(engine, 'lib', '*'),
  ];
}

/** Small and quick: one thread of each sort, segments of 16 MB, elections without waiting, topics only on request. */
function brokerProperties(port: number, controller: number, data: string): string {
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controller}
listeners=CLIENT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}
advertised.listeners=CLIENT://127.0.0.1:${port}
listener.security.protocol.map=CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
inter.broker.listener.name=CLIENT
log.dirs=${data}
auto.create.topics.enable=false
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
log.segment.bytes=16777216
log.index.size.max.bytes=1048576
log.cleaner.enable=false
num.network.threads=1
num.io.threads=2
background.threads=1
controller.quorum.election.timeout.ms=200
controller.quorum.fetch.timeout.ms=1000
controller.quorum.election.backoff.max.ms=100
broker.heartbeat.interval.ms=500
broker.session.timeout.ms=2000
`;
}
