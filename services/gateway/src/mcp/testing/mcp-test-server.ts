import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clientAddressHeader, schoolHeader } from '@lyceum/contracts';
import { verifier } from '@lyceum/oauth';
import { type TestSchool, testSchool } from '@lyceum/oauth/testing';
import { FakeClock } from '@lyceum/testkit';
import type { OperationRequest } from '@lyceum/web';
import { mcpLimit } from '../../limits/request-limits.ts';
import { QuotaTable } from '../../limits/quota-table.ts';
import { countedFor } from '../../limits/request-limits.ts';
import { schoolFrom } from '../../routing/school.ts';
import { type TestService, commerceWith, contentWith } from './catalog.ts';
import { type Endpoint, type EndpointOptions, openEndpoint } from '../server/endpoint.ts';
import { schoolServer } from '../school-server.ts';
import type { ServerDefinition } from '../server/server-definition.ts';

/** What an answer says. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects of an answer by asserting it
export type Said = Record<string, any>;

/** What came of a call. */
export interface Called {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON-RPC message or the error body, out of JSON or of the last event of a stream. */
  readonly body: Said;
}

/** An MCP server of one school on a free port of 127.0.0.1, in front of services that a test plays. */
export interface McpTestServer {
  readonly url: string;
  readonly school: TestSchool;
  readonly endpoint: Endpoint;
  readonly clock: FakeClock;
  /** Requests that reached a service. */
  readonly seen: (OperationRequest & { readonly url: string })[];
  readonly errors: unknown[];
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Called>;
  /** Calls a method of the revision 2026-07-28. */
  modern(method: string, params?: object, more?: { token?: string; capabilities?: object }): Promise<Called>;
  /** Calls a method of the revision 2025-11-25. */
  legacy(method: string, params?: object, token?: string): Promise<Called>;
  close(): Promise<void>;
}

const modernRevision = '2026-07-28';

/**
 * Opens a server. `services` answer by name; one that is not there is missing, but for a commerce service that sells
 * no plan and a content service of a school that writes nothing and has no events. `limitFactor` multiplies the rate limit;
 * `issuer`: what the school calls itself, when it is not the address of the server.
 */
export async function openMcpTestServer(
  services: Readonly<Record<string, TestService>> = {},
  {
    definition = schoolServer({ secret: 'secret-of-this-test', document: () => undefined }),
    limitFactor = 1,
    issuer,
    aliasMetadata,
  }: {
    readonly definition?: ServerDefinition;
    readonly limitFactor?: number;
    readonly issuer?: string;
    readonly aliasMetadata?: EndpointOptions['aliasMetadata'];
  } = {},
): Promise<McpTestServer> {
  const played = { commerce: commerceWith([]), content: contentWith([]), ...services } as Readonly<
    Record<string, TestService>
  >;
  const clock = new FakeClock(Date.now());
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const baseUrl = issuer ?? origin;
  const school = await testSchool({ clock, issuer: baseUrl });
  const known = schoolFrom({ id: school.id, name: 'Lantern Craft School', host: '127.0.0.1', base_url: baseUrl })!;
  const seen: McpTestServer['seen'] = [];
  const errors: unknown[] = [];
  const endpoint = openEndpoint({
    definition,
    school: (id) => (id === school.id ? known : undefined),
    verifier: verifier({ trust: school.trust, clock }),
    limit: mcpLimit(new QuotaTable(clock, countedFor), limitFactor),
    clientOf: (name) => ({
      ask: async (request) => {
        const service = played[name];
        if (!service) throw new Error(`nobody knows ${name}`);
        const { path, querystring } = request;
        seen.push({ ...request, url: querystring === '' ? path : `${path}?${querystring}` });
        return service(request);
      },
    }),
    logger: { debug: () => undefined, error: (line: unknown) => void errors.push(line) } as never,
    aliasMetadata,
  });
  server.on('request', (request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.headers[schoolHeader] = school.id;
    request.headers[clientAddressHeader] = '192.0.2.7';
    request.headers['x-request-id'] = 'req_1';
    endpoint.forward(request, response);
  });
  const url = `${origin}/mcp`;
  const post: McpTestServer['post'] = async (body, headers = {}) => {
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    const standard = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    return called(await fetch(url, { method: 'POST', body: sent, headers: { ...standard, ...headers } }));
  };
  return {
    url,
    school,
    endpoint,
    clock,
    seen,
    errors,
    post,
    modern: (method, params = {}, { token, capabilities = {} } = {}) =>
      post(...modernCall(method, params, capabilities, token)),
    legacy: (method, params = {}, token) =>
      post({ jsonrpc: '2.0', id: 1, method, params }, { 'mcp-protocol-version': '2025-11-25', ...bearer(token) }),
    async close() {
      await endpoint.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/** Body and headers of a modern call. */
export function modernCall(
  method: string,
  params: object,
  capabilities: object,
  token: string | undefined,
): [body: object, headers: Record<string, string>] {
  const { name, uri } = params as { name?: string; uri?: string };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': modernRevision,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  };
  const named = name ?? uri;
  return [
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    {
      'mcp-protocol-version': modernRevision,
      'mcp-method': method,
      ...(named === undefined ? {} : { 'mcp-name': named }),
      ...bearer(token),
    },
  ];
}

async function called(response: Response): Promise<Called> {
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const last = isStream
    ? (text
        .match(/^data: (.*)$/gm)
        ?.at(-1)
        ?.slice('data: '.length) ?? '')
    : text;
  const body = last === '' ? {} : (JSON.parse(last) as Called['body']);
  return { status: response.status, headers: response.headers, text, body };
}
