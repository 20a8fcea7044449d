import { type NetConnectOpts, type Socket, connect as connectPlain, isIP } from 'node:net';
import { connect as connectSecure } from 'node:tls';

/** Where a service is. */
export interface Origin {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

/** Bytes that are read at once. */
const portion = 32_768;

export function originOf(url: string): Origin {
  const { protocol, hostname, port } = new URL(url);
  const isSecure = protocol === 'https:';
  // An IPv6 address stands in brackets in a URL only.
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (isSecure ? 443 : 80)), isSecure };
}

/**
 * Opens a connection. `read` gets what arrives, the first `length` of `bytes`, which are good until it returns; `ready` is
 * called when requests may be sent.
 */
export function openSocket(
  { host, port, isSecure }: Origin,
  read: (bytes: Buffer, length: number) => void,
  ready: () => void,
): Socket {
  const onread = {
    buffer: Buffer.allocUnsafeSlow(portion),
    callback: (length: number, bytes: Uint8Array): boolean => {
      read(bytes as Buffer, length);
      return true;
    },
  };
  const options: NetConnectOpts = { host, port, onread, noDelay: true, keepAlive: true };
  if (!isSecure) return connectPlain(options, ready);
  return connectSecure({ ...options, ALPNProtocols: ['http/1.1'], ...(isIP(host) ? {} : { servername: host }) }, ready);
}
