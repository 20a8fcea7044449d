import { afterEach, expect, test } from '@jest/globals';
import { Client, type System, call, startSystem, until } from '@lyceum/testkit';

const systems: System[] = [];
afterEach(async () => {
  for (const system of systems.splice(0)) await system.stop();
});
const start = async (env?: Record<string, string>): Promise<System> => {
  const system = await startSystem(env ? { env } : {});
  systems.push(system);
  return system;
};
const operator = ({ operatorToken }: System) => ({ authorization: `Bearer ${operatorToken}` });

/** The stored commits of an exported school, service by service, without their positions. */
const commitsOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ commit }) => commit)
    .map(({ service, commit }) => ({ service, ...commit, position: undefined }));

const readdressed = (line: string, from: System, to: System): string =>
  line.replaceAll(from.baseUrl, to.baseUrl).replaceAll(new URL(from.baseUrl).host, new URL(to.baseUrl).host);

test('a school moves to another installation, under another address: its people sign in, its courses are there, its keys are new', async () => {
  const here = await start();
  const there = await start({
    NODE_ENV: 'production',
    DEMO_PASSWORD: '',
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64'),
  });
  const client = await Client.register(here.baseUrl);
  const tokens = await client.tokens('owner@lantern.test', here.password, 'courses:read courses:write');
  const token = tokens.access_token;
  const made = await call(`${here.baseUrl}/api/courses`, { token, json: { title: 'Moved along', access: 'free' } });
  const school = (await call(`${here.baseUrl}/api/school`)).body.id as string;
  const leave = async (system: System) => {
    const url = `${system.operatorUrl}/internal/schools/${school}/export?personal=included`;
    return (await fetch(url, { headers: operator(system) })).text();
  };
  const text = await leave(here);
  const arrive = async (baseUrl: string, body = text) => {
    const url = `${there.operatorUrl}/internal/schools/import?base_url=${encodeURIComponent(baseUrl)}`;
    const headers = { ...operator(there), 'content-type': 'application/x-ndjson' };
    const ask = async (more = '') => {
      const answer = await fetch(url + more, { method: 'POST', headers, body });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const told = await ask();
    return told.status === 200 ? ask(`&confirm=${String(told.body['digest'])}`) : told;
  };
  expect((await arrive(there.baseUrl, text.slice(0, -200))).status).toBe(422);
  expect((await call(`${there.baseUrl}/api/school`)).status).toBe(404);
  const arrived = await arrive(there.baseUrl);
  expect([arrived.status, arrived.body]).toMatchObject([201, { object: 'arrival', school }]);
  expect((await arrive(there.baseUrl)).body).toMatchObject({ error: 'invalid_state' });

  expect((await call(`${there.baseUrl}/api/school`)).body).toMatchObject({ id: school, base_url: there.baseUrl });
  // Its keys are made when the authorization server hears of it.
  await until(async () => {
    const { status, body } = await call(`${there.baseUrl}/api/oauth/jwks`);
    return status === 200 && body.keys.length > 0;
  }, 'its keys');
  expect((await call(`${there.baseUrl}/api/courses`, { token })).status).toBe(401);
  const newClient = await Client.register(there.baseUrl);
  const { access_token } = await newClient.tokens('owner@lantern.test', here.password, 'courses:read');
  const course = await call(`${there.baseUrl}/api/courses/${made.body.id}`, { token: access_token });
  expect([course.status, course.body.title]).toEqual([200, 'Moved along']);
  // Its own history names the address that it has now: nobody else's can be claimed by it.
  const told = (line: string) =>
    /"type":"School(Provisioned|Moved)"/.test(line) ? readdressed(line, here, there) : line;
  const wanted = text.split('\n').map(told).join('\n');
  expect(commitsOf(await leave(there))).toEqual(expect.arrayContaining(commitsOf(wanted)));
});
