import type { WireExchange } from '@lyceum/web';
import type { Reply } from '../exchange/exchange.ts';

/** Writes a reply. */
export function writeReply(context: WireExchange, { status, headers = {}, body, cookies = [] }: Reply): void {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  // Koa changes the status and the headers with a body that is null: they are set afterwards.
  context.body = text ?? null;
  context.status = status;
  if (text === undefined && status !== 204) context.set('content-length', '0');
  if (text !== undefined) context.set('content-type', text === body ? 'text/plain; charset=utf-8' : 'application/json');
  context.set(headers);
  if (cookies.length > 0) context.res.setHeader('set-cookie', cookies);
}
