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
  /** RFC 3339; since when its proof was missed; null while it is there, or was never. */
  readonly failing_since: string | null;
  /** RFC 3339; when the proof was missed last. */
  readonly missed_at: string | null;
  /** How often it was missed in a row. */
  readonly misses: number;
}

/** What may be asked of a school's domains. */
export type DomainCommand =
  | { readonly type: 'AddDomain'; readonly domain: string; readonly proof: string }
  | { readonly type: 'VerifyDomain'; readonly domain: string; readonly proof: string }
  /** The proof was looked for at a time (RFC 3339) and was not there; `next` is the one to publish if the domain lapses. */
  | {
      readonly type: 'MissProof';
      readonly domain: string;
      readonly proof: string;
      readonly at: string;
      readonly next: string;
    }
  /** No name server has told of the proof since a time (RFC 3339); otherwise like `miss`. */
  | {
      readonly type: 'NoteSilence';
      readonly domain: string;
      readonly proof: string;
      readonly since: string;
      readonly at: string;
      readonly next: string;
    }
  | { readonly type: 'FindProof'; readonly domain: string; readonly proof: string }
  | { readonly type: 'RemoveDomain'; readonly domain: string };

/** Why they say no. */
export type DomainCode = 'not_found' | 'invalid_state';

/** How many domains a school may have. */
export const most = 20;

/** A domain lapses when its proof was missed so many times at least, for so many milliseconds at least. */
const mostMisses = 3;
const longestMissing = 3 * 24 * 3_600_000;
/** Looks that are closer to each other count as one. Milliseconds. */
const missesApart = 12 * 3_600_000;
/** A domain whose name servers have not answered for so many milliseconds lapses as well: by then nobody runs it. */
const longestSilence = 60 * 24 * 3_600_000;

/** The domain of that name, if the school has it. */
export const domainIn = (domains: readonly CustomDomain[], name: string): CustomDomain | undefined =>
  domains.find(({ domain }) => domain === name);

/** Whether a school answers at a domain: not yet, now, or no longer. */
export function stateOf({ verified_at, failing_since }: CustomDomain): 'pending' | 'verified' | 'lapsed' {
  if (verified_at !== null) return 'verified';
  return failing_since === null ? 'pending' : 'lapsed';
}

const unknown = () => reject('not_found', 'The school has no such domain');

/**
 * The custom domains of one school. Adding one that it has, and verifying one that is verified, changes nothing. A proof
 * that is missed again and again ends what it proved; then another one is to be published. That a domain is of one school only is the holder's business (`domain-holder.ts`).
 */
export const domainsDecider: Decider<readonly CustomDomain[], DomainCommand, DomainEvent, DomainCode> = {
  events: domainEvents,
  initial: [],
  decide(command, state) {
    const found = domainIn(state, command.domain);
    if (command.type === 'AddDomain') {
      if (found) return [];
      if (state.length >= most) return reject('invalid_state', `A school has at most ${most} domains`);
      return [{ type: 'DomainAdded', data: { domain: command.domain, proof: command.proof } }];
    }
    if (command.type === 'MissProof') return found ? missed(found, command) : [];
    if (command.type === 'NoteSilence') return found ? silent(found, command) : [];
    if (!found) return unknown();
    const { domain, proof } = found;
    if (command.type === 'RemoveDomain')
      return [{ type: 'DomainRemoved', data: { domain, proof, verified: found.verified_at !== null } }];
    if (command.proof !== proof) return unknown();
    if (command.type === 'FindProof')
      return found.failing_since === null ? [] : [{ type: 'DomainProofFound', data: { domain, proof } }];
    return found.verified_at === null ? [{ type: 'DomainVerified', data: { domain, proof } }] : [];
  },
  evolve(state, event, { at }) {
    const { domain, proof } = event.data;
    if (event.type === 'DomainAdded') return [...state, { domain, proof, added_at: at, verified_at: null, ...there }];
    if (event.type === 'DomainRemoved') return state.filter((each) => each.domain !== domain);
    return state.map((each) => (each.domain === domain ? after(each, event, at) : each));
  },
};

const there = { failing_since: null, missed_at: null, misses: 0 } as const;

/** What a look that missed the proof leads to; nothing when the domain is not proven, or was looked for a moment ago. */
function missed(
  found: CustomDomain,
  { proof, at, next }: Extract<DomainCommand, { type: 'MissProof' }>,
): DomainEvent[] {
  const { domain, verified_at, failing_since, missed_at, misses } = found;
  if (verified_at === null || proof !== found.proof) return [];
  const since = (time: string | null): number => (time === null ? 0 : Date.parse(at) - Date.parse(time));
  if (missed_at !== null && since(missed_at) < missesApart) return [];
  const miss = { type: 'DomainProofMissed', data: { domain, proof } } as const;
  const isOver = misses + 1 >= mostMisses && since(failing_since) >= longestMissing;
  return isOver ? [miss, { type: 'DomainLapsed', data: { domain, proof, next } }] : [miss];
}

/** What silence leads to: nothing before it has lasted. */
function silent(found: CustomDomain, command: Extract<DomainCommand, { type: 'NoteSilence' }>): DomainEvent[] {
  const { domain, proof, since, at, next } = command;
  const isOver = Date.parse(at) - Date.parse(since) >= longestSilence;
  if (found.verified_at === null || proof !== found.proof || !isOver) return [];
  return [
    { type: 'DomainProofMissed', data: { domain, proof } },
    { type: 'DomainLapsed', data: { domain, proof, next } },
  ];
}

function after(domain: CustomDomain, event: DomainEvent, at: string): CustomDomain {
  switch (event.type) {
    case 'DomainVerified':
      return { ...domain, verified_at: at, ...there };
    case 'DomainProofFound':
      return { ...domain, ...there };
    case 'DomainProofMissed':
      return { ...domain, failing_since: domain.failing_since ?? at, missed_at: at, misses: domain.misses + 1 };
    case 'DomainLapsed':
      return { ...domain, proof: event.data.next, verified_at: null };
    default:
      return domain;
  }
}
