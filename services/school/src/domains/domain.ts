import { type Decider, reject } from '@lyceum/kernel';
import { type DomainEvent, domainEvents } from './domain.events.ts';

/** The stream, in a school's tenant. It stays when the school moves to another installation: there it is to be proven again. */
export const domainsStream = 'domains';

/** A custom domain of a school. */
export interface CustomDomain {
  /** Lower case, in A-labels. */
  readonly domain: string;
  readonly proof: string;
  /** RFC 3339. */
  readonly added_at: string;
  /** RFC 3339; null while the domain is not proven. */
  readonly verified_at: string | null;
}

/** What may be asked of a school's domains. */
export type DomainCommand =
  | { readonly kind: 'add'; readonly domain: string; readonly proof: string }
  | { readonly kind: 'verify'; readonly domain: string; readonly proof: string }
  | { readonly kind: 'remove'; readonly domain: string };

/** Why they say no. */
export type DomainCode = 'not_found' | 'invalid_state';

/** How many domains a school may have. */
export const most = 20;

/** The domain of that name, if the school has it. */
export const domainIn = (domains: readonly CustomDomain[], name: string): CustomDomain | undefined =>
  domains.find(({ domain }) => domain === name);

const unknown = () => reject('not_found', 'The school has no such domain');

/**
 * The custom domains of one school. Adding one that it has, and verifying one that is verified, changes nothing. That a
 * domain is of one school only is the holder's business (`domain-holder.ts`).
 */
export const domains: Decider<readonly CustomDomain[], DomainCommand, DomainEvent, DomainCode> = {
  events: domainEvents,
  initial: [],
  decide(command, state) {
    const found = domainIn(state, command.domain);
    if (command.kind === 'add') {
      if (found) return [];
      if (state.length >= most) return reject('invalid_state', `A school has at most ${most} domains`);
      return [{ type: 'DomainAdded', data: { domain: command.domain, proof: command.proof } }];
    }
    if (!found) return unknown();
    const { domain, proof } = found;
    if (command.kind === 'remove')
      return [{ type: 'DomainRemoved', data: { domain, proof, verified: found.verified_at !== null } }];
    if (command.proof !== proof) return unknown();
    return found.verified_at === null ? [{ type: 'DomainVerified', data: { domain, proof } }] : [];
  },
  evolve(state, event, { at }) {
    const { domain, proof } = event.data;
    if (event.type === 'DomainAdded') return [...state, { domain, proof, added_at: at, verified_at: null }];
    if (event.type === 'DomainRemoved') return state.filter((each) => each.domain !== domain);
    return state.map((each) => (each.domain === domain ? { ...each, verified_at: at } : each));
  },
};
