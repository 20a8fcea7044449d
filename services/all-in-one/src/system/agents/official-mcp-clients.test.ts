import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Person, type Place, approve, call, describeTopologies } from '@lyceum/testkit';
import {
  Client as Client2,
  StreamableHTTPClientTransport as Transport2,
  UnauthorizedError,
  auth as auth2,
} from '@modelcontextprotocol/client';
import { auth as auth1 } from '@modelcontextprotocol/sdk/client/auth.js';
import { inForce } from '../../testing/in-force.ts';
import { type Auth, Host } from '../../testing/agents/mcp-host.ts';

/** The authorization part of both MCP SDKs, unpatched: a host connects to the school, a person signs in through the real pages. */
await describeTopologies('MCP SDK clients', ({ open, lag }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  beforeAll(async () => {
    ({ system, close } = await open());
  }, 400_000);
  afterAll(() => close());

  /** The whole way to tokens; the host then holds them. */
  async function connect(auth: Auth, method: string) {
    const host = new Host(method);
    const serverUrl = `${system.baseUrl}/mcp`;
    expect(await auth(host, { serverUrl })).toBe('REDIRECT');
    const { left } = await approve(new Person(), host.opened!, 'owner@lantern.test', system.password);
    const { code, iss, state } = Object.fromEntries(left!.searchParams);
    expect({ iss, state }).toEqual({ iss: system.baseUrl, state: 'state-of-the-host' });
    expect(await auth(host, { serverUrl, authorizationCode: code, iss })).toBe('AUTHORIZED');
    return { host, serverUrl };
  }
  /** A request with a token of these clients, which is good at `/mcp` alone. */
  const tools = (token: string) =>
    call(`${system.baseUrl}/mcp`, {
      method: 'POST',
      token,
      headers: { accept: 'application/json, text/event-stream' },
      json: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    });

  test.each<[string, string, Auth]>([
    ['@modelcontextprotocol/sdk 1', 'none', auth1 as unknown as Auth],
    ['@modelcontextprotocol/sdk 1', 'client_secret_post', auth1 as unknown as Auth],
    ['@modelcontextprotocol/client 2', 'none', auth2 as unknown as Auth],
    ['@modelcontextprotocol/client 2', 'client_secret_post', auth2 as unknown as Auth],
  ])('%s (%s) discovers, registers, authorizes, exchanges and refreshes', async (_, method, auth) => {
    const { host, serverUrl } = await connect(auth, method);
    const first = host.kept!;
    expect((await tools(first.access_token)).status).toBe(200);
    expect(await auth(host, { serverUrl })).toBe('AUTHORIZED');
    expect(host.kept!.access_token).not.toBe(first.access_token);
    expect(host.kept!.refresh_token).not.toBe(first.refresh_token);
    expect((await tools(host.kept!.access_token)).status).toBe(200);
    expect(host.dropped).toEqual([]);
  });

  test.each<[string, Auth]>([
    ['@modelcontextprotocol/sdk 1', auth1 as unknown as Auth],
    ['@modelcontextprotocol/client 2', auth2 as unknown as Auth],
  ])('%s drops its tokens when they were revoked, keeps its client and asks the person again', async (_, auth) => {
    const { host, serverUrl } = await connect(auth, 'none');
    const { client_id } = host.clientInformation()!;
    const token = host.kept!.access_token;
    const body = new URLSearchParams({ token: host.kept!.refresh_token!, client_id });
    await fetch(`${system.baseUrl}/api/oauth/revoke`, { method: 'POST', body });
    const gone = await inForce(
      lag,
      () => tools(token),
      ({ status }) => status === 401,
    );
    expect(gone.headers.get('www-authenticate')).toContain('resource_metadata="');
    expect(await auth(host, { serverUrl })).toBe('REDIRECT');
    expect(host.dropped).toEqual(['tokens']);
    expect(host.clientInformation()?.client_id).toBe(client_id);
  });

  test('MCP 2025-11-25 "Step-Up Authorization Flow": a tool that writes has @modelcontextprotocol/client 2 ask for its scope, beside those that it has', async () => {
    const host = new Host('none');
    const auth = auth2 as unknown as Auth;
    const serverUrl = `${system.baseUrl}/mcp/oauth`;
    const person = new Person();
    const letIn = async () => {
      const { left } = await approve(person, host.opened!, 'owner@lantern.test', system.password);
      const { code, iss } = Object.fromEntries(left!.searchParams);
      expect(await auth(host, { serverUrl, authorizationCode: code, iss })).toBe('AUTHORIZED');
    };
    const open_ = async () => {
      const client = new Client2({ name: 'test', version: '1.0.0' });
      await client.connect(new Transport2(new URL(serverUrl), { authProvider: host as never }));
      return client;
    };
    await expect(open_()).rejects.toThrow(UnauthorizedError);
    const { client_id } = host.clientInformation()!;
    await letIn();
    const reading = host.opened!.searchParams.get('scope')!.split(' ');
    expect(reading).not.toContain('courses:write');
    const title = `Stepped up ${Date.now()}`;
    const write = { name: 'upsert_course', arguments: { fields: { title }, idempotency_key: `key-${Date.now()}` } };
    const before = await open_();
    await expect(before.callTool(write)).rejects.toThrow(UnauthorizedError);
    await before.close();
    expect(host.opened!.searchParams.get('scope')!.split(' ').toSorted()).toEqual(
      [...reading, 'courses:write'].toSorted(),
    );
    await letIn();
    expect(host.clientInformation()?.client_id).toBe(client_id);
    const after = await open_();
    expect((await after.callTool(write)).structuredContent).toMatchObject({ course: { title, status: 'draft' } });
    await after.close();
  });
});
