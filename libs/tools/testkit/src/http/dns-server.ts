import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server that knows TXT records only. */
export interface DnsServer {
  /** Host and port. */
  readonly address: string;
  /** By name, each record of some strings; `silent` is never answered. There is no such name without an entry. */
  readonly records: Map<string, readonly (readonly string[])[] | 'silent'>;
  close(): void;
}

/** The name of the first question of a DNS message, and where the question ends. */
function questionOf(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 5 };
}

/** An answer with these TXT records, each of some strings; undefined says that there is no such name. @see RFC 1035 §4.1 */
function answerTo(message: Buffer, end: number, records: readonly (readonly string[])[] | undefined): Buffer {
  const head = Buffer.from(message.subarray(0, 12));
  head.writeUInt16BE(records ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(records?.length ?? 0, 6);
  const answers = (records ?? []).map((strings) => {
    const data = Buffer.concat(strings.map((text) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])));
    const fixed = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, data.length]);
    return Buffer.concat([fixed, data]);
  });
  return Buffer.concat([head.fill(0, 8), message.subarray(12, end), ...answers]);
}

/** Starts a name server on a free UDP port of 127.0.0.1. */
export async function startDns(): Promise<DnsServer> {
  const records: DnsServer['records'] = new Map();
  const server = createSocket('udp4', (message, { port, address }) => {
    const { name, end } = questionOf(message);
    const found = records.get(name);
    if (found !== 'silent') server.send(answerTo(message, end, found), port, address);
  }).bind(0, '127.0.0.1');
  await once(server, 'listening');
  return { address: `127.0.0.1:${server.address().port}`, records, close: () => void server.close() };
}
