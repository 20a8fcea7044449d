import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Person, approve } from '@lyceum/testkit';
import { readFileSync } from 'node:fs';
import { type TestAuth, emailOf, password, startAuth } from '../test-auth.ts';
import { outcomeOf } from './outcome.ts';
import { type Peer, startPeer } from './peer.ts';
import { comparedRequests } from './requests.ts';
import { type World, furnish } from './world.ts';

let auth: TestAuth;
let ours: World;
let peer: Peer;
beforeAll(async () => {
  auth = await startAuth();
  ours = await furnish(
    auth.school.url,
    () => new Person(),
    (person) => (url) => approve(person, url, emailOf('owner'), password),
  );
  // It advises at length what to set before production.
  for (const voice of ['info', 'warn'] as const) jest.spyOn(console, voice).mockImplementation(() => undefined);
  peer = await startPeer();
});
afterAll(async () => {
  await peer?.close();
  await auth.close();
});

/** The table of docs/differences.md: request, what we answer, what node-oidc-provider answers. */
const explained = new Map(
  readFileSync(new URL('../../../../../docs/differences.md', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\', '')))
    .filter((cells) => cells.length === 6 && cells[1]!.includes(': '))
    .map(([, name, here, there, why]) => [name!, { here: here!, there: there!, why: why! }] as const),
);

describe('the same request to us and to node-oidc-provider', () => {
  test.each(comparedRequests)('$name', async ({ name, send }) => {
    const [here, there] = [await outcomeOf(await send(ours)), await outcomeOf(await send(peer.world))];
    const difference = explained.get(name);
    // Equal answers need no explanation and must not have one; different ones stand in the table as they are.
    expect({ here, there }).toEqual(
      difference ? { here: difference.here, there: difference.there } : { here, there: here },
    );
    if (difference) expect(here).not.toBe(there);
  });

  test('every explanation is about a request that is compared, and says why', () => {
    expect(comparedRequests.length).toBeGreaterThanOrEqual(60);
    const names = new Set(comparedRequests.map(({ name }) => name));
    for (const [name, { why }] of explained)
      expect([name, names.has(name), why.length > 20]).toEqual([name, true, true]);
  });
});
