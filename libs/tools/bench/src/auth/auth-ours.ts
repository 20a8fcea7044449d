import { startRedis, startSystem } from '@lyceum/testkit';
import { Authority } from './authority.ts';
import { asGateway, schoolOf, signedIn } from './demo-owner.ts';
import { PeerMissing } from '../measuring/case.ts';
import { usageOf } from '../measuring/process-usage.ts';

/** A variant of ours. */
export interface OurVariant {
  readonly idTokenAlg: 'ES256' | 'RS256';
  /** The authorization server itself is asked, as if by a gateway, instead of the gateway. */
  readonly direct?: boolean;
  /** Codes and counters on Redis instead of in memory. */
  readonly redis?: boolean;
}

/** The real process from its build, with its log on disk, every append fsynced; it logs nothing per request, as the peer does. */
export async function openOurs({ idTokenAlg, direct, redis }: OurVariant): Promise<Authority> {
  const server = redis ? await startRedis().catch(missing) : undefined;
  const system = await startSystem({
    nodeArgs: process.execArgv,
    env: {
      RATE_LIMIT_FACTOR: '999999',
      // It is written in the first seconds, beside what is measured.
      DEMO_HISTORY: 'false',
      LOG_LEVEL: 'warn',
      ...(server ? { REDIS_URL: server.url } : {}),
      // What a process wants to know that does not run everything.
      ...(direct ? { SERVICE_TOKEN: serviceToken } : {}),
    },
    ...(direct ? { argv: ['--only=auth,school,catalog,commerce,content,media,learning,analytics'] } : {}),
  });
  const stop = async () => {
    await system.stop();
    await server?.stop();
  };
  try {
    const headers = direct ? asGateway(await schoolOf(system), serviceToken) : {};
    const usage = () => usageOf(system.process.pid!);
    return new Authority({ ...(await signedIn(system, headers, idTokenAlg)), usage, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

const serviceToken = 'service-token-of-this-measurement';

const missing = (error: Error): never => {
  throw new PeerMissing(error.message);
};
