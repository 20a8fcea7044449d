import { type Claim, type Decider, reject } from '@lyceum/kernel';
import { schoolHost } from '../directory/entry.ts';
import { type DomainHolderEvent, domainHolderEvents } from './domain-holder.events.ts';

/** Who holds a domain, and by which proof. */
export interface Holding {
  readonly domain: string;
  readonly school: string;
  readonly proof: string;
}

/** What may be asked of a domain. */
export type DomainHolderCommand = Holding & { readonly type: 'TakeDomain' | 'ReleaseDomain' };

/** Why it says no. */
export type DomainHolderCode = 'domain_taken';

/** The stream of a domain in `_platform`. */
export const domainHolderStream = (domain: string): string => `domain_${domain}`;

/**
 * One domain of the public DNS: at most one school of the platform holds it, and not while it is some school's own host.
 * A release counts for the proof that it names only, so one that comes late takes nothing from a school that has proven
 * the domain again.
 */
export const domainHolderDecider: Decider<
  Holding | undefined,
  DomainHolderCommand,
  DomainHolderEvent,
  DomainHolderCode
> = {
  events: domainHolderEvents,
  initial: undefined,
  decide({ type, ...asked }, state) {
    const isSame = state?.school === asked.school && state.proof === asked.proof;
    if (type === 'ReleaseDomain') return isSame ? [{ type: 'DomainReleased', data: asked }] : [];
    if (state && state.school !== asked.school) return reject('domain_taken', 'Another school has this domain');
    return isSame ? [] : [{ type: 'DomainTaken', data: asked }];
  },
  evolve: (_state, event) => (event.type === 'DomainTaken' ? event.data : undefined),
  claims: (event): readonly Claim<DomainHolderCode>[] =>
    event.type === 'DomainTaken' ? [{ kind: schoolHost, value: event.data.domain, rejected: 'domain_taken' }] : [],
  releases: (event) => (event.type === 'DomainReleased' ? [{ kind: schoolHost, value: event.data.domain }] : []),
};
