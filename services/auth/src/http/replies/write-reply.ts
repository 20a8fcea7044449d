import { type WireExchange, breakingOff } from '@lyceum/web';
import type { Reply } from '../exchange/exchange.ts';

/** Writes a reply. */
export function writeReply(context: WireExchange, { status, headers = {}, body, stream, cookies = [] }: Reply): void {
  const { res } = context;
  // Koa guesses a status and a type that are not set before the body; a body that is null changes the status.
  if (stream) {
    context.status = status;
    context.body = breakingOff(context, stream);
  } else if (body === undefined) {
    context.body = null;
    context.status = status;
    if (status !== 204) res.setHeader('content-length', 0);
  } else {
    const isText = typeof body === 'string';
    context.status = status;
    res.setHeader('content-type', isText ? 'text/plain; charset=utf-8' : 'application/json');
    context.body = isText ? body : JSON.stringify(body);
  }
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  if (cookies.length > 0) res.setHeader('set-cookie', cookies);
}
