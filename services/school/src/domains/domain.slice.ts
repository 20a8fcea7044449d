import type { Slice } from '@lyceum/service';
import { domainHolderEvents } from '../domain-holders/domain-holder.events.ts';
import { domainEvents } from './domain.events.ts';
import { domainFact } from './domain.facts.ts';
import { domainOperations } from './domain.http.ts';
import { domainName } from './domain.name.ts';
import { type DomainSettings, lookupOf } from './domain.settings.ts';
import { heldDomainsProjection } from './domain.held.ts';
import { settlingDomains } from './domain.taking.ts';

/** The host of an origin, when it is a domain. */
const hostIn = (origin: string): readonly string[] => {
  const named = domainName(new URL(origin).hostname);
  return 'domain' in named ? [named.domain] : [];
};

/** The custom domains of a school. */
export const domainSlice: Slice<DomainSettings> = {
  name: 'domains',
  operations: (ports) => {
    const { PLATFORM_DOMAINS, BASE_URL } = ports.settings;
    return domainOperations({ resolveTxt: lookupOf(ports), platform: [...PLATFORM_DOMAINS, ...hostIn(BASE_URL)] });
  },
  events: domainEvents,
  toFact: domainFact,
  reactions: [settlingDomains],
};

/** Who holds each domain, on the platform. */
export const domainHolderSlice: Slice = {
  name: 'domain-holders',
  operations: [],
  events: domainHolderEvents,
  projections: [heldDomainsProjection],
};
