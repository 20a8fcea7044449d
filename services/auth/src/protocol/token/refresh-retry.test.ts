import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { EphemeralUnavailable, memoryEphemeral } from '@lyceum/ephemeral';
import { type Answer, Client } from '@lyceum/testkit';
import { decodeJwt } from 'jose';
import type { AuthPorts } from '../../http/exchange/auth-ports.ts';
import { dyingAfterAppend, dyingBeforeAppend } from '../../testing/faulty-log.ts';
import { type TestAuth, emailOf, password, startAuth, userinfo } from '../../testing/test-auth.ts';

let auth: TestAuth;
let client: Client;
beforeAll(async () => {
  auth = await startAuth();
  client = await Client.register(auth.school.url);
});
afterEach(() => auth.restart({}));
afterAll(() => auth.close());

const tokens = () => client.tokens(emailOf('owner'), password, 'openid courses:read courses:write');
const typesOf = async (refreshToken: string, kind = 'grant'): Promise<readonly string[]> => {
  const stream = `${kind}-${refreshToken.slice(3, 39)}`;
  const { commits } = await auth.ports.log.load(auth.school.id, [stream]);
  return commits.flatMap(({ events }) => events.map(({ type }) => type));
};
const times = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, make));

/** What stays when the same tokens are signed once more. */
const meaning = ({ body }: Answer) => ({
  refresh: body.refresh_token as string,
  scope: body.scope as string,
  claims: decodeJwt(body.access_token as string),
  person: whoIn(decodeJwt(body.id_token as string)),
});

/** `at_hash` is that of the other signature. */
const whoIn = (claims: ReturnType<typeof decodeJwt>) => ({ ...claims, at_hash: undefined });

