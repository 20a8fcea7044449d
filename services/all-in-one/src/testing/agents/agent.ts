import { type Answer, type Person, approve, call } from '@lyceum/testkit';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError, auth, extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Host } from './mcp-host.ts';

/** A host that asks for tokens of the whole school, by the hook that the SDK has for it: they are good at its API, too. */
class HostOfSchool extends Host {
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    super('none');
    this.#baseUrl = baseUrl;
  }
  validateResourceURL(): Promise<URL> {
    return Promise.resolve(new URL(this.#baseUrl));
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects of an answer by asserting it
type Said = any;

/** What a tool answers. */
export interface Result {
  readonly structuredContent?: Said;
  readonly isError?: boolean;
  readonly _meta?: Said;
}

/** An agent of somebody that knows the address of a school and nothing else; it uses the official MCP client. */
export class Agent {
  readonly host: Host;
  readonly #baseUrl: string;
  #client: Client | undefined;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
    this.host = new HostOfSchool(baseUrl);
  }

  get token(): string | undefined {
    return this.host.kept?.access_token;
  }

  /** Connects to a server of the school. Rejects when somebody has to sign in first: then `host.opened` is where. */
  async connect(path: '/mcp' | '/mcp/oauth'): Promise<void> {
    await this.close();
    const client = new Client({ name: 'agent', version: '1.0.0' });
    const authProvider = path === '/mcp' ? {} : { authProvider: this.host as never };
    await client.connect(new StreamableHTTPClientTransport(new URL(this.#baseUrl + path), authProvider) as never);
    this.#client = client;
  }

  async close(): Promise<void> {
    await this.#client?.close();
    this.#client = undefined;
  }

  /** Names of the tools that the agent is shown. */
  async tools(): Promise<readonly string[]> {
    const listed = await this.#connected().listTools();
    return listed.tools.map(({ name }) => name);
  }

  async tool(name: string, args: object = {}): Promise<Result> {
    return (await this.#connected().callTool({ name, arguments: { ...args } })) as Result;
  }

  /** Calls the API of the school with the token of the agent, as far as it has one. */
  api(path: string, options: Parameters<typeof call>[1] = {}): Promise<Answer> {
    return call(`${this.#baseUrl}/api${path}`, { ...options, ...(this.token ? { token: this.token } : {}) });
  }

  /** A person opens what the host opens, signs in where asked and allows all of it; the host has tokens then. */
  async letIn(person: Person, email: string, password: string): Promise<URLSearchParams> {
    const { left } = await approve(person, this.host.opened!, email, password);
    const answer = left?.searchParams ?? new URLSearchParams();
    const serverUrl = `${this.#baseUrl}/mcp/oauth`;
    const authorizationCode = answer.get('code') ?? '';
    if ((await auth(this.host as never, { serverUrl, authorizationCode })) !== 'AUTHORIZED')
      throw new UnauthorizedError('the code is worth nothing');
    return answer;
  }

  /** Asks for what a refusal of the API names, beside what the token holds. A person has to allow it. */
  async stepUp({ status, headers }: Answer): Promise<{ readonly scope: string; readonly error: string }> {
    const response = new Response(null, { status, headers });
    const { scope = '', error = '', resourceMetadataUrl } = extractWWWAuthenticateParams(response);
    const asked = this.host.opened!.searchParams.get('scope') ?? '';
    // This SDK would only refresh what it has.
    this.host.invalidateCredentials('tokens');
    const options = { serverUrl: `${this.#baseUrl}/mcp/oauth`, scope: `${asked} ${scope}`, resourceMetadataUrl };
    await auth(this.host as never, options as never);
    return { scope, error };
  }

  #connected(): Client {
    if (!this.#client) throw new Error('the agent is not connected');
    return this.#client;
  }
}
