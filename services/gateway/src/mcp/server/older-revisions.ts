import type { IncomingHttpHeaders } from 'node:http';
import {
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  WebStandardStreamableHTTPServerTransport,
  isJSONRPCErrorResponse,
} from '@modelcontextprotocol/server';

/** Whether a client reads event streams; to one that does not say so, JSON is given. */
export const readsStreams = ({ accept }: IncomingHttpHeaders): boolean =>
  accept?.toLowerCase().includes('text/event-stream') === true;

/**
 * Answers a request of 2025-11-25 or before: by a server of its own, as an event stream or, for clients that read none, as
 * JSON. A batch is answered by one stream or one array.
 * @see MCP 2025-03-26 basic/transports, "Sending Messages to the Server"
 */
export async function answerOlder(
  server: Server,
  request: Request,
  message: unknown,
  asStream: boolean,
): Promise<Response> {
  const transport = new OlderTransport({ sessionIdGenerator: undefined, enableJsonResponse: !asStream });
  await server.connect(transport);
  const close = (): void => void server.close();
  request.signal.addEventListener('abort', close, { once: true });
  const answer = await transport.handleRequest(request, { parsedBody: message });
  if (answer.body && answer.headers.get('content-type') === 'text/event-stream')
    return new Response(answer.body.pipeThrough(new TransformStream({ flush: close })), answer);
  close();
  return answer;
}

/** Says what is not found as older revisions do. The SDK knows the code of 2026-07-28 only. */
class OlderTransport extends WebStandardStreamableHTTPServerTransport {
  override send(
    message: JSONRPCMessage,
    options?: Parameters<WebStandardStreamableHTTPServerTransport['send']>[1],
  ): Promise<void> {
    return super.send(isAbsence(message) ? withCode(message, ProtocolErrorCode.ResourceNotFound) : message, options);
  }
}

type Failure = Extract<JSONRPCMessage, { error: unknown }>;

/** @see MCP 2025-11-25 server/resources, "Error Handling" */
const isAbsence = (message: JSONRPCMessage): message is Failure => {
  if (!isJSONRPCErrorResponse(message)) return false;
  const { code, message: words, data } = message.error;
  return ProtocolError.fromError(code, words, data) instanceof ResourceNotFoundError;
};

const withCode = (message: Failure, code: number): Failure => ({ ...message, error: { ...message.error, code } });
