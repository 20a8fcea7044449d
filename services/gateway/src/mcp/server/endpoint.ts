import type { IncomingMessage, ServerResponse } from 'node:http';
import { schoolHeader } from '@lyceum/contracts';
import type { Verifier } from '@lyceum/oauth';
import type { Upstream } from '@lyceum/internal-api';
import { type ModulePorts } from '@lyceum/service';
import { addressPartition, rateLimitHeadersOf, setHeaders } from '@lyceum/web';
import { OpenStreams } from '../../limits/open-streams.ts';
import type { Document } from '../../http/document.ts';
import { refuse } from '../../http/error-response.ts';
import { sendDocument } from '../../http/send-document.ts';
import type { McpLimit } from '../../limits/request-limits.ts';
import type { School } from '../../routing/school.ts';
import { type ClientOf, apiOf, oneByOne } from '../../upstream/school-api.ts';
import { ProtocolFault, messageOf } from './request-body.ts';
import { type Caller, callerOf, originOf } from './caller.ts';
import { costOf, demandScopes, methodsOf } from './call-cost.ts';
import { checkMethod, checkOrigin, corsHeaders, preflightHeaders } from './browser-access.ts';
import { mcpPath, metadataOf, signInAlias } from '../../routing/mcp-paths.ts';
import { Protocol } from './protocol.ts';
import { McpRefusal } from './refusal.ts';
import type { ServerDefinition } from './server-definition.ts';
import { goneSignal, writeWeb } from './web-exchange.ts';

/** What the MCP server works with. */
export interface EndpointOptions {
  readonly definition: ServerDefinition;
  readonly school: (id: string) => School | undefined;
  readonly verifier: Verifier;
  readonly limit: McpLimit;
  readonly clientOf: ClientOf;
  readonly logger: Pick<ModulePorts['logger'], 'debug' | 'error'>;
  /** Where there is an alias at which clients have to sign in: its metadata. */
  readonly aliasMetadata?: ((school: School, origin: string | undefined) => Document | undefined) | undefined;
}

/** The MCP server of every school, behind the edge. */
export interface Endpoint {
  readonly forward: Upstream['forward'];
  /** Notifies the listeners of a school that resources have changed. */
  changed(school: string, uris: readonly string[]): void;
  close(): Promise<void>;
}

/**
 * Opens the server: Streamable HTTP without sessions, both eras of the protocol on one URL. Each request is checked in this order: Origin,
 * method, token, rate, body, scopes; then it gets a server of its own.
 * @see MCP 2026-07-28 basic/transports, MCP 2025-11-25 basic/transports
 */
export function openEndpoint(options: EndpointOptions): Endpoint {
  const { definition, logger } = options;
  const protocol = new Protocol(definition, logger);
  const listeners = new OpenStreams();

  async function serve(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> {
    const first = await admitted(options.limit, caller, 1);
    const message = await messageOf(request);
    const cost = costOf(message);
    const limits = cost > 1 ? await admitted(options.limit, caller, cost - 1) : first;
    demandScopes(message, caller, definition);
    const api = apiOf(options.clientOf, caller);
    const call = { caller, api: Array.isArray(message) ? oneByOne(api) : api };
    const { headers } = request;
    const called = methodsOf(message);
    const asked = { headers, message, call, called, gone: goneSignal(response) };
    if (!called.includes('subscriptions/listen'))
      return writeWeb(await protocol.answer(asked), response, { ...corsHeaders, ...limits });
    const { streams } = protocol;
    const handler = streams.of(caller.school.id);
    if (!handler) throw new McpRefusal('temporarily_unavailable', 'Too many streams are open', { 'Retry-After': '30' });
    const leave = countStream(listeners, caller);
    const ended = streams.began(caller.school.id);
    try {
      await writeWeb(await protocol.answer(asked, handler), response, { ...corsHeaders, ...limits });
    } finally {
      leave();
      ended();
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const school = options.school(String(request.headers[schoolHeader]));
    const requestId = String(request.headers['x-request-id'] ?? '');
    try {
      const path = request.url?.split('?', 1)[0];
      const isAliasMetadata = path === metadataOf(signInAlias);
      const metadata = school && isAliasMetadata ? options.aliasMetadata?.(school, originOf(request)) : undefined;
      if (school && metadata) return await sendDocument(request, response, metadata, requestId, school);
      const isHere = path === mcpPath || (path === signInAlias && options.aliasMetadata !== undefined);
      if (!school || !path || !isHere) throw new McpRefusal('not_found', 'There is nothing at this address');
      checkOrigin(request, school);
      if (request.method === 'OPTIONS') return void response.writeHead(204, preflightHeaders(request)).end();
      checkMethod(request);
      await serve(request, response, await callerOf(request, school, requestId, path, options.verifier));
    } catch (error) {
      if (response.headersSent || response.destroyed) return void response.destroy();
      refuseRequest(error, request, response, school, requestId);
      if (!(error instanceof McpRefusal || error instanceof ProtocolFault) && !request.destroyed)
        logger.error({ err: error, request_id: requestId }, 'an MCP request failed');
    }
  }

  return {
    forward(request, response, defaultHeaders = []) {
      setHeaders(response, defaultHeaders);
      return answer(request, response);
    },
    changed: (school, uris) => protocol.streams.changed(school, uris),
    close: () => protocol.close(),
  };
}

/** Counts a stream of notifications. */
function countStream(listeners: OpenStreams, caller: Caller): () => void {
  try {
    return listeners.enter(caller.school.id, caller);
  } catch {
    throw new McpRefusal('rate_limited', 'You have too many streams open', { 'Retry-After': '30' });
  }
}

function refuseRequest(
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  school: School | undefined,
  requestId: string,
): void {
  // What comes in one piece with its head is read before Node says that it was all.
  const unread = request.complete || request.readableDidRead ? {} : { Connection: 'close' };
  if (error instanceof ProtocolFault) {
    const body = JSON.stringify({ jsonrpc: '2.0', error: { code: error.code, message: error.message }, id: null });
    const head = { ...corsHeaders, 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
    return void response.writeHead(400, { ...head, ...unread, 'Content-Length': Buffer.byteLength(body) }).end(body);
  }
  const { code, message, headers } =
    error instanceof McpRefusal ? error : new McpRefusal('server_error', 'The server failed');
  refuse(response, code, requestId, {
    description: message,
    school,
    headers: { ...corsHeaders, ...unread, ...headers },
  });
}

/** Counts a cost for the address, or for the person and client that the token names. */
async function admitted(
  limit: McpLimit,
  { school, principal, address }: Caller,
  cost: number,
): Promise<Readonly<Record<string, string>>> {
  const partition = principal ? ['token', principal.client, principal.subject] : ['address', addressPartition(address)];
  const admission = await limit(school.id, partition, cost);
  const headers = rateLimitHeadersOf(admission);
  if (admission.outcome === 'refused')
    throw new McpRefusal('rate_limited', 'Too many MCP requests', {
      ...headers,
      'Retry-After': String(admission.wait),
    });
  return headers;
}
