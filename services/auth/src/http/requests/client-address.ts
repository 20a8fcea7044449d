import { clientAddressHeader } from '@lyceum/contracts';
import type { IncomingMessage } from 'node:http';

/** The address that a request comes from, as the gateway states it; the gateway removes what clients send in this header. */
export function clientAddress(request: IncomingMessage): string {
  const told = request.headers[clientAddressHeader];
  return (typeof told === 'string' && told) || (request.socket.remoteAddress ?? 'unknown');
}
