import type { Slice } from '@lyceum/runtime';
import { z } from 'zod';
import { domainHolderEvents } from './domain-holder.events.ts';
import { checkingDomains } from './checking-domains.ts';
import { domainEvents } from './domain.events.ts';
import { domainFact } from './domain.facts.ts';
import { domainOperations } from './domain.http.ts';
import { domainName } from './domain.name.ts';
import { txtLookup } from './domain.proof.ts';
import { heldDomainsProjection } from './held-domains.ts';
import { settlingDomains } from './domain.taking.ts';

/** What the operator says about domains. */
export const domainSettings = z.object({
  PLATFORM_DOMAINS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((name) => name.trim().toLowerCase() || []))
    .refine((names) => names.every((name) => 'domain' in domainName(name)), 'domain names, separated by commas')
    .meta({ description: 'Domains of the platform: no school can have them or names below them for its own' }),
});

/** The host of an origin, when it is a domain. */
const hostIn = (origin: string): readonly string[] => {
  const named = domainName(new URL(origin).hostname);
  return 'domain' in named ? [named.domain] : [];
};

/** The custom domains of a school. */
export const domainSlice: Slice<z.output<typeof domainSettings>> = {
  name: 'domains',
  operations: ({ settings: { PLATFORM_DOMAINS, BASE_URL }, resolveTxt = txtLookup() }) =>
    domainOperations({ resolveTxt, platform: [...PLATFORM_DOMAINS, ...hostIn(BASE_URL)] }),
  events: domainEvents,
  cross: domainFact,
  duties: [settlingDomains],
  standing: [checkingDomains],
};

/** Who holds each domain, on the platform. */
export const domainHolderSlice: Slice = {
  name: 'domain-holders',
  operations: [],
  events: domainHolderEvents,
  projections: [heldDomainsProjection],
};
