import { type NetConnectOpts, type Socket, connect as connectPlain, isIP } from 'node:net';
import { connect as connectSecure, rootCertificates } from 'node:tls';

/** Where a service is. */
export interface Origin {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** Who vouches for it, beside those that Node knows, as PEM. */
  readonly authority?: string | undefined;
}

/** Bytes that are read at once. */
const portion = 32_768;

export function originOf(url: string, authority?: string): Origin {
  const { protocol, hostname, port } = new URL(url);
  const isSecure = protocol === 'https:';
  // An IPv6 address stands in brackets in a URL only.
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (isSecure ? 443 : 80)), isSecure, authority };
}

/**
 * Opens a connection. `read` gets what arrives, the first `length` of `bytes`, which are good until it returns; `ready` is
 * called when requests may be sent.
 */
export function openSocket(
  { host, port, isSecure, authority }: Origin,
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
  const name = isIP(host) ? {} : { servername: host };
  const trust = authority === undefined ? {} : { ca: [...rootCertificates, authority] };
  return connectSecure({ ...options, ALPNProtocols: ['http/1.1'], ...name, ...trust }, ready);
}
