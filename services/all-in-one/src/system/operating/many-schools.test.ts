import { describe, expect, test } from '@jest/globals';
import { Client, type System, call } from '@lyceum/testkit';
import { ownSystems } from '../../testing/operating/own-systems.ts';

/** How many schools there are, e.g. `MANY_SCHOOLS=1000`; then every one is signed in to, on a quiet machine at full speed. */
const wished = process.env['MANY_SCHOOLS'];
const schools = Number(wished ?? 100);
/** Milliseconds for the start over all these schools; a machine that is busy with other suites needs more. */
const readyWithin = wished === undefined ? 20_000 : 5_000;
const callers = 8;

const addressOf = (port: number, index: number): string => `http://s${index}.localhost:${port}`;

/** Does something for each number, several at once. */
async function forEach(numbers: readonly number[], act: (index: number) => Promise<void>): Promise<void> {
  const left = [...numbers];
  const one = async () => {
    for (let index = left.shift(); index !== undefined; index = left.shift()) await act(index);
  };
  await Promise.all(Array.from({ length: callers }, one));
}

async function provision({ operatorUrl, operatorToken, port }: System, index: number): Promise<string> {
  const url = addressOf(port, index);
  const json = {
    slug: `school-${index}`,
    name: `School ${index}`,
    host: new URL(url).hostname,
    base_url: url,
    currency: 'EUR',
    timezone: 'Europe/Lisbon',
    locale: 'en',
  };
  const { status, body } = await call(`${operatorUrl}/internal/schools`, { token: operatorToken, json });
  if (status !== 201) throw new Error(`school ${index}: ${status} ${JSON.stringify(body)}`);
  return body.id as string;
}

/** A person whom the operator opens an account for signs in, and asks the API with the token at once. */
async function signIn({ operatorUrl, operatorToken, port, password }: System, index: number, school: string) {
  const url = addressOf(port, index);
  const email = `person@s${index}.test`;
  const json = { school, email, name: 'A person', password };
  expect((await call(`${operatorUrl}/internal/accounts`, { token: operatorToken, json })).status).toBe(201);
  const client = await Client.register(url);
  const { access_token: token, id_token } = await client.tokens(email, password, 'openid courses:read');
  expect(id_token).toBeDefined();
  expect((await call(`${url}/api/courses`, { token })).status).toBe(200);
}

describe('many schools', () => {
  const { start, folder, systems } = ownSystems();

  test('a process that was killed while they were provisioned is ready soon, and each lets people sign in', async () => {
    const dataDir = await folder();
    const first = await start({ dataDir });
    const all = Array.from({ length: schools }, (_, index) => index);
    const ids = new Map<number, string>();
    const began = performance.now();
    await forEach(all, async (index) => void ids.set(index, await provision(first, index)));
    const provisioned = performance.now() - began;
    await systems.pop()!.kill();

    const killed = performance.now();
    const second = await start({ dataDir, port: first.port });
    const ready = performance.now() - killed;
    // Nobody has needed a key of the last one so far, and nothing makes keys before.
    const { operatorUrl, operatorToken: token } = second;
    const last = `${operatorUrl}/internal/signing-keys?school=${ids.get(schools - 1)}`;
    expect((await call(last, { token })).body.keys).toEqual([]);
    const signing = performance.now();
    await forEach(wished === undefined ? all.filter((index) => index % 20 === 0) : all, (index) =>
      signIn(second, index, ids.get(index)!),
    );
    expect(ready).toBeLessThan(readyWithin);
    if (wished === undefined) return;
    const rate = (schools * 1_000) / provisioned;
    const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(1);
    process.stderr.write(
      `${schools} schools: ${rate.toFixed(0)}/s, ready ${seconds(ready)} s, signed in ${seconds(performance.now() - signing)} s\n`,
    );
    expect(rate).toBeGreaterThan(100);
  }, 600_000);
});
