import { codeOf } from '@lyceum/kernel';
import { Resolver } from 'node:dns/promises';
import type { ResolveTxt } from '@lyceum/service';
import { Problem } from '@lyceum/web';
import type { CustomDomain } from './domain.ts';

type Named = Pick<CustomDomain, 'domain' | 'proof'>;

/** The DNS record with which the owner of a domain proves that it is theirs. */
export const recordOf = ({ domain, proof }: Named) => ({
  type: 'TXT' as const,
  name: `_lyceum-challenge.${domain}`,
  value: `lyceum-domain-verification=${proof}`,
});

/** Milliseconds for one try; two are made at each name server. */
const patience = 1_500;

const absent = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * Looks up TXT records at name servers, the system's when none are given: none when there is no such name. Throws when no
 * server answers, at the latest after `limit` milliseconds.
 */
export const txtLookup =
  ({ servers, limit = 5_000 }: { readonly servers?: readonly string[]; readonly limit?: number } = {}): ResolveTxt =>
  async (name) => {
    const resolver = new Resolver({ timeout: patience, tries: 2 });
    if (servers && servers.length > 0) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), limit);
    try {
      return (await resolver.resolveTxt(name)).map((strings) => strings.join(''));
    } catch (error) {
      if (absent.has(String(codeOf(error)))) return [];
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

/** What a look for a proof found: `unknown` when no name server told, usually the domain's own, perhaps our way to them. */
type Look =
  | { readonly proof: 'there' | 'missing'; readonly found: readonly string[] }
  | { readonly proof: 'unknown'; readonly cause: unknown };

/** Looks whether the record of a domain is published. */
export async function lookForProof(domain: Named, resolveTxt: ResolveTxt): Promise<Look> {
  const { name, value } = recordOf(domain);
  try {
    const found = await resolveTxt(name);
    return { proof: found.some((text) => text.trim() === value) ? 'there' : 'missing', found };
  } catch (cause) {
    return { proof: 'unknown', cause };
  }
}

/** Throws the problem when the record of a domain is not there, or nobody can tell. */
export async function demandProof(domain: Named, resolveTxt: ResolveTxt): Promise<void> {
  const { name, value } = recordOf(domain);
  const look = await lookForProof(domain, resolveTxt);
  if (look.proof === 'there') return;
  if (look.proof === 'unknown') {
    // What the proof is worth does not depend on whose servers are at fault.
    const headers = { 'Retry-After': '30' };
    const { cause } = look;
    throw new Problem('domain_unproven', `No name server tells the TXT records of ${name} now`, { headers, cause });
  }
  const there = look.found.length === 0 ? 'There is no TXT record' : 'There are other TXT records';
  throw new Problem(
    'domain_unproven',
    `${there} at ${name}; it must be ${value}. New records take a while to be seen.`,
  );
}
