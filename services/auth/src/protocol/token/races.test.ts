import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Ephemeral, memoryEphemeral, redisEphemeral } from '@lyceum/ephemeral';
import { trustState } from '@lyceum/oauth';
import { type Answer, Client, describeEngines, post } from '@lyceum/testkit';
import { decodeJwt } from 'jose';
import { randomUUID } from 'node:crypto';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AuthPorts } from '../../http/exchange/auth-ports.ts';
import { type TestAuth, approved, emailOf, handlerOf, password, startAuth, userinfo } from '../../testing/test-auth.ts';

const parallel = 50;
/** Of each race: enough to meet the interleavings that matter; CI runs more. */
const rounds = Number(process.env['RACE_ROUNDS'] ?? 5);
const patience = 60_000 + rounds * 10_000;

/** How often there was each answer. */
function tally(answers: readonly Pick<Answer, 'status' | 'body'>[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = status === 200 ? '200' : `${status} ${String(body?.error)}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Races between two processes of the service on one log, with short-lived state that the engine gives to both. */
const testRaces = (open: (auth: TestAuth) => Promise<readonly [Ephemeral, Ephemeral]>): void => {
  let auth: TestAuth;
  let client: Client;
  let stores: readonly Ephemeral[];
  const processes: Server[] = [];
  let urls: readonly string[];
  beforeAll(async () => {
    auth = await startAuth();
    stores = await open(auth);
    auth.restart({ ephemeral: stores[0]! });
    urls = await Promise.all(stores.map((ephemeral) => serve({ ...auth.ports, ephemeral })));
    client = await Client.register(auth.school.url);
  });
  /** A process of the service. It ends no connection by itself: a busy machine would take long to notice. */
  async function serve(ports: AuthPorts): Promise<string> {
    const handle = handlerOf(ports, trustState(auth.clock));
    const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      request.headers['x-school-id'] = auth.school.id;
      void handle(request, response);
    });
    processes.push(server);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  afterAll(async () => {
    for (const server of processes) {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    }
    for (const store of stores ?? []) await store.close();
    await auth.close();
  });

  /** On kept connections, so that the requests and not their handshakes meet. */
  const race = (form: Record<string, string>, endpoint = 'token') =>
    Promise.all(
      Array.from({ length: parallel }, async (_, at) => {
        const body = new URLSearchParams({ client_id: client.id, ...form });
        const response = await fetch(`${urls[at % 2]!}/api/oauth/${endpoint}`, { method: 'POST', body });
        const text = await response.text();
        return { status: response.status, body: (text ? JSON.parse(text) : undefined) as Answer['body'] };
      }),
    );
  const tokens = () => client.tokens(emailOf('owner'), password, 'openid courses:read');
  const eventsOf = async (refreshToken: string) => {
    const { commits } = await auth.ports.log.load(auth.school.id, [`grant-${refreshToken.slice(3, 39)}`]);
    return commits.flatMap(({ events }) => events.map(({ type }) => type));
  };

  test(
    'RFC 9700 §4.14.2: of 50 parallel refreshes in two processes all get the answer of the one rotation',
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { refresh_token } = await tokens();
        const answers = await race({ grant_type: 'refresh_token', refresh_token });
        expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
        const given = answers.map(({ body }) => `${body.refresh_token} ${decodeJwt(body.access_token).jti}`);
        expect(new Set(given).size).toBe(1);
        expect((await eventsOf(refresh_token)).filter((type) => type === 'RefreshRotated')).toHaveLength(1);
        expect((await client.refresh(answers[0]!.body.refresh_token)).status).toBe(200);
      }
    },
    patience,
  );

  test(
    'RFC 6749 §4.1.2: of 50 parallel redemptions in two processes one succeeds, and the grant ends',
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { code, verifier } = await approved(client);
        const form = {
          grant_type: 'authorization_code',
          code,
          redirect_uri: client.redirectUri,
          code_verifier: verifier,
        };
        const answers = await race(form);
        const winners = answers.filter(({ status }) => status === 200);
        expect(tally(answers)).toEqual({ '200': 1, '400 invalid_grant': parallel - 1 });
        expect((await userinfo(auth.school, winners[0]!.body.access_token)).status).toBe(401);
      }
    },
    patience,
  );

  test(
    'RFC 7009 §2.1: of refreshes and revocations at once none leaves a token that counts',
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { refresh_token } = await tokens();
        const [answers] = await Promise.all([
          race({ grant_type: 'refresh_token', refresh_token }),
          ...urls.map((url) => post(`${url}/api/oauth/revoke`, { token: refresh_token, client_id: client.id })),
        ]);
        const given = answers.filter(({ status }) => status === 200).map(({ body }) => JSON.stringify(body));
        for (const body of [...new Set(given)].map((text) => JSON.parse(text) as Answer['body'])) {
          expect((await userinfo(auth.school, body.access_token)).status).toBe(401);
          expect((await client.refresh(body.refresh_token)).body.error).toBe('invalid_grant');
        }
        expect((await eventsOf(refresh_token)).filter((type) => type === 'GrantRevoked')).toHaveLength(1);
      }
    },
    patience,
  );

  test(
    'RFC 7009 §2.2: of 50 parallel revocations in two processes all are 200 and the grant ends once',
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { access_token, refresh_token } = await tokens();
        const answers = await race({ token: refresh_token }, 'revoke');
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
        expect((await eventsOf(refresh_token)).filter((type) => type === 'GrantRevoked')).toHaveLength(1);
        expect((await userinfo(auth.school, access_token)).status).toBe(401);
      }
    },
    patience,
  );
};

describe('in memory', () =>
  testRaces(async ({ clock }) => {
    const shared = memoryEphemeral(clock);
    return [shared, shared];
  }));

await describeEngines('redis', (engine) =>
  testRaces(async () => {
    const { url } = await engine.shared();
    const options = { url, prefix: `races-${randomUUID()}` };
    return [await redisEphemeral(options), await redisEphemeral(options)];
  }),
);
