import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, approve, codeOf, post, Person } from '@lyceum/testkit';
import type { Egress } from '../../../egress/egress.ts';
import { guardedEgress } from '../../../egress/guarded-egress.ts';
import { RemoteJson } from '../../../egress/remote-json.ts';
import { type TestAuth, emailOf, introspect, password, startAuth, userinfo } from '../../../testing/test-auth.ts';
import { type HttpsServer, startHttpsServer } from '../../../testing/test-egress.ts';
import { grantDocuments } from '../../grants/grant.projection.ts';
import { documentClients } from './document-clients.ts';
import { readDocumentHosts } from './document-hosts.ts';

let site: HttpsServer;
let egress: Egress;
let auth: TestAuth;
let count = 0;
beforeAll(async () => {
  site = await startHttpsServer();
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  egress = guardedEgress({ allow: [site.host], authority: site.authority, resolve });
  auth = await startAuth({ egress });
});
afterAll(async () => {
  await auth.close();
  await site.close();
});

/** A client of its own for each test: nothing of the others' is kept. */
let id: string;
let served: { status?: number; type?: string; json: object };
beforeEach(() => {
  count += 1;
  id = `${site.origin}/clients/${count}.json`;
  served = { json: { client_id: id, client_name: 'Web agent', redirect_uris: [`${site.origin}/cb`] } };
  auth.clock.advance(61_000);
  site.serve = (_, response) =>
    void response
      .writeHead(served.status ?? 200, { 'content-type': served.type ?? 'application/json' })
      .end(JSON.stringify(served.json));
});

const client = (redirectUri = `${site.origin}/cb`) => Client.known(auth.school.url, id, redirectUri);
const authorize = () => fetch(client().start('openid').url, { redirect: 'manual' });

