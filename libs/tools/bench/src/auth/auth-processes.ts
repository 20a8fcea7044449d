import { type ServiceProcess, anotherProcess, availability, startSplit, urlsOf } from '@lyceum/testkit';
import { setTimeout as delay } from 'node:timers/promises';
import { Authority } from './authority.ts';
import { type Work, codeExchange, refresh } from './auth-work.ts';
import { asGateway, schoolOf, signedIn } from './demo-owner.ts';
import { type Case, PeerMissing, type Round, type Running, type Side } from '../measuring/case.ts';
import { limitProcessor } from '../start/processor-share.ts';
import { usageOf } from '../measuring/process-usage.ts';

/**
 * Of a processor, for each process of the authorization server: the client, the engines and the other services need the
 * rest, and must not be what both sides wait for.
 */
const share = 0.25;

/** Milliseconds of load before anything is measured, at once without a bound; and of a round at least: a share is counted in steps. */
const [preheating, shortest] = [5_000, 4_000];

/** Options of Node.js: those that this program was started with, as other processes that are measured. */
const nodeArgs = process.execArgv;

/** Two processes of the authorization server that answer requests, on MongoDB-wire, Kafka and Redis, each bounded. */
interface Processes {
  readonly authorities: readonly [Authority, Authority];
  stop(): Promise<void>;
}

/** Engines of this machine; a server whose indexes are real, as several processes write to it. */
async function startEngines() {
  const kinds = ['mongodb-indexed', 'kafka', 'redis'] as const;
  const found = await Promise.all(kinds.map(async (kind) => (await availability(kind)).engines[0]));
  const absent = kinds.filter((_, index) => !found[index]);
  if (absent.length > 0) throw new PeerMissing(`there is no ${absent.join(', no ')}: npm run engines`);
  return Promise.all(found.map((engine) => engine!.start()));
}

async function startProcesses(): Promise<Processes> {
  const servers = await startEngines();
  const stopServers = async () => void (await Promise.all(servers.map((server) => server.stop())));
  const stopping: (() => Promise<unknown>)[] = [stopServers];
  const stop = async () => {
    for (const each of stopping.toReversed()) await each();
  };
  try {
    const system = await startSplit({ engines: urlsOf(servers), env: { RATE_LIMIT_FACTOR: '999999' }, nodeArgs });
    stopping.push(() => system.stop());
    const second = await anotherProcess('auth', { ...system.env, ROLE: 'http' }, { nodeArgs });
    stopping.push(() => second.end('SIGTERM'));
    second.launch();
    await second.ready();
    const owner = await signedIn(system, {}, 'ES256');
    const headers = asGateway(await schoolOf(system), system.env['SERVICE_TOKEN']!);
    const authorityOf = ({ port, pid }: ServiceProcess) =>
      new Authority({
        ...owner,
        headers,
        origin: `http://127.0.0.1:${port}`,
        usage: () => usageOf(pid!),
        stop: () => Promise.resolve(),
      });
    const both = [system.processes.get('auth-http')!, second] as const;
    const authorities = [authorityOf(both[0]), authorityOf(both[1])] as const;
    for (const each of authorities) stopping.push(() => each.close());
    for (const { begin } of [codeExchange, refresh])
      for (const each of authorities) await (await begin(each))(preheating);
    for (const { pid } of both) {
      const release = await limitProcessor(pid!, share);
      // A group goes when nothing is in it any more.
      stopping.unshift(release);
    }
    // What was written meanwhile is projected.
    await delay(preheating);
    return { authorities, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

let running: Promise<Processes> | undefined;
let users = 0;

/** All sides ask the same processes, which end with the last of them. */
async function sharedProcesses(): Promise<Processes> {
  users += 1;
  running ??= startProcesses();
  const { authorities, stop } = await running.catch((error: unknown) => {
    [running, users] = [undefined, 0];
    throw error;
  });
  return {
    authorities,
    async stop() {
      users -= 1;
      if (users > 0) return;
      running = undefined;
      await stop();
    },
  };
}

/** What several processes did at the same time. */
function together(rounds: readonly Round[]): Round {
  const sum = (value: (round: Round) => number) => rounds.reduce((total, round) => total + value(round), 0);
  return {
    operations: sum(({ operations }) => operations),
    latencies: rounds.flatMap(({ latencies = [] }) => latencies),
    server: {
      milliseconds: Math.max(...rounds.map(({ server }) => server!.milliseconds)),
      cpu: sum(({ server }) => server!.cpu),
      megabytes: sum(({ server }) => server!.megabytes),
    },
  };
}

const side = (name: string, count: 1 | 2, work: Work, goal?: Side['goal']): Side => ({
  name,
  ...(goal && { goal }),
  async open(): Promise<Running> {
    const { authorities, stop } = await sharedProcesses();
    const rounds = await Promise.all(authorities.slice(0, count).map((each) => work.begin(each)));
    return {
      async round(milliseconds) {
        const asked = Math.max(milliseconds, shortest);
        return together(await Promise.all(rounds.map((round) => round(asked))));
      },
      close: stop,
    };
  },
});

const compared = (name: string, work: Work): Case => ({
  name: `token endpoint, ${name}: processes with ${share * 100} % of a processor each, asked as a gateway asks`,
  unit: work.unit,
  sides: [side('two processes', 2, work), side('one process', 1, work, { atLeast: 1.7 })],
});

/** What one more process of the authorization server gives. */
export const authProcessesCases: readonly Case[] = [
  compared('refresh', refresh),
  compared('code exchange', codeExchange),
];
