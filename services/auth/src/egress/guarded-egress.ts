import type { IncomingMessage } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { type LookupFunction, isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { type Addresses, addressesOfName } from './addresses-of-name.ts';
import {
  type Egress,
  type EgressAnswer,
  type EgressFault,
  type EgressOptions,
  EgressRefused,
  type EgressRequest,
} from './egress.ts';
import { isPublicAddress } from './special-addresses.ts';

/**
 * The way out for addresses that strangers chose: https only, with verified certificates; the name is resolved once, the
 * connection goes to those very addresses, and all of them have to be public. No redirects, no proxies, no connection that
 * is kept, one time limit and one size limit for the whole.
 */
export function guardedEgress({ allow = [], authority, resolve = addressesOfName() }: EgressOptions = {}): Egress {
  const ca = authority === undefined ? {} : { ca: [...rootCertificates, authority] };
  const agent = new Agent({ keepAlive: false, maxCachedSessions: 0, rejectUnauthorized: true, ...ca });

  const addressesOf = async ({ hostname, port }: URL): Promise<Addresses> => {
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const family = isIP(host);
    const found = family === 0 ? await resolve(host).catch(refuse('name')) : [{ address: host, family }];
    const allowed = allow.includes(`${hostname}:${port || '443'}`);
    if (found.length === 0) throw new EgressRefused('name');
    if (!allowed && !found.every(({ address }) => isPublicAddress(address))) throw new EgressRefused('address');
    return found;
  };

  return {
    async send(asked) {
      const url = new URL(asked.url);
      if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') throw new EgressRefused('scheme');
      const limit = AbortSignal.timeout(asked.timeout);
      const addresses = await Promise.race([addressesOf(url), aborted(limit)]);
      return exchange(asked, { agent, lookup: pinned(addresses), signal: limit }, limit);
    },
  };
}

const refuse =
  (fault: EgressFault) =>
  (cause: unknown): never => {
    throw cause instanceof EgressRefused ? cause : new EgressRefused(fault, cause);
  };

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new EgressRefused('timeout')), { once: true });
  });

/** Answers every question for the name with the addresses that were judged. */
const pinned =
  (addresses: Addresses): LookupFunction =>
  (_, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };

/** Sends the request and reads the answer, at most `mostBytes` of it. */
function exchange(
  { url, method = 'GET', headers = {}, body, mostBytes }: EgressRequest,
  options: RequestOptions,
  limit: AbortSignal,
): Promise<EgressAnswer> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) =>
      reject(
        error instanceof EgressRefused
          ? error
          : limit.aborted
            ? new EgressRefused('timeout', error)
            : new EgressRefused('connection', error),
      );
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(url, {
      ...options,
      method,
      headers: { accept: 'application/json', 'accept-encoding': 'identity', ...headers, ...length },
    });
    sent.on('error', fail);
    sent.on('response', (answer) => {
      readText(answer, mostBytes)
        .then((text) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
        .catch(fail)
        .finally(() => sent.destroy());
    });
    sent.end(body);
  });
}

async function readText(answer: IncomingMessage, mostBytes: number): Promise<string> {
  if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity') throw new EgressRefused('encoding');
  if (Number(answer.headers['content-length'] ?? 0) > mostBytes) throw new EgressRefused('size');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) throw new EgressRefused('size');
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw new EgressRefused('encoding', error);
  }
}
