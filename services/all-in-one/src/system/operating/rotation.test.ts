import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, type Place, type Tokens, call, engines, post, startSplit, startSystem, urlsOf } from '@lyceum/testkit';
import { setTimeout as sleep } from 'node:timers/promises';

/** A key signs for 20 seconds, its successor is published 15 seconds before. */
const env = { SIGNING_KEY_SECONDS: '20', RATE_LIMIT_FACTOR: '999999' };
/** Seconds of a long run, with as many changes of keys as come. A usual one ends some seconds after the first. */
const wished = process.env['ROTATION_SECONDS'];
const seconds = Number(wished ?? 60);
const callers = 4;
/** Milliseconds that tokens of the key before are used after a change; and those between two refreshes of a caller. */
const [afterwards, between] = [5_000, 100];

interface Opened {
  readonly system: Place;
  close(): Promise<unknown>;
}

interface Seen {
  readonly kids: Set<string>;
  readonly refused: string[];
  checks: number;
  changedAt?: number;
}

const kidOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string }).kid;

/** Refreshes, and uses every token that is still good wherever tokens are verified: at the API, at UserInfo, by introspection. */
async function keepUsing(system: Place, client: Client, first: Tokens, isOver: () => boolean, seen: Seen) {
  const alive = [first.access_token];
  let { refresh_token } = first;
  const note = (what: string, status: number, isGood = status === 200) => {
    seen.checks += 1;
    if (!isGood) seen.refused.push(`${what}: ${status}`);
  };
  for (; !isOver(); await sleep(between)) {
    const { status, body } = await client.refresh(refresh_token);
    note('refresh', status);
    if (status !== 200) return;
    refresh_token = body.refresh_token as string;
    seen.kids.add(kidOf(body.access_token as string));
    if (seen.kids.size > 1) seen.changedAt ??= Date.now();
    alive.push(body.access_token as string);
    // The newest, the oldest, and one of those in between.
    const chosen = [alive.at(-1)!, alive[0]!, alive[Math.floor(Math.random() * alive.length)]!];
    for (const token of chosen) {
      note('API', (await call(`${system.baseUrl}/api/courses`, { token })).status);
      note('UserInfo', (await call(`${system.baseUrl}/api/oauth/userinfo`, { token })).status);
      const told = await post(`${system.baseUrl}/api/oauth/introspect`, { token, client_id: client.id });
      note('introspection', told.status, told.body.active === true);
    }
  }
}

const rotating = (title: string, open: () => Promise<Opened>) =>
  describe(`signing keys that change under load, ${title}`, () => {
    let opened: Opened | undefined;
    beforeAll(async () => void (opened = await open()), 240_000);
    afterAll(() => opened?.close());

    test(
      'OIDC Core §10.1.1: no token that is still good is refused anywhere, and the published keys name each that signs',
      async () => {
        const { system } = opened!;
        const client = await Client.register(system.baseUrl);
        const seen: Seen = { kids: new Set(), refused: [], checks: 0 };
        const end = Date.now() + seconds * 1_000;
        const isOver = () =>
          Date.now() > end || (wished === undefined && Date.now() > (seen.changedAt ?? end) + afterwards);
        const people = Array.from({ length: callers }, async () => {
          const scope = 'openid profile courses:read';
          const tokens = await client.tokens('owner@lantern.test', system.password, scope);
          await keepUsing(system, client, tokens, isOver, seen);
        });
        const published = new Set<string>();
        const watching = (async () => {
          for (; !isOver(); await sleep(250))
            for (const { kid } of (await call(`${system.baseUrl}/api/oauth/jwks`)).body.keys as { kid: string }[])
              published.add(kid);
        })();
        await Promise.all([...people, watching]);
        expect(seen.refused).toEqual([]);
        expect(seen.checks).toBeGreaterThan(100);
        expect(seen.kids.size).toBeGreaterThanOrEqual(2);
        expect([...seen.kids].filter((kid) => !published.has(kid))).toEqual([]);
      },
      seconds * 1_000 + 120_000,
    );
  });

rotating('in one process', async () => {
  const system = await startSystem({ env });
  return { system, close: () => system.stop() };
});

// Separate processes take minutes to see two changes of keys: only when asked for, by TOPOLOGY=split.
if (process.env['TOPOLOGY'] === 'split')
  rotating('in separate processes on MongoDB-wire, Kafka and Redis', async () => {
    const shared = await Promise.all((await engines()).map((engine) => engine.shared()));
    const system = await startSplit({ engines: urlsOf(shared), env });
    return { system, close: () => system.stop() };
  });
