import { Resolver } from 'node:dns/promises';

/** What a name was resolved to. */
export type Addresses = readonly { readonly address: string; readonly family: number }[];

/** Milliseconds for one try; two are made at each name server. */
const patience = 1_500;
const localhost = /(^|\.)localhost$/;
const loopback: Addresses = [{ address: '127.0.0.1', family: 4 }];

/**
 * Finds the addresses of a name at name servers, those of the system when none are given. `dns.lookup` is not used: it
 * holds one of the few threads that passwords are hashed with, as long as a stranger's name server likes. `localhost` is
 * this machine (RFC 6761 §6.3). Rejects when no address was found.
 */
export const addressesOfName =
  (servers: readonly string[] = []) =>
  async (name: string): Promise<Addresses> => {
    if (localhost.test(name)) return loopback;
    const resolver = new Resolver({ timeout: patience, tries: 2 });
    if (servers.length > 0) resolver.setServers(servers);
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    const of = (found: typeof four, family: number) =>
      found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : [];
    return [...of(four, 4), ...of(six, 6)];
  };
