import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Person, type Place, approve, call, describeTopologies } from '@lyceum/testkit';
import { auth as auth2 } from '@modelcontextprotocol/client';
import { auth as auth1 } from '@modelcontextprotocol/sdk/client/auth.js';
import { inForce } from '../testing/in-force.ts';

const redirectUrl = 'http://127.0.0.1:48124/callback';

interface Tokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly refresh_token?: string;
}

/** What an MCP host keeps for one server: what the SDK hands it, unchanged. */
class Host {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata: { redirect_uris: string[]; client_name: string; token_endpoint_auth_method: string };
  opened: URL | undefined;
  kept: Tokens | undefined;
  readonly dropped: string[] = [];
  #client: { client_id: string } | undefined;
  #verifier = '';
  #found: object | undefined;

  constructor(method: string) {
    this.clientMetadata = {
      client_name: 'MCP host',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: method,
    };
  }
  state(): string {
    return 'state-of-the-host';
  }
  clientInformation(): { client_id: string } | undefined {
    return this.#client;
  }
  saveClientInformation(client: { client_id: string }): void {
    this.#client = client;
  }
  tokens(): Tokens | undefined {
    return this.kept;
  }
  saveTokens(tokens: Tokens): void {
    this.kept = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.opened = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
  saveDiscoveryState(found: object): void {
    this.#found = found;
  }
  discoveryState(): object | undefined {
    return this.#found;
  }
  invalidateCredentials(what: string): void {
    this.dropped.push(what);
    if (what === 'tokens' || what === 'all') this.kept = undefined;
    if (what === 'client' || what === 'all') this.#client = undefined;
  }
}

type Auth = (host: Host, options: Record<string, unknown>) => Promise<'AUTHORIZED' | 'REDIRECT'>;

/** The authorization part of both MCP SDKs, unpatched: a host connects to the school, a person signs in through the real pages. */
await describeTopologies('MCP SDK clients', ({ open, lag }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  beforeAll(async () => {
    ({ system, close } = await open());
  }, 180_000);
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
});
