import { clientAddressHeader, oauthPaths, schoolHeader } from '@lyceum/contracts';
import { Person, call, startRedis, startSystem } from '@lyceum/testkit';
import { Authority } from './authority.ts';
import { authorizationRequest, registration } from './registered-client.ts';
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
    const headers: Record<string, string> = direct ? asGateway(await schoolId(system)) : {};
    const json = registration(redirectUri, idTokenAlg);
    const { status, body: client } = await call(`${system.baseUrl}${oauthPaths.register}`, { json, headers });
    if (status !== 201) throw new Error(`registration answered ${status}: ${JSON.stringify(client)}`);
    const person = new Person(headers);
    const { query } = authorizationRequest({ client_id: client.client_id as string, redirectUri });
    const signIn = await person.visit(`${system.baseUrl}${oauthPaths.authorize}?${query}`);
    const consent = await person.submit(signIn, { email: 'owner@lantern.test', password: system.password });
    const { left } = await person.submit(consent, { decision: 'approve' });
    if (!left) throw new Error('the sign-in led nowhere');
    const { client_id, client_secret } = client as { client_id: string; client_secret: string };
    const at = {
      origin: system.baseUrl,
      usage: () => usageOf(system.process.pid!),
      headers,
      client: { client_id, client_secret, redirectUri },
    };
    return new Authority({ ...at, cookies: [person.cookie], stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Clients that register themselves have addresses of their own machine only. */
const redirectUri = 'http://127.0.0.1:53682/callback';
const serviceToken = 'service-token-of-this-measurement';

/** What a gateway in another process would say. */
const asGateway = (school: string) => ({
  [schoolHeader]: school,
  [clientAddressHeader]: '127.0.0.1',
  'x-service-token': serviceToken,
});

async function schoolId({ operatorUrl, operatorToken: token }: Awaited<ReturnType<typeof startSystem>>) {
  const { body } = await call(`${operatorUrl}/internal/schools`, { token });
  return (body.data as { id: string; slug: string }[]).find(({ slug }) => slug.startsWith('lantern'))!.id;
}

const missing = (error: Error): never => {
  throw new PeerMissing(error.message);
};
