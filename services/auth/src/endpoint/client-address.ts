import type { IncomingMessage } from 'node:http';

/** The address that a request comes from: what our gateway says, which lets nobody else's word through. */
export function clientAddress(request: IncomingMessage): string {
  const forwarded = request.headers['x-forwarded-for'];
  const told = Array.isArray(forwarded) ? forwarded[0] : forwarded;
  return told?.split(',')[0]?.trim() || (request.socket.remoteAddress ?? 'unknown');
}
