import { afterEach, expect, jest, test } from '@jest/globals';
import { Person, type Tokens, approve, call, codeOf } from '@lyceum/testkit';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Harbour } from '../testing/drills/harbour.ts';
import { Installation } from '../testing/drills/installation.ts';
import { docs } from '../testing/drills/page.ts';
import { hasStatus, inForce } from '../testing/in-force.ts';

// Three starts of a real process; a busy machine needs patience.
jest.setTimeout(240_000);

let machine: Installation | undefined;
afterEach(async () => machine?.remove());

const page = await docs('drills/key-compromise');

const kidOf = ({ access_token }: Pick<Tokens, 'access_token'>): string =>
  JSON.parse(Buffer.from(access_token.split('.')[0]!, 'base64url').toString()).kid;

test('docs/drills/key-compromise.md: what a stolen key signed is refused everywhere, applications and people go on, with another key-encryption key too', async () => {
  machine = await Installation.installed();
  await machine.start();
  const school = await Harbour.open(machine, `http://harbour.localhost:${machine.env['PORT']}`);
  const variables = { SCHOOL: 'harbour', SCHOOL_HOST: new URL(school.baseUrl).host };
  const person = new Person();
  const { client, tokens } = await school.signIn('owner', person);
  const stolen = tokens.access_token;
  const published = async (): Promise<string[]> =>
    (await school.api('/oauth/jwks')).body.keys.map(({ kid }: { kid: string }) => kid);
  const before = await published();
  expect(before).toContain(kidOf(tokens));

  /** The lists of several services, UserInfo and the MCP server: each verifies by itself. */
  const answers = async (token: string): Promise<readonly number[]> => {
    const paths = ['/courses', '/members', '/students', '/orders', '/pages', '/oauth/userinfo'];
    const asked = paths.map(async (path) => (await school.api(path, { token })).status);
    const mcp = call(`${school.baseUrl}/mcp`, {
      token,
      headers: { accept: 'application/json, text/event-stream' },
      json: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    });
    return [...(await Promise.all(asked)), (await mcp).status];
  };
  const all = (status: number) => Array.from({ length: 7 }, () => status);
  expect(await answers(stolen)).toEqual(all(200));

  const declared = await page.run('Declare it compromised', machine, variables);
  const refused = await inForce(
    1_000,
    () => answers(stolen),
    (found) => found.every((status) => status === 401),
  );
  expect(refused).toEqual(all(401));
  const after = await published();
  expect(after.filter((kid) => before.includes(kid))).toEqual([]);
  for (const kid of after) expect(declared.printed).toContain(kid);

  // The application refreshes; the browser of the person is asked for nothing but consent.
  const refreshed = await client.refresh(tokens.refresh_token);
  expect([refreshed.status, after]).toEqual([200, expect.arrayContaining([kidOf(refreshed.body)])]);
  expect(await answers(refreshed.body.access_token)).toEqual(all(200));
  const { url, verifier } = client.start('openid courses:read');
  expect((await person.visit(url)).text).not.toContain('name="password"');
  const redeemed = await client.redeem(codeOf(await approve(person, url, '', '')), verifier);
  expect(redeemed.status).toBe(200);

  const every = await page.run('When the keys of all schools were read', machine, variables);
  expect(every.printed).toMatch(/current.*current/s);
  const second = await inForce(
    1_000,
    () => answers(refreshed.body.access_token),
    ([status]) => status === 401,
  );
  expect(second).toEqual(all(401));

  const settings = () => readFile(join(machine!.env['ETC']!, 'lyceum.env'), 'utf8');
  const old = /^KEY_ENCRYPTION_KEY=(.*)$/m.exec(await settings())![1]!;
  await page.run('When the key-encryption key was read too', machine, variables);
  expect(await settings()).not.toContain(old);
  const again = await inForce(60_000, () => client.refresh(refreshed.body.refresh_token), hasStatus(200));
  expect(await answers(again.body.access_token)).toEqual(all(200));
  expect((await school.api('/members', { token: again.body.access_token })).body.data.length).toBe(2);
  await school.signIn('member');

  const over = await page.run('Is it over?', machine, variables);
  for (const kid of await published()) expect(over.printed.split(kid).length).toBeGreaterThan(2);
  expect(page.left).toEqual([]);
});
