import type { Collection, Projection } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { domainHolderEvents } from '../domain-holders/domain-holder.events.ts';

/** Which school holds which domain, in the tenant `_platform`; ids are the domains. */
export const heldDomains: Collection = { name: 'held-domains', version: 1, fields: {} };

/** The domains that schools hold, with the proof and since when. */
export const heldDomainsProjection: Projection = {
  collection: heldDomains,
  key: (event) => (Object.hasOwn(domainHolderEvents, event.type) ? held(event).domain : undefined),
  project: (event) => (event.type === 'DomainTaken' ? { ...held(event), since: event.at } : null),
};

const held = (event: Parameters<Projection['key']>[0]) => upcast(domainHolderEvents, event).data;
