import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, type DnsServer, Person, type System } from '@lyceum/testkit';
import { approve, call, loopbackFetch, patience, startDns, startSystem } from '@lyceum/testkit';
import { auth as auth2 } from '@modelcontextprotocol/client';
import { auth as auth1 } from '@modelcontextprotocol/sdk/client/auth.js';
import { hasStatus, inForce } from '../../testing/in-force.ts';
import { type Auth, Host } from '../../testing/agents/mcp-host.ts';

const domain = 'learn.my-school.com';
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as object;

/** A school at a domain of its own, proven over the DNS, as clients meet it that check what they are told. */
describe('a custom domain', () => {
  let dns: DnsServer;
  let system: System;
  let origin: string;
  let owner: string;
  beforeAll(async () => {
    dns = await startDns();
    system = await startSystem({ env: { DNS_SERVERS: dns.address } });
    origin = `http://${domain}:${system.port}`;
    const client = await Client.register(system.baseUrl);
    const scope = 'school:read school:write';
    owner = (await client.tokens('owner@lantern.test', system.password, scope)).access_token;
  });
  afterAll(async () => {
    dns.close();
    await system.stop();
  });

  const domains = (method: string, path = '', json?: object) =>
    call(`${system.baseUrl}/api/school/domains${path}`, { method, token: owner, ...(json ? { json } : {}) });
  const tools = (token: string) =>
    call(`${origin}/mcp`, {
      method: 'POST',
      token,
      headers: { accept: 'application/json, text/event-stream' },
      json: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    });

  test('RFC 9728 §3.3: at a custom domain both MCP SDKs sign in with the address that they were given, while it is proven', async () => {
    const { record } = (await domains('POST', '', { domain })).body;
    expect((await domains('POST', `/${domain}/verify`)).status).toBe(409);
    dns.records.set(record.name, [[record.value]]);
    expect((await domains('POST', `/${domain}/verify`)).status).toBe(200);
    await inForce(patience, () => call(`${origin}/api/school`), hasStatus(200));

    const serverUrl = `${origin}/mcp`;
    const tokens: string[] = [];
    for (const auth of [auth1, auth2] as unknown as Auth[]) {
      const host = new Host('none');
      const options = { serverUrl, fetchFn: loopbackFetch };
      expect(await auth(host, options)).toBe('REDIRECT');
      expect(host.opened!.searchParams.get('resource')).toBe(serverUrl);
      const { left } = await approve(new Person(), host.opened!, 'owner@lantern.test', system.password);
      const { code, iss } = Object.fromEntries(left!.searchParams);
      expect(await auth(host, { ...options, authorizationCode: code, iss })).toBe('AUTHORIZED');
      const token = host.kept!.access_token;
      expect(claimsOf(token)).toMatchObject({ aud: serverUrl, iss: system.baseUrl });
      expect((await tools(token)).status).toBe(200);
      tokens.push(token);
    }

    const refused = await tools('nonsense');
    expect(refused.headers.get('www-authenticate')).toContain(`resource_metadata="${origin}/.well-known/`);
    expect((await domains('DELETE', `/${domain}`)).status).toBe(204);
    for (const token of tokens) {
      const there = await inForce(
        patience,
        () => call(`${system.baseUrl}/mcp`, { method: 'POST', token, json: {} }),
        hasStatus(401),
      );
      expect(there.status).toBe(401);
    }
    expect((await call(`${origin}/api/school`)).status).toBe(404);
  });
});
