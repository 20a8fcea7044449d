import { type LookupFunction } from 'node:net';
import { request } from 'node:http';

/** `*.localhost` is this machine (RFC 6761 §6.3), though many resolvers do not know it. */
const lookup: LookupFunction = (_host, options, answer) => {
  if (options.all) answer(null, [{ address: '127.0.0.1', family: 4 }]);
  else answer(null, '127.0.0.1', 4);
};

const ports = new Map<string, number>();

/** Leads what is sent to a host to a port of this machine, as a proxy in front of it does. */
export const leadTo = (host: string, port: number): void => void ports.set(host, port);

/**
 * `fetch` for servers on this machine: every host name is 127.0.0.1, and the Host header is the URL's, so that several
 * schools on one port can be told apart. Never follows redirects. Plain HTTP only.
 */
export const loopbackFetch: typeof fetch = async (input, init) => {
  const sent = new Request(input, init);
  const body = Buffer.from(await sent.arrayBuffer());
  const headers = {
    ...Object.fromEntries(sent.headers),
    ...(body.length > 0 ? { 'content-length': String(body.length) } : {}),
  };
  return new Promise((resolve, reject) => {
    const { host } = new URL(sent.url);
    const port = ports.get(host);
    const led = port === undefined ? {} : { port };
    const options = { method: sent.method, headers: { host, ...headers }, lookup, agent: false, ...led };
    const outgoing = request(sent.url, options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const received = new Headers();
        for (const [name, values] of Object.entries(incoming.headersDistinct))
          for (const value of values ?? []) received.append(name, value);
        const status = incoming.statusCode ?? 0;
        const empty = status === 204 || status === 304;
        resolve(new Response(empty ? null : Buffer.concat(chunks), { status, headers: received }));
      });
    });
    outgoing.on('error', reject);
    sent.signal.addEventListener('abort', () => outgoing.destroy(new Error('aborted')));
    outgoing.end(body);
  });
};
