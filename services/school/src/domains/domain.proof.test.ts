import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Socket, createSocket } from 'node:dgram';
import { once } from 'node:events';
import { demandProof, recordOf, txtLookup } from './domain.proof.ts';

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

describe('looking up the proof of a domain', () => {
  const domain = 'learn.my-school.com';
  const proof = 'aproof-of-twenty-four-bytes';
  const record = recordOf({ domain, proof });
  const wanted = { domain, proof, added_at: '', verified_at: null };
  let server: Socket;
  let servers: string[];
  /** By name; `silent` is never answered. */
  const records = new Map<string, readonly (readonly string[])[] | 'silent'>();

  beforeAll(async () => {
    server = createSocket('udp4', (message, { port, address }) => {
      const { name, end } = questionOf(message);
      const found = records.get(name);
      if (found !== 'silent') server.send(answerTo(message, end, found), port, address);
    }).bind(0, '127.0.0.1');
    await once(server, 'listening');
    servers = [`127.0.0.1:${server.address().port}`];
  });
  afterAll(() => void server.close());

  const outcome = async (limit?: number): Promise<string> =>
    demandProof(wanted, txtLookup({ servers, ...(limit === undefined ? {} : { limit }) })).then(
      () => 'proven',
      (error: { code: string }) => error.code,
    );

  test('RFC 1035 §3.3.14: a record of several strings is one text, and stands among others', async () => {
    const { value } = record;
    records.set(record.name, [['v=spf1 -all'], [value.slice(0, 10), value.slice(10)]]);
    expect(await txtLookup({ servers })(record.name)).toEqual(['v=spf1 -all', value]);
    expect(await outcome()).toBe('proven');
  });

  test('no name, no record and other records are no proof', async () => {
    for (const there of [undefined, [], [['v=spf1 -all']], [[`${record.value}x`]], [[`x${record.value}`]], [[proof]]]) {
      if (there) records.set(record.name, there);
      else records.delete(record.name);
      expect([there, await outcome()]).toEqual([there, 'domain_unproven']);
    }
  });

  test('a server that does not answer is given up in time, and proves nothing', async () => {
    records.set(record.name, 'silent');
    expect(await outcome(100)).toBe('domain_unproven');
    await expect(demandProof(wanted, txtLookup({ servers, limit: 100 }))).rejects.toThrow('No name server tells');
  });
});
