import { readBytes } from '@lyceum/web';
import type { IncomingMessage } from 'node:http';
import { McpRefusal } from './refusal.ts';

/** Largest request, bytes. */
const largest = 256 * 1024;
/** Messages that a batch may hold. */
const mostInBatch = 20;

/** A message that the protocol itself refuses, as a JSON-RPC error. */
export class ProtocolFault extends Error {
  override readonly name = 'ProtocolFault';
  readonly code: number;

  constructor(code: number, description: string) {
    super(description);
    this.code = code;
  }
}

/** Reads and parses the body of a call; refuses what is too large, no JSON, or a batch where there are none. */
export async function messageOf(request: IncomingMessage): Promise<unknown> {
  const { 'content-type': given, 'content-encoding': coding = 'identity' } = request.headers;
  const type = given?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json' || coding.toLowerCase() !== 'identity')
    throw new McpRefusal('unsupported_media_type', 'Send application/json without Content-Encoding');
  const text = (await readBytes(request, largest, tooLarge)).toString();
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new ProtocolFault(-32700, 'Parse error: the body is not JSON');
  }
  if (Array.isArray(message)) checkBatch(message, request.headers['mcp-protocol-version']);
  return message;
}

const tooLarge = () => new McpRefusal('payload_too_large', `A call may have ${largest} bytes`, { Connection: 'close' });

/**
 * Only the revision 2025-03-26 has batches; a request of before 2025-06-18 names no revision and is taken for one of it.
 * @see MCP 2025-03-26 basic, "Batching"
 */
function checkBatch(messages: readonly unknown[], revision: unknown): void {
  if (revision !== undefined && revision !== '2025-03-26')
    throw new ProtocolFault(-32600, 'Invalid Request: this revision has no batches');
  if (messages.length === 0 || messages.length > mostInBatch)
    throw new ProtocolFault(-32600, `Invalid Request: a batch holds 1 to ${mostInBatch} messages`);
}