describe('a refresh that is sent again inside its grace', () => {
  test('RFC 9700 §4.14.2: a client whose answer was lost gets the same tokens, signed once more', async () => {
    const { refresh_token } = await tokens();
    const first = await client.refresh(refresh_token);
    auth.clock.advance(29_000);
    const again = await client.refresh(refresh_token);
    expect([again.status, meaning(again)]).toEqual([200, meaning(first)]);
    expect((await userinfo(auth.school, again.body.access_token)).status).toBe(200);
    expect((await client.refresh(again.body.refresh_token)).status).toBe(200);
  });

  test('RFC 9700 §4.14.2: of 50 parallel refreshes all get the answer of the one rotation', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { refresh_token } = await tokens();
      const answers = await times(50, () => client.refresh(refresh_token));
      expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
      expect(new Set(answers.map((answer) => JSON.stringify(meaning(answer)))).size).toBe(1);
      expect((await typesOf(refresh_token)).filter((type) => type === 'RefreshRotated')).toHaveLength(1);
    }
  });

  test('RFC 9700 §4.14.2: a fourth retry ends the grant, and every one before has left its trace', async () => {
    const { refresh_token } = await tokens();
    const first = await client.refresh(refresh_token);
    auth.clock.advance(1_000);
    const lines = auth.lines.length;
    for (let retry = 0; retry < 3; retry += 1)
      expect(meaning(await client.refresh(refresh_token))).toEqual(meaning(first));
    expect((await client.refresh(refresh_token)).body.error).toBe('invalid_grant');
    expect((await client.refresh(first.body.refresh_token)).body.error).toBe('invalid_grant');
    const retried = ['RefreshRetried', 'RefreshRetried', 'RefreshRetried'];
    expect(await typesOf(refresh_token, 'refresh-retries')).toEqual(retried);
    expect((await typesOf(refresh_token)).slice(-2)).toEqual(['RefreshReuseDetected', 'GrantRevoked']);
    expect(auth.lines.slice(lines).filter((line) => line.includes('"retried":true'))).toHaveLength(3);
  });

  test('RFC 9700 §4.14.2: after the grace it is reuse, which ends the grant and leaves its trace', async () => {
    const { refresh_token } = await tokens();
    const next = await client.refresh(refresh_token);
    auth.clock.advance(30_000);
    expect((await client.refresh(refresh_token)).body.error).toBe('invalid_grant');
    expect((await client.refresh(next.body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await typesOf(refresh_token)).slice(-2)).toEqual(['RefreshReuseDetected', 'GrantRevoked']);
  });

  test('RFC 9700 §4.14.2: once the successor was used it is reuse, also inside the grace', async () => {
    const { refresh_token } = await tokens();
    const second = await client.refresh(refresh_token);
    const third = await client.refresh(second.body.refresh_token);
    expect((await client.refresh(refresh_token)).body.error).toBe('invalid_grant');
    expect((await userinfo(auth.school, third.body.access_token)).status).toBe(401);
  });

  test('RFC 9700 §4.14.2: with other scopes it is reuse', async () => {
    const { refresh_token } = await tokens();
    const second = await client.refresh(refresh_token);
    expect((await client.refresh(refresh_token, { scope: 'courses:read' })).body.error).toBe('invalid_grant');
    expect((await client.refresh(second.body.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('RFC 8707 §2.2: with another resource it is invalid_target and ends nothing', async () => {
    const { refresh_token } = await tokens();
    const second = await client.refresh(refresh_token);
    const resource = `${auth.school.url}/api`;
    expect((await client.refresh(refresh_token, { resource })).body.error).toBe('invalid_target');
    expect((await client.refresh(second.body.refresh_token)).status).toBe(200);
  });

  test('RFC 6749 §6: another client that sends it gets nothing and ends nothing', async () => {
    const { refresh_token } = await tokens();
    const second = await client.refresh(refresh_token);
    const stranger = await Client.register(auth.school.url);
    expect((await stranger.refresh(refresh_token)).body.error).toBe('invalid_grant');
    expect((await client.refresh(second.body.refresh_token)).status).toBe(200);
  });

  test('RFC 9700 §4.14.2: with REFRESH_GRACE_SECONDS=0 it is always reuse, and of 20 at once one succeeds', async () => {
    auth.restart({ refreshGrace: 0 });
    const one = await tokens();
    const next = await client.refresh(one.refresh_token);
    expect((await client.refresh(one.refresh_token)).body.error).toBe('invalid_grant');
    expect((await client.refresh(next.body.refresh_token)).body.error).toBe('invalid_grant');
    const { refresh_token } = await tokens();
    const answers = await times(20, () => client.refresh(refresh_token));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(19);
  });
});

describe('a refresh and what may fail around it', () => {
  test('RFC 9700 §4.14.2: a restart that forgets what is short-lived keeps the same tokens inside the grace', async () => {
    const { refresh_token } = await tokens();
    const first = await client.refresh(refresh_token);
    auth.restart({ ephemeral: memoryEphemeral(auth.clock) });
    const again = await client.refresh(refresh_token);
    expect(meaning(again)).toEqual(meaning(first));
    expect(meaning(await client.refresh(refresh_token))).toEqual(meaning(first));
    expect((await client.refresh(again.body.refresh_token)).status).toBe(200);
  });

  test('RFC 9700 §4.14.2: a process that dies between the append and its answer costs the client one retry', async () => {
    const { refresh_token } = await tokens();
    auth.restart({ log: dyingAfterAppend(auth.ports.log) });
    expect((await client.refresh(refresh_token)).status).toBe(503);
    auth.restart({ ephemeral: memoryEphemeral(auth.clock) });
    const { status, body } = await client.refresh(refresh_token);
    expect(status).toBe(200);
    expect((await client.refresh(body.refresh_token)).status).toBe(200);
  });

  test('RFC 9700 §4.14.2: a process that dies before the append has used nothing up', async () => {
    const { refresh_token } = await tokens();
    auth.restart({ log: dyingBeforeAppend(auth.ports.log) });
    expect((await client.refresh(refresh_token)).status).toBe(503);
    auth.restart({});
    expect((await client.refresh(refresh_token)).status).toBe(200);
  });

  test('RFC 9700 §4.14.2: a store that is away is no reason to fail', async () => {
    const { refresh_token } = await tokens();
    auth.restart({ ephemeral: away });
    const first = await client.refresh(refresh_token);
    const again = await client.refresh(refresh_token);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(meaning(again)).toEqual(meaning(first));
  });

  test('RFC 6749 §10.4: neither the log nor the short-lived store holds a token', async () => {
    const kept: string[] = [];
    const { ephemeral } = auth.ports;
    auth.restart({
      ephemeral: {
        ...ephemeral,
        putIfAbsent: (key, value, ttl) => (kept.push(key, value), ephemeral.putIfAbsent(key, value, ttl)),
      },
    });
    const { refresh_token } = await tokens();
    const { body } = await client.refresh(refresh_token);
    const log = JSON.stringify(await auth.ports.log.readLane(auth.ports.log.laneOf(auth.school.id), 0, 10_000));
    for (const secret of [refresh_token, body.refresh_token, body.access_token, body.id_token].map((each: string) =>
      each.slice(-40),
    ))
      expect([log.includes(secret), kept.join(' ').includes(secret)]).toEqual([false, false]);
  });
});

const refusing = () => Promise.reject(new EphemeralUnavailable('away'));
const away: AuthPorts['ephemeral'] = {
  putIfAbsent: refusing,
  get: refusing,
  redeem: refusing,
  increment: refusing,
  compareAndDelete: refusing,
  close: () => Promise.resolve(),
} as unknown as AuthPorts['ephemeral'];
