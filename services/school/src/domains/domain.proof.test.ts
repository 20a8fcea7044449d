import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DnsServer, startDns } from '@lyceum/testkit';
import { demandProof, recordOf, txtLookup } from './domain.proof.ts';

describe('looking up the proof of a domain', () => {
  const domain = 'learn.my-school.com';
  const proof = 'aproof-of-twenty-four-bytes';
  const record = recordOf({ domain, proof });
  const wanted = { domain, proof, added_at: '', verified_at: null };
  let server: DnsServer;
  let servers: string[];
  let records: DnsServer['records'];

  beforeAll(async () => {
    server = await startDns();
    ({ records } = server);
    servers = [server.address];
  });
  afterAll(() => server.close());

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
