import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';

/** Headers of a call that the protocol reads. */
const spoken = /^mcp-(?:protocol-version|method|name|param-.*)$/;

/** The request as the SDK wants it: without a body, which has been read; `gone` ends what works for it. */
export function webRequest(sent: IncomingHttpHeaders, baseUrl: string, gone: AbortSignal): Request {
  // Clients have to accept both; those that say less get what they can read all the same.
  const headers: [string, string][] = [
    ['content-type', 'application/json'],
    ['accept', 'application/json, text/event-stream'],
  ];
  for (const name in sent) if (spoken.test(name)) headers.push([name, String(sent[name])]);
  return new Request(`${baseUrl}/mcp`, { method: 'POST', headers, signal: gone });
}

/** A signal that is aborted when the client goes away before its response is complete. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Headers of every answer beside its own. */
const headOf = (
  own: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>>,
  streams: boolean,
): Record<string, string> => {
  const { 'mcp-session-id': _session, ...kept } = own;
  return { ...kept, ...added, 'cache-control': 'no-store', ...(streams ? { 'x-accel-buffering': 'no' } : {}) };
};

/** Writes an answer of the SDK, no faster than the client reads. A client that goes away ends the stream and nothing else. */
export async function writeWeb(
  answer: Response,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const streams = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const head = headOf(Object.fromEntries(answer.headers), headers, streams);
  if (!streams || !answer.body) {
    const body = Buffer.from(await answer.arrayBuffer());
    const length = answer.status === 202 || body.length === 0 ? {} : { 'Content-Length': String(body.length) };
    response.writeHead(answer.status, { ...head, ...length }).end(body.length > 0 ? body : undefined);
    return;
  }
  response.writeHead(answer.status, head);
  response.flushHeaders();
  const source = Readable.fromWeb(answer.body as NodeReadableStream);
  await pipeline(source, response).catch(() => source.destroy());
}
