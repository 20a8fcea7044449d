import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from '../exchange/exchange.ts';

/** Writes a reply. Nothing happens when the client has gone. */
export function send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.writableEnded || response.socket?.writable === false) return;
  const { status, headers = {}, body, cookies = [] } = reply;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (cookies.length > 0) response.setHeader('Set-Cookie', [...cookies]);
  if (body === undefined) {
    if (status !== 204 && status !== 304) response.setHeader('Content-Length', 0);
    return void response.end();
  }
  if (!headers['Content-Type'])
    response.setHeader('Content-Type', typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  if (request.method === 'HEAD') response.end();
  // As text it leaves in one piece with the headers.
  else response.end(text);
}
