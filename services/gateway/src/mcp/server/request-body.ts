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
  const text = await textOf(request);
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new ProtocolFault(-32700, 'Parse error: the body is not JSON');
  }
  if (Array.isArray(message)) checkBatch(message, request.headers['mcp-protocol-version']);
  return message;
}

function textOf(request: IncomingMessage): string | Promise<string> {
  const length = Number(request.headers['content-length']);
  if (length > largest) throw tooLarge();
  // Most bodies come with their head: what is there need not be waited for.
  const isHere = length > 0 && request.readableLength === length && !request.destroyed;
  if (!isHere) return arriving(request);
  const text = (request.read() as Buffer).toString();
  request.resume();
  return text;
}

const tooLarge = () => new McpRefusal('payload_too_large', `A call may have ${largest} bytes`, { Connection: 'close' });

function arriving(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    // An error costs a trace of the stack, so it is made for those who really went away only.
    const gone = () => reject(new Error('the client went away'));
    if (request.destroyed) return gone();
    request.on('data', function read(chunk: Buffer) {
      size += chunk.length;
      if (size <= largest) return void chunks.push(chunk);
      request.off('data', read).pause();
      reject(tooLarge());
    });
    request.once('end', () => {
      request.off('close', gone);
      resolve(Buffer.concat(chunks).toString());
    });
    request.once('error', reject);
    request.once('close', gone);
  });
}

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