describe('a client that a document describes', () => {
  test('CIMD §5: goes through the whole flow without having registered', async () => {
    const app = client();
    const tokens = await app.tokens(emailOf('owner'), password, 'openid courses:read');
    expect((await userinfo(auth.school, tokens.access_token)).status).toBe(200);
    expect(JSON.parse(Buffer.from(tokens.access_token.split('.')[1]!, 'base64url').toString()).client_id).toBe(id);
    expect((await app.refresh(tokens.refresh_token)).status).toBe(200);
    expect((await app.revoke(tokens.refresh_token)).status).toBe(200);
    expect((await userinfo(auth.school, tokens.access_token)).status).toBe(401);
  });

  test('is the school itself in its API reference: known without a document, and by name', async () => {
    const asked = site.asked.length;
    const { url } = auth.school;
    const reference = Client.known(url, `${url}/docs/client.json`, `${url}/docs/callback`);
    const person = new Person();
    const page = await person.visit(reference.start('openid courses:read').url);
    const { text } = await person.submit(page, { email: emailOf('owner'), password });
    expect(text).toContain('API reference of');
    expect(text).not.toContain('Nobody has verified it');
    expect(text).not.toContain('Describes itself at');
    const { url: asking, verifier } = reference.start('openid courses:read');
    const back = new URL((await approve(new Person(), asking, emailOf('owner'), password)).url);
    expect(`${back.origin}${back.pathname}`).toBe(`${url}/docs/callback`);
    const { body: tokens } = await reference.redeem(back.searchParams.get('code')!, verifier);
    expect((await userinfo(auth.school, tokens.access_token)).status).toBe(200);
    expect(tokens.refresh_token).toBeUndefined();
    expect((await reference.revoke(tokens.access_token)).status).toBe(200);
    expect((await userinfo(auth.school, tokens.access_token)).status).toBe(401);
    expect(site.asked).toHaveLength(asked);
    const elsewhere = Client.known(url, `${url}/docs/client.json`, 'http://127.0.0.1:50123/docs/callback');
    expect((await fetch(elsewhere.start('openid').url, { redirect: 'manual' })).status).toBe(400);
    const other = Client.known(
      url,
      `${url.replace('127.0.0.1', 'localhost')}/docs/client.json`,
      `${url}/docs/callback`,
    );
    expect((await fetch(other.start('openid').url, { redirect: 'manual' })).status).toBe(400);
  });

  test('CIMD §5.2: is fetched once for all requests of a flow', async () => {
    const asked = site.asked.length;
    await client().tokens(emailOf('owner'), password, 'openid');
    expect(site.asked.length - asked).toBe(1);
  });

  test('MCP authorization: is shown with the host of its id, and with a warning when it comes back to this device only', async () => {
    served.json = { ...served.json, redirect_uris: ['http://localhost/cb'] };
    const person = new Person();
    const page = await person.visit(client('http://localhost:50123/cb').start('openid').url);
    const { text } = await person.submit(page, { email: emailOf('owner'), password });
    expect(text).toContain(`<code>${site.host}</code>`);
    expect(text).toContain('Any program here can pretend to be this app');
  });

  test('RFC 8252 §7.3: may come back at any port of a loopback address that its document names', async () => {
    served.json = { ...served.json, redirect_uris: ['http://127.0.0.1/cb'] };
    const app = client('http://127.0.0.1:50123/cb');
    const { url, verifier } = app.start('openid');
    const landed = await approve(new Person(), url, emailOf('owner'), password);
    expect(landed.left?.port).toBe('50123');
    expect((await app.redeem(codeOf(landed), verifier)).status).toBe(200);
  });

  test.each<[string, () => void]>([
    ['names another client_id', () => (served.json = { ...served.json, client_id: `${id}x` })],
    ['has a secret', () => (served.json = { ...served.json, client_secret: 'x' })],
    [
      'has no redirect of its own',
      () => (served.json = { ...served.json, redirect_uris: ['https://evil.example/cb'] }),
    ],
    ['is not there', () => (served.status = 404)],
    ['is elsewhere', () => (served.status = 302)],
    ['is a page', () => (served.type = 'text/html')],
    ['is larger than 64 KiB', () => (served.json = { ...served.json, padding: 'a'.repeat(66_000) })],
  ])(
    'CIMD §5.1: whose document %s gets an error page, no redirect, and invalid_client at the token endpoint',
    async (_, spoil) => {
      spoil();
      const page = await authorize();
      expect([page.status, page.headers.get('location')]).toEqual([400, null]);
      expect(await page.text()).toContain('describes itself');
      const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id: id };
      const { status, body } = await post(`${auth.school.url}/api/oauth/token`, form);
      expect([status, body.error]).toEqual([401, 'invalid_client']);
    },
  );

  test.each(['https://127.0.0.1/x', 'https://[::1]/x', 'https://169.254.169.254/latest', 'https://localhost:1/x'])(
    'CIMD §8.6: at %s, which is not on the public Internet, is nobody',
    async (elsewhere) => {
      const asked = site.asked.length;
      id = elsewhere;
      expect((await authorize()).status).toBe(400);
      expect(site.asked).toHaveLength(asked);
    },
  );

  test('CIMD §5.2: a refusal is remembered for a minute, then the document is looked at again', async () => {
    served.status = 500;
    expect((await authorize()).status).toBe(400);
    served.status = 200;
    expect((await authorize()).status).toBe(400);
    auth.clock.advance(60_000);
    expect((await authorize()).status).toBe(200);
  });

  test('too many documents of one origin in a minute are 503, not a judgement on the client', async () => {
    const first = id;
    for (let at = 0; at < 30; at += 1) {
      id = `${first}/${at}`;
      await authorize();
    }
    id = `${first}/x`;
    expect((await authorize()).status).toBe(503);
  });

  test.each(['token', 'revoke', 'introspect'])(
    'that nobody has given access is not fetched for whoever names it at /%s',
    async (endpoint) => {
      const asked = site.asked.length;
      for (const token of ['x', 'rt_00000000-0000-4000-8000-000000000000.' + 'a'.repeat(43), 'a.b.c']) {
        const form = { grant_type: 'refresh_token', refresh_token: token, code: 'x', token, client_id: id };
        const { status, body } = await post(`${auth.school.url}/api/oauth/${endpoint}`, form);
        expect([status, body.error]).toEqual([401, 'invalid_client']);
      }
      expect(site.asked).toHaveLength(asked);
    },
  );

  test('has its keys asked for only when somebody has given it access', async () => {
    served.json = {
      ...served.json,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: `${site.origin}/keys/${count}`,
    };
    expect((await authorize()).status).toBe(200);
    const asked = site.asked.length;
    const claims = Buffer.from(JSON.stringify({ iss: id, sub: id })).toString('base64url');
    const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'k' })).toString('base64url');
    const form = {
      grant_type: 'authorization_code',
      code: 'x',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: `${header}.${claims}.${'a'.repeat(86)}`,
    };
    expect((await post(`${auth.school.url}/api/oauth/token`, form)).status).toBe(401);
    expect(site.asked).toHaveLength(asked);
  });

  test('RFC 9700 §4.11.2: that this person has never met sends nobody on with an error: a page names where it would lead', async () => {
    const start = (more: Record<string, string>) => client().start('openid', more).url;
    for (const wrong of [{ prompt: 'none' }, { scope: 'no:such' }, { response_type: 'token' }]) {
      const refused = await fetch(start(wrong), { redirect: 'manual' });
      expect([refused.status, refused.headers.get('location')]).toEqual([400, null]);
      const text = await refused.text();
      expect(text).toContain(`<bdi>${site.host}</bdi>`);
      expect(text).toMatch(new RegExp(`href="${site.origin}/cb\\?error=`));
    }
    const person = new Person();
    const consent = await person.submit(await person.visit(start({})), { email: emailOf('owner'), password });
    expect((await person.visit(start({ response_type: 'token' }))).status).toBe(400);
    // Who has seen the page of the client and answers it goes back, with whatever answer.
    expect((await person.submit(consent, { decision: 'deny' })).left?.searchParams.get('error')).toBe('access_denied');
  });

  test('RFC 6749 §4.1.2.1: that this person has given access is told of errors by a redirect', async () => {
    const person = new Person();
    await approve(person, client().start('openid').url, emailOf('owner'), password);
    const { log, documents } = auth.ports;
    const lane = log.laneOf(auth.school.id);
    await documents.waitFor(grantDocuments, 'auth', lane, await log.head(lane), 2_000);
    const landed = await person.visit(client().start('openid', { response_type: 'token' }).url);
    expect(landed.left?.searchParams.get('error')).toBe('unsupported_response_type');
    const stranger = await fetch(client().start('openid', { response_type: 'token' }).url, { redirect: 'manual' });
    expect(stranger.status).toBe(400);
  });

  test('is nobody at a school that does not take clients of its host', async () => {
    const here = readDocumentHosts(`${auth.school.id}=other.example`)!;
    auth.restart({ documentClients: documentClients(new RemoteJson(egress, auth.clock), auth.clock, here) });
    const asked = site.asked.length;
    expect((await authorize()).status).toBe(400);
    expect(site.asked).toHaveLength(asked);
    auth.restart({});
  });

  test('is fetched again for its own code or token, though nothing of it is kept any more', async () => {
    const app = client();
    const { url, verifier } = app.start('openid');
    const landed = await approve(new Person(), url, emailOf('owner'), password);
    const forget = () =>
      auth.restart({ documentClients: documentClients(new RemoteJson(egress, auth.clock), auth.clock) });
    const asked = site.asked.length;
    forget();
    const { body } = await app.redeem(codeOf(landed), verifier);
    forget();
    const { access_token, refresh_token } = (await app.refresh(body.refresh_token)).body;
    forget();
    expect((await introspect(auth.school, id, access_token)).body.active).toBe(true);
    forget();
    expect((await app.revoke(refresh_token)).status).toBe(200);
    expect(site.asked.length - asked).toBe(4);
  });

  test('is fetched for whoever names it as long as somebody has given it access', async () => {
    await client().tokens(emailOf('owner'), password, 'openid');
    const { log, documents } = auth.ports;
    const lane = log.laneOf(auth.school.id);
    await documents.waitFor(grantDocuments, 'auth', lane, await log.head(lane), 2_000);
    auth.restart({ documentClients: documentClients(new RemoteJson(egress, auth.clock), auth.clock) });
    const asked = site.asked.length;
    expect((await client().revoke('x')).status).toBe(200);
    expect(site.asked.length - asked).toBe(1);
  });
});
