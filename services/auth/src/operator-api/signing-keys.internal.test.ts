import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { call } from '@lyceum/testkit';
import { mount } from '@lyceum/web';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestAuth, startAuth } from '../testing/test-auth.ts';
import { signingKeyOperations } from './signing-keys.internal.ts';

let auth: TestAuth;
let server: Server;
let url: string;
beforeAll(async () => {
  auth = await startAuth();
  const { ports } = auth;
  const app = mount({
    service: 'auth',
    operations: signingKeyOperations(ports.schools, ports.keys),
    ports,
    trust: {
      school: (id) => ({ id, issuer: 'http://h' }),
      key: () => undefined,
      denied: () => false,
      role: () => undefined,
    },
  } as Parameters<typeof mount>[0]);
  const handle = app.callback();
  server = createServer((request, response) => {
    request.headers['x-school-id'] = auth.school.id;
    void handle(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/internal/signing-keys`;
});
afterAll(async () => {
  await new Promise((closed) => server.close(closed));
  await auth.close();
});

const statuses = (body: { keys: { alg: string; status: string }[] }) =>
  body.keys.map(({ alg, status }) => `${alg} ${status}`).sort();
const rotate = (more: object = {}) => call(`${url}/rotate`, { json: { school: auth.school.id, ...more } });

describe('the signing keys of a school, for the operator', () => {
  test('are shown, without their private halves', async () => {
    const { status, body } = await call(`${url}?school=${auth.school.id}`);
    expect([status, statuses(body)]).toEqual([200, ['ES256 current', 'RS256 current']]);
    expect(JSON.stringify(body)).not.toMatch(/sealed|"d"/);
  });

  test('OIDC Core §10.1.1: rotate in a day, and asking twice changes nothing', async () => {
    const first = await rotate();
    expect([first.status, statuses(first.body)]).toEqual([
      200,
      ['ES256 current', 'ES256 next', 'RS256 current', 'RS256 next'],
    ]);
    expect((await rotate()).body).toEqual(first.body);
    const published = (await call(`${auth.school.url}/api/oauth/jwks`)).body.keys as { kid: string }[];
    const kids = (first.body.keys as { kid: string }[]).map(({ kid }) => kid);
    expect(published.map(({ kid }) => kid)).toEqual(kids);
  });

  test('are replaced at once after a theft', async () => {
    const before = (await rotate()).body.keys as { kid: string }[];
    const { body } = await rotate({ at_once: true });
    expect(statuses(body)).toEqual(['ES256 current', 'RS256 current']);
    const after = (body.keys as { kid: string }[]).map(({ kid }) => kid);
    expect(before.some(({ kid }) => after.includes(kid))).toBe(false);
  });

  test('of an unknown school are not found', async () => {
    const unknown = await call(`${url}?school=school_unknown`);
    expect([unknown.status, unknown.body.error]).toEqual([404, 'not_found']);
    expect((await call(`${url}/rotate`, { json: { school: 'school_unknown' } })).status).toBe(404);
    expect((await call(`${url}/rotate`, { json: { school: auth.school.id, now: true } })).status).toBe(422);
  });
});
